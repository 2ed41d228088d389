import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { axeFindings } from '#console/testing/axe.ts'
import { upsBatteryTest } from '#contract/http/devices/commands.ts'
import { applyBatteryTestSettings } from '#contract/http/devices/setup.ts'
import { HEALTHY, panel, sectionOf, setupTest } from './testing/setupJourney.tsx'

const setup = setupTest()

const tests = () => panel('Battery test')
const WEEKLY = { every: 'week', weekday: 2, from: '03:00', to: '05:00' }

test('a schedule is chosen weekly or monthly, and sent with its window', async () => {
  setup.server.answer(applyBatteryTestSettings, [])
  await setup.open('setup')
  await setup.user.click((await tests()).getByRole('radio', { name: 'Monthly' }))
  const from = (await tests()).getByLabelText('Test window: From')
  await setup.user.clear(from)
  await setup.user.click((await tests()).getByRole('button', { name: 'Apply' }))
  ;(await tests()).getByText('A time from 00:00 to 23:59')
  expect(setup.server.requestsTo(applyBatteryTestSettings)).toEqual([])
  await setup.user.type(from, '2')
  await setup.user.click((await tests()).getByRole('button', { name: 'Apply' }))
  await screen.findByText('The device has applied the settings.')
  expect(setup.server.requestsTo(applyBatteryTestSettings).map(({ values }) => values)).toEqual([
    { deviceId: 1, schedule: { every: 'month', day: 1, from: '02:00', to: '05:00' }, basedOn: null },
  ])
})

test('a client that knows no battery tests says so before anything is sent', async () => {
  setup.settings([sectionOf({ section: 'batteryTest', desired: { schedule: WEEKLY } })], { knowsBatteryTests: false })
  const { container } = await setup.open('setup')
  ;(await tests()).getByText('The client of this device does not know battery tests. Update the client first.')
  await setup.user.click((await tests()).getByRole('radio', { name: 'Monthly' }))
  await setup.user.click((await tests()).getByRole('button', { name: 'Apply' }))
  expect(setup.server.requestsTo(applyBatteryTestSettings)).toEqual([])
  expect(await axeFindings(container)).toEqual([])
})

test('before the battery is tested now it says what follows; what came of it is told in words', async () => {
  setup.reports({ ...HEALTHY, u_battery_test_result: 'failed', u_battery_test_at: '2026-11-20 03:00' })
  setup.server.answer(upsBatteryTest, 'The battery test has begun.')
  await setup.open('setup')
  const ups = await panel('UPS')
  ups.getByText('failed')
  ups.getByText('2026-11-20 03:00')
  await setup.user.click(ups.getByRole('button', { name: /Test battery now/ }))
  expect(await screen.findByRole('dialog')).toHaveTextContent(
    /on its battery, and reports the result\. Nothing goes down while the battery is good; if it is worn out, .* may lose power\./,
  )
  await setup.user.click(screen.getByRole('button', { name: 'Yes' }))
  await screen.findByText('The battery test has begun.')
})
