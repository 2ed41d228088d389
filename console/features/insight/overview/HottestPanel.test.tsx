import { screen, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { useCall } from '#console/lib/call/useCall.ts'
import { DEVICE_GUID } from '#console/testing/deviceOf.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { getDashboardTable, type TemperatureRow } from '#contract/http/insight/overview.ts'
import type { DeviceGuid, DeviceId } from '#domain/ids.ts'
import { HottestPanel } from './HottestPanel.tsx'

function Panel() {
  return <HottestPanel hottest={useCall(getDashboardTable, { table: 'INTERNAL_TEMPERATURE' })} />
}

const { server, open } = screenTest({ screens: { '/overview': Panel }, at: '/overview' })

const hot = (device: string, limit: number | null, display = 1, severityId: number | null = null): TemperatureRow => ({
  device,
  device_id: device.length as DeviceId,
  device_guid: DEVICE_GUID as DeviceGuid,
  display_number: display,
  internal_temp: 58,
  intake_temp: 38.5,
  internal_limit: limit,
  internal_severity_id: severityId,
  device_time: '2026-11-20T10:00:00Z',
})

test('a temperature and its bar are loud only above a limit that somebody has set, as its severity is', async () => {
  server.answer(getDashboardTable, [
    hot('Above', 55, 1, 1),
    hot('Warned', 50, 1, 2),
    hot('At it', 58),
    hot('None', null),
  ])
  await open()
  const table = await screen.findByRole('table', { name: 'Ten hottest devices' })
  const [, ...rows] = within(table).getAllByRole('row')
  const tones = rows.map((row) =>
    [...row.querySelectorAll<HTMLElement>('[data-severity]')].map((one) => one.dataset.severity),
  )
  expect(tones).toEqual([['crit', 'crit'], ['warn', 'warn'], [], []])
  expect(rows.map((row) => row.querySelector('.difference-value')?.textContent)).toEqual(Array(4).fill('19.5 °C'))
})

test('a device stands there by its hottest display, which is named unless it is the first', async () => {
  server.answer(getDashboardTable, [hot('Totem', null), hot('Kiosk 4', null, 2)])
  await open()
  const names = within(await screen.findByRole('table')).getAllByRole('link')
  expect(names.map(({ textContent }) => textContent)).toEqual(['Totem', 'Kiosk 4, display 2'])
})
