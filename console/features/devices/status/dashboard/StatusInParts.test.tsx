import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { DeviceScreen } from '#console/features/devices/page/DeviceScreen.tsx'
import { StatusTab } from '#console/features/devices/status/StatusTab.tsx'
import { deviceOf, DEVICE_GUID as GUID } from '#console/testing/deviceOf.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { backlight } from '#console/testing/tiles.ts'
import { getDevice } from '#contract/http/devices/devices.ts'
import { listMessages } from '#contract/http/devices/records.ts'
import { getDeviceDashboard, getDeviceHealth } from '#contract/http/devices/status.ts'
import { getDeviceClient } from '#contract/http/software/rollouts.ts'
import type { FieldId } from '#domain/ids.ts'

const { server, open } = screenTest({
  screens: { '/devices/$guid': { screen: DeviceScreen, tabs: { status: StatusTab } } },
  at: `/devices/${GUID}/status`,
})

const brightness = () =>
  backlight({
    field_id: 4114 as FieldId,
    field_name: 'Brightness',
    field_db_name: 'd_brightness',
    measurement_id: null,
  })

const PARTS = {
  header: 'h1[title]',
  strip: '.health-cell .health-value',
  tiles: '.tile',
  lines: '.line',
} as const

/** It records each kind of content that was on the page after a change, once and in order. */
let seen: string[] = []
const watcher = new MutationObserver(() => {
  const there = Object.entries(PARTS).flatMap(([part, selector]) => (document.querySelector(selector) ? [part] : []))
  const words = there.join(' ')
  if (!seen.includes(words)) seen.push(words)
})

beforeEach(() => {
  // Long tables draw the rows that fit, and the simulated browser has no heights.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600)
  seen = []
  watcher.observe(document.body, { childList: true, subtree: true })
  server.answer(getDevice, deviceOf())
  server.answer(getDeviceDashboard, [backlight(), brightness()])
  server.answer(listMessages, {
    rows: [{ at: '2026-11-20T09:00:00Z', inserted: '2026-11-20T09:01:00Z', msg: 'Started' }],
    total: 1,
    next: null,
  })
  server.answer(getDeviceClient, { version: '1.4.0', newestVersion: '1.4.0', update: null })
  server.answer(getDeviceHealth, {
    limits: [],
    alertsNow: 0,
    alertsSeverityId: null,
    alertsOver: 0,
    lastVisit: null,
    unreported: [],
    refused: null,
  })
})
afterEach(() => watcher.disconnect())

const WHOLE = 'header strip tiles lines'

test('a device is drawn in parts, each after the one before: its header, its strip, its tiles, its lines', async () => {
  await open()
  await screen.findByRole('rowheader', { name: 'Brightness' })
  expect(seen.filter((words) => words !== '')).toEqual(['header', 'header strip', 'header strip tiles', WHOLE])
})

test('on the way back nothing of it is missing, and what was drawn in the meantime is gone', async () => {
  await open()
  await screen.findByRole('rowheader', { name: 'Brightness' })
  await userEvent.click(screen.getByRole('radio', { name: 'Messages' }))
  await screen.findByText('Started')
  expect(screen.queryByRole('rowheader', { name: 'Brightness' })).toBeNull()
  await userEvent.click(screen.getByRole('radio', { name: 'Dashboard' }))
  await screen.findByRole('rowheader', { name: 'Brightness' })
  expect(seen.at(-1)).toBe(WHOLE)
  await waitFor(() => expect(screen.queryAllByRole('status', { name: 'Loading' })).toEqual([]))
})
