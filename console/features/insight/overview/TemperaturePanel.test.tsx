import { screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useCall } from '#console/lib/call/useCall.ts'
import { DEVICE_GUID } from '#console/testing/deviceOf.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { getDashboardTable, type TemperatureRow } from '#contract/http/insight/overview.ts'
import type { DeviceGuid, DeviceId } from '#domain/ids.ts'
import { TemperaturePanel } from './TemperaturePanel.tsx'

function Panel() {
  return <TemperaturePanel temperatures={useCall(getDashboardTable, { table: 'AVG_TEMPERATURE' })} />
}

const { server, open } = screenTest({ screens: { '/overview': Panel }, at: '/overview' })

const hour = (id: number, device: string, display: number, temperature: number): TemperatureRow => ({
  device,
  device_id: id as DeviceId,
  device_guid: DEVICE_GUID as DeviceGuid,
  display_number: display,
  internal_temp: temperature,
  intake_temp: null,
  internal_limit: null,
  internal_severity_id: null,
  device_time: '2026-11-20T10:00:00Z',
})

test('each line is of the hottest display of its device, which is named unless it is the first', async () => {
  server.answer(getDashboardTable, [hour(1, 'Kiosk 4', 2, 52), hour(2, 'Totem', 1, 49.5)])
  await open()
  const chart = await screen.findByRole('img', { name: /Internal temperatures from/ })
  expect(chart).toHaveAccessibleName(/Kiosk 4, display 2: newest 52 °C\. Totem: newest 49\.5 °C\.$/)
})
