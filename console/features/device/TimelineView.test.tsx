import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { axeFindings } from '#console/testing/axe.ts'
import { deviceOf, DEVICE_GUID as GUID } from '#console/testing/deviceOf.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { getDevice } from '#contract/http/device.ts'
import { type DeviceTimeline, getDeviceTimeline, getUnusualFields } from '#contract/http/deviceRecords.ts'
import type { AlertId, FieldId } from '#domain/ids.ts'
import { DeviceScreen } from './DeviceScreen.tsx'
import { StatusTab } from './StatusTab.tsx'

const FROM = '2026-11-20T08:00:00.000Z'
const TO = '2026-11-20T10:00:00.000Z'
const { server, open: draw } = screenTest({
  screens: { '/devices/$guid': { screen: DeviceScreen, tabs: { status: StatusTab } } },
})
const open = () => draw(`/devices/${GUID}/status?view=timeline&dateFrom=${FROM}&dateTo=${TO}`)

const nothing = { since: FROM, items: [] }
const TIMELINE: DeviceTimeline = {
  alerts: {
    since: FROM,
    items: [
      {
        from: '2026-11-20T07:00:00.000Z',
        to: '2026-11-20T08:30:00.000Z',
        alertId: 41 as AlertId,
        conditionText: 'Warm',
      },
      { from: '2026-11-20T09:00:00.000Z', to: null, alertId: 41 as AlertId, conditionText: 'Warm' },
    ],
  },
  light: { since: '2026-11-20T09:00:00.000Z', items: [] },
  power: { since: FROM, items: [{ from: '2026-11-20T08:30:00.000Z', to: '2026-11-20T09:00:00.000Z' }] },
  presence: nothing,
  settings: {
    since: FROM,
    items: [
      {
        at: '2026-11-20T08:45:00.000Z',
        id: 1,
        name: 'display.apply',
        args: { displayNumber: 1, backlightLevel: 40 },
        by: 'eva',
      },
    ],
  },
  commands: nothing,
}

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600)
  server.answer(getDevice, deviceOf())
  server.answer(getDeviceTimeline, TIMELINE)
})
const lane = async (name: string) => screen.findByRole('list', { name: new RegExp(`^${name}:`) })

test('each lane that was answered stands over the period, with what happened as links', async () => {
  const { container } = await open()
  const alerts = within(await lane('Alerts'))
  const [first, second] = alerts.getAllByRole('link')
  expect(first).toHaveAccessibleName(/^Warm, .*, for 1 h 30 min$/)
  expect(first).toHaveStyle({ left: '0%', width: '25%' })
  expect(second).toHaveAccessibleName(/^Warm, .*, still$/)
  expect(second).toHaveStyle({ left: '50%', width: '50%' })
  expect(first?.getAttribute('href')).toMatch(/^\/alerts\/alert-details\?/)
  expect(within(await lane('Settings')).getByRole('link')).toHaveAccessibleName(/backlight 40 %, by eva/)
  expect(screen.queryByRole('list', { name: /^Maintenance/ })).toBeNull()
  expect(server.requestsTo(getDeviceTimeline)[0]?.values).toEqual({ deviceId: '1', dateFrom: FROM, dateTo: TO })
  expect(await axeFindings(container)).toEqual([])
})

test('where a lane is not told from the beginning, it says so', async () => {
  await open()
  expect(within(await lane('Light')).getByTitle(/^Not told before /)).toHaveStyle({ width: '50%' })
})

test('each lane is one stop of the Tab key, and arrows walk its items', async () => {
  await open()
  const [first, second] = within(await lane('Alerts')).getAllByRole('link')
  expect([first?.tabIndex, second?.tabIndex]).toEqual([0, -1])
  first?.focus()
  await userEvent.keyboard('{ArrowRight}')
  expect(second).toHaveFocus()
  expect(second?.tabIndex).toBe(0)
  await userEvent.keyboard('{Home}')
  expect(first).toHaveFocus()
})

test('the list tells the same in words, newest first', async () => {
  await open()
  await userEvent.click(await screen.findByRole('radio', { name: 'List' }))
  const rows = within(await screen.findByRole('table', { name: 'Timeline' }))
    .getAllByRole('row')
    .slice(1)
  expect(rows.map(({ textContent }) => textContent?.replace(/^[\d.: ]+/, ''))).toEqual([
    'AlertsWarmstill',
    expect.stringMatching(/^SettingsDisplay 1: settings/),
    'PowerOn batteryfor 30 min',
    'AlertsWarmfor 1 h 30 min',
  ])
})

const compare = async () => userEvent.click(await screen.findByRole('button', { name: 'What else changed then' }))

test('what was unusual in the period is ranked, with what is usual and a way to its chart', async () => {
  server.answer(getUnusualFields, {
    fields: [{ fieldId: 4101 as FieldId, at: FROM, value: 65, usualFrom: 38, usualTo: 44, score: 17 }],
    compared: 12,
    withoutHistory: 2,
  })
  const { container } = await open()
  await compare()
  const [, row] = within(await screen.findByRole('table', { name: 'What else changed then' })).getAllByRole('row')
  expect(row?.textContent).toMatch(/^Display: Internal temperature \(°C\)6538 to 44/)
  expect(
    within(row as HTMLElement)
      .getByRole('link')
      .getAttribute('href'),
  ).toMatch(/^\/analytics\?data=/)
  screen.getByText('2 more could not be compared: fewer than 5 earlier days.')
  expect(server.requestsTo(getUnusualFields)[0]?.values).toEqual({ deviceId: '1', dateFrom: FROM, dateTo: TO })
  expect(await axeFindings(container)).toEqual([])
})

test('without enough earlier days it says so instead of a list', async () => {
  server.answer(getUnusualFields, { fields: [], compared: 0, withoutHistory: 9 })
  await open()
  await compare()
  await screen.findByText('Not enough history')
})
