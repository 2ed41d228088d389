import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { axeFindings } from '#console/testing/axe.ts'
import { Refusal } from '#console/testing/contractServer.ts'
import { applyDisplaySettings, listSettingChanges } from '#contract/http/devices/setup.ts'
import { panel, secondsAgo, sectionOf, setupTest } from './testing/setupJourney.tsx'

const setup = setupTest()
const display = () => panel('Display settings')
const type = async (name: string, text: string) => {
  const field = (await display()).getByRole('textbox', { name })
  await setup.user.clear(field)
  await setup.user.type(field, text)
  await setup.user.tab()
}
const apply = async () => setup.user.click((await display()).getByRole('button', { name: 'Apply' }))
const EVAS = { desiredAt: secondsAgo(3), desiredBy: 'Eva Novak' }
const MINE = { desiredAt: secondsAgo(900), desiredBy: 'Me' }
const setBy = (by: typeof EVAS, desired: Record<string, unknown>) =>
  setup.settings([sectionOf({ section: 'display', desired, reported: desired, reportedAt: by.desiredAt, ...by })])
const told = async () => within(await display().then((it) => it.findByRole('alert')))

test('what somebody applies while one edits is told before Apply with both values, and Apply knows it', async () => {
  setup.server.answer(applyDisplaySettings, [])
  setBy(MINE, { brightness: 45, gammaValue: 2.4 })
  await setup.open('setup')
  await type('Brightness (black level)', '70')
  setBy(EVAS, { brightness: 60, gammaValue: 2.4 })
  await waitFor(() => expect(setup.server.watched()).toMatchObject({ stateDeviceIds: [1] }))
  setup.server.emit('commands', { deviceId: 1, commands: [], settingsVersion: 99 })
  const note = await told()
  note.getByText(/^Eva Novak has applied other settings while you were changing these/)
  expect(note.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
    'BeforeTheirsYours',
    'Brightness (black level)456070',
  ])
  expect(await axeFindings((await screen.findByRole('region', { name: 'Display settings' })) as HTMLElement)).toEqual(
    [],
  )
  await apply()
  await screen.findByText('The device has applied the settings.')
  expect(setup.server.requestsTo(applyDisplaySettings).map(({ values }) => values)).toEqual([
    { deviceId: 1, displayNumber: 1, dBrightness: 70, basedOn: EVAS.desiredAt },
  ])
})

test('who was faster by a second is told after the refusal, and nothing of the edit is lost', async () => {
  setBy(MINE, { brightness: 45 })
  await setup.open('setup')
  await type('Brightness (black level)', '70')
  setup.server.answer(applyDisplaySettings, () => {
    setBy(EVAS, { brightness: 60 })
    return new Refusal('settings_changed', 'Eva Novak has set this meanwhile.')
  })
  await apply()
  await screen.findByText('Eva Novak has set this meanwhile.')
  ;(await told()).getByText(/^Eva Novak has applied/)
  expect((await display()).getByRole('textbox', { name: 'Brightness (black level)' })).toHaveValue('70')
})

test('the history tells who set what, and Restore asks and sets what differs by the way of Apply', async () => {
  setup.server.answer(applyDisplaySettings, [])
  setBy(EVAS, { brightness: 60, gammaValue: 2.4 })
  const rows = [
    {
      id: 2,
      at: secondsAgo(3),
      by: 'Eva Novak',
      before: { brightness: 45 },
      after: { brightness: 60, gammaValue: 2.4 },
    },
    { id: 1, at: secondsAgo(900), by: 'Staff', before: {}, after: { brightness: 45, gammaValue: 2.4 } },
  ]
  setup.server.answer(listSettingChanges, { rows, next: null })
  await setup.open('setup')
  await setup.user.click((await display()).getByRole('button', { name: 'History' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'History: Display settings' }))
  const [newest, oldest] = await dialog.findAllByText(/Novak|Staff/, { selector: 'b' })
  expect(newest?.closest('li')).toHaveTextContent('Brightness (black level) 45 → 60')
  expect(newest?.closest('li')).toHaveTextContent('As it is now')
  expect(oldest?.closest('li')).toHaveTextContent('Brightness (black level) – → 45')
  await setup.user.click(dialog.getByRole('button', { name: /^Restore what Staff set/ }))
  expect(await screen.findByText(/Brightness \(black level\): 60 → 45/)).toBeVisible()
  await setup.user.click(screen.getByRole('button', { name: 'Yes' }))
  await screen.findByText('The device has these settings again.')
  expect(setup.server.requestsTo(applyDisplaySettings).map(({ values }) => values)).toEqual([
    { deviceId: 1, displayNumber: 1, dBrightness: 45, basedOn: EVAS.desiredAt },
  ])
})

test('what nobody has set has no history', async () => {
  setup.server.answer(listSettingChanges, { rows: [], next: null })
  await setup.open('setup')
  await setup.user.click((await display()).getByRole('button', { name: 'History' }))
  await screen.findByText('Not set yet')
})
