import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { DeviceScreen } from '#console/features/devices/page/DeviceScreen.tsx'
import { StatusTab } from '#console/features/devices/status/StatusTab.tsx'
import { deviceOf, DEVICE_GUID as GUID } from '#console/testing/deviceOf.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { backlight } from '#console/testing/tiles.ts'
import { getDevice } from '#contract/http/devices/devices.ts'
import { listRawData, rawRow } from '#contract/http/devices/records.ts'
import { getDeviceDashboard } from '#contract/http/devices/status.ts'

const { server, open } = screenTest({
  screens: { '/devices/$guid': { screen: DeviceScreen, tabs: { status: StatusTab } } },
})

test('gaps are filled by a switch that stands in the address, and what is carried is marked', async () => {
  // Long tables draw the rows that fit, and the simulated browser has no heights.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600)
  server.answer(getDevice, deviceOf())
  server.answer(getDeviceDashboard, [backlight()])
  const report = (minute: number, values: object) =>
    rawRow.parse({
      device_dt: `2026-11-20T09:0${minute}:00Z`,
      inserted: '2026-11-20T09:30:00Z',
      number: 1,
      ...values,
    })
  server.answer(listRawData, { rows: [report(2, {}), report(1, { cpu_temp: 47 })], total: 2, next: null })
  await open(
    `/devices/${GUID}/status?view=raw&dateFrom=2026-11-20T08:00:00.000Z&dateTo=2026-11-20T10:00:00.000Z&fill=true`,
  )
  expect(await screen.findAllByText('47')).toHaveLength(2)
  expect(screen.getAllByTitle('Carried from an older report')).toHaveLength(1)
  await userEvent.click(screen.getByRole('switch', { name: 'Fill forward' }))
  expect(screen.queryByTitle('Carried from an older report')).toBeNull()
})
