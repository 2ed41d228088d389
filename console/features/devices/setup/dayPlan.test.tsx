import { fireEvent, screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { axeFindings } from '#console/testing/axe.ts'
import { applyDayPlanSettings, listSettingChanges } from '#contract/http/devices/setup.ts'
import { panel, sectionOf, setupTest } from './testing/setupJourney.tsx'

const setup = setupTest()

const plan = () => panel('Brightness by time')
const press = async (name: string | RegExp) => setup.user.click((await plan()).getByRole('button', { name }))
const NIGHT = [
  { from: '22:00', backlightPercent: 70 },
  { from: { sun: 'sunrise', offsetMinutes: -15 }, backlightPercent: null },
]
const EVERY_NIGHT = { workdays: NIGHT, weekends: NIGHT, holidays: NIGHT }
const setTime = async (label: string, value: string) =>
  fireEvent.change((await plan()).getByLabelText(label), { target: { value } })

test('a plan of every day is typed once and sent for all kinds of days', async () => {
  setup.server.answer(applyDayPlanSettings, [])
  await setup.open('setup')
  await press('Add an entry: Every day')
  await setTime('Every day, entry 1: time', '25:00')
  await press('Apply')
  await (await plan()).findByText('A time from 00:00 to 23:59')
  expect(setup.server.requestsTo(applyDayPlanSettings)).toEqual([])
  await setTime('Every day, entry 1: time', '21:00')
  await press('Add an entry: Every day')
  await press('Apply')
  await screen.findByText('The device has applied the settings.')
  const entries = [
    { from: '21:00', backlightPercent: 70 },
    { from: '06:00', backlightPercent: null },
  ]
  expect(setup.server.requestsTo(applyDayPlanSettings).map(({ values }) => values)).toEqual([
    { deviceId: 1, workdays: entries, weekends: entries, holidays: entries, basedOn: null },
  ])
})

test('a plan that is the same every day is one change, and one of a kind of day another', async () => {
  await setup.open('setup')
  await press('Add an entry: Every day')
  ;(await plan()).getByText('1 unsaved change')
  await setup.user.click((await plan()).getByRole('radio', { name: 'By kind of day' }))
  await press('Add an entry: Holidays')
  ;(await plan()).getByText('3 unsaved changes')
})

test('a device whose client knows no day plans says so before anything is sent', async () => {
  setup.settings([], { knowsDayPlans: false })
  await setup.open('setup')
  ;(await plan()).getByText('The client of this device does not know day plans. Update the client first.')
  await press('Add an entry: Every day')
  await press('Apply')
  expect((await plan()).getByRole('alert')).toHaveTextContent('nothing was sent')
  expect(setup.server.requestsTo(applyDayPlanSettings)).toEqual([])
})

test('a plan by the sun is not sent where nobody has said where the device stands', async () => {
  setup.settings([sectionOf({ section: 'dayPlan', desired: EVERY_NIGHT })], { position: null })
  await setup.open('setup')
  await press('Add an entry: Every day')
  await press('Apply')
  expect((await plan()).getByRole('alert')).toHaveTextContent('This device has no position')
  expect(setup.server.requestsTo(applyDayPlanSettings)).toEqual([])
})

test('the history tells plans in words and brings one back', async () => {
  setup.settings([sectionOf({ section: 'dayPlan', desired: { workdays: [], weekends: [], holidays: [] } })])
  setup.server.answer(listSettingChanges, {
    rows: [{ id: 1, at: '2026-11-20T10:00:00.000Z', by: 'kim', before: {}, after: { ...EVERY_NIGHT } }],
    next: null,
  })
  setup.server.answer(applyDayPlanSettings, [])
  await setup.open('setup')
  await press('History')
  const history = within(await screen.findByRole('dialog', { name: 'History: Brightness by time' }))
  expect(await history.findAllByText('70 % from 22:00, no plan from 15 min before sunrise')).toHaveLength(3)
  await setup.user.click(history.getByRole('button', { name: /^Restore/ }))
  await setup.user.click(await screen.findByRole('button', { name: 'Yes' }))
  await screen.findByText('The device has these settings again.')
  expect(setup.server.requestsTo(applyDayPlanSettings)[0]?.values).toMatchObject(EVERY_NIGHT)
})

test('a level that the plan sets again is said before it is applied', async () => {
  const always = [{ from: '00:00', backlightPercent: 40 }]
  setup.settings([sectionOf({ section: 'dayPlan', desired: { workdays: always, weekends: always, holidays: always } })])
  await setup.open('setup')
  await setup.user.click((await panel('Display settings')).getByRole('switch', { name: 'Display on' }))
  ;(await panel('Display settings')).getByText(/^A day plan holds now/)
})

test('the form of a plan is accessible', async () => {
  setup.settings([sectionOf({ section: 'dayPlan', desired: { ...EVERY_NIGHT, weekends: [] } })])
  const { container } = await setup.open('setup')
  await plan()
  expect(await axeFindings(container)).toEqual([])
})
