import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { DeviceScreen } from '#console/features/devices/page/DeviceScreen.tsx'
import { StatusTab } from '#console/features/devices/status/StatusTab.tsx'
import { axeFindings } from '#console/testing/axe.ts'
import { deviceOf, DEVICE_GUID as GUID } from '#console/testing/deviceOf.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { backlight } from '#console/testing/tiles.ts'
import { getDevice } from '#contract/http/devices/devices.ts'
import { type DeviceHealth, getDeviceDashboard, getDeviceHealth } from '#contract/http/devices/status.ts'
import { getDeviceClient } from '#contract/http/software/rollouts.ts'

const { server, open } = screenTest({
  screens: { '/devices/$guid': { screen: DeviceScreen, tabs: { status: StatusTab } } },
  at: `/devices/${GUID}/status`,
})

const SINCE = new Date(Date.now() - 600_000).toISOString()
const HEALTH: DeviceHealth = {
  limits: [],
  alertsNow: 0,
  alertsSeverityId: null,
  alertsOver: 0,
  lastVisit: null,
  unreported: [],
  refused: null,
}
const REFUSED: DeviceHealth['refused'] = {
  since: SINCE,
  lastAt: new Date().toISOString(),
  count: 1_234,
  reason: 'bad_value',
  detail: 'cpu_temp is the text "41", not a number. Send it without quotes.',
  topic: 'events/device',
  payload: '{"at":"2026-11-20T10:00:00Z","values":{"cpu_temp":"41"}}',
}

beforeEach(() => {
  server.answer(getDevice, deviceOf())
  server.answer(getDeviceDashboard, [backlight()])
  server.answer(getDeviceClient, { version: '1.4.0', newestVersion: '1.4.0', update: null })
  server.answer(getDeviceHealth, HEALTH)
})

test('a device whose reports are refused says how many, why and since when, and shows the newest', async () => {
  server.answer(getDevice, deviceOf({ refusedSince: SINCE }))
  server.answer(getDeviceHealth, { ...HEALTH, refused: REFUSED })
  const { container } = await open()
  const notice = (await screen.findByText('1,234 reports refused')).closest('[role=status]') as HTMLElement
  expect(notice).toHaveTextContent('Send it without quotes.')
  expect(screen.getByRole('img', { name: /^Reports refused since/ })).toBeVisible()
  await userEvent.click(within(notice).getByText('Newest refused report'))
  expect(within(notice).getByText(/"cpu_temp":"41"/)).toBeVisible()
  expect(await axeFindings(container)).toEqual([])
})

test('a device whose clock is wrong says by how much, and marks what has no time of its own', async () => {
  server.answer(getDevice, deviceOf({ clockErrorMs: -2 * 3_600_000 }))
  server.answer(getDeviceDashboard, [backlight({ claimed_dt: '2026-11-20T08:00:00.000Z' })])
  await open()
  expect(await screen.findByText('The clock of this device is 2 h 0 min behind.')).toBeVisible()
  expect(screen.getByRole('img', { name: 'Clock 2 h 0 min behind' })).toBeVisible()
  expect(await screen.findByRole('img', { name: /^The clock of the device said/ })).toBeVisible()
})

test('of a device that reports well nothing is said', async () => {
  await open()
  await screen.findByText('Backlight level')
  expect(screen.queryByText(/refused|clock/i)).toBeNull()
})
