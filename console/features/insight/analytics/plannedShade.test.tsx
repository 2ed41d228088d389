import { screen, waitFor } from '@testing-library/react'
import { beforeEach, expect, test } from 'vitest'
import { analyticsColumns } from '#console/testing/analyticsColumns.ts'
import { Refusal } from '#console/testing/contractServer.ts'
import { deviceOf } from '#console/testing/deviceOf.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { listAnalyticsAlerts } from '#contract/http/alerting/alerts.ts'
import { getDeviceById } from '#contract/http/devices/devices.ts'
import { getAnalyticsColumns, listMeasurements } from '#contract/http/insight/analytics.ts'
import { getPlannedDarkness } from '#contract/http/insight/darkMinutes.ts'
import { AnalyticsScreen } from './AnalyticsScreen.tsx'
import { chooseShown, openShowMenu } from './testing/showMenu.ts'

const { server, open: draw } = screenTest({ screens: { '/analytics': AnalyticsScreen } })
beforeEach(() => {
  server.answer(getDeviceById, deviceOf())
  server.answer(listMeasurements, [])
  server.answer(listAnalyticsAlerts, [])
  server.answer(
    getAnalyticsColumns,
    analyticsColumns([{ time: '2026-11-20T10:00:00.000Z', deviceId: 1, m_4101: 40, m_3101: 1 }]),
  )
  server.answer(getPlannedDarkness, [
    { from: '2026-11-20T00:00:00.000Z', to: '2026-11-20T04:00:00.000Z' },
    { from: '2026-11-20T21:30:00.000Z', to: '2026-11-21T00:00:00.000Z' },
  ])
})

const open = (devices: readonly number[], query = '') => {
  const data = {
    dateFrom: '2026-11-20T00:00:00.000Z',
    dateTo: '2026-11-21T00:00:00.000Z',
    metric: devices.map((deviceId) => ({ deviceId, metricId: 4101 })),
    removeExisting: true,
  }
  const address = `/analytics?data=${encodeURIComponent(JSON.stringify(data))}${query}`
  return draw(address)
}
const legend = () => screen.findByRole('list', { name: 'Values at the cursor' })

test('planned darkness of the one device stands in the legend and in the words of the chart', async () => {
  await open([1])
  await waitFor(async () => expect((await legend()).textContent).toContain('Planned dark'))
  await screen.findByRole('img', { name: /Darkness was planned 2 times, 6 h 30 min in all\.$/ })
  expect(server.requestsTo(getPlannedDarkness).map(({ values }) => values)).toEqual([
    { deviceId: '1', dateFrom: '2026-11-20T00:00:00.000Z', dateTo: '2026-11-21T00:00:00.000Z' },
  ])
})

test('it can be left out, and the address keeps that', async () => {
  const { address } = await open([1])
  await waitFor(async () => expect((await legend()).textContent).toContain('Planned dark'))
  await chooseShown('Planned darkness')
  await waitFor(async () => expect((await legend()).textContent).not.toContain('Planned dark'))
  expect(address()).toContain('planned=false')
})

test('of several devices nothing is shaded, and nothing asked', async () => {
  await open([1, 2])
  await legend()
  await openShowMenu()
  expect(await screen.findByRole('menuitemcheckbox', { name: /^Planned darkness/ })).toBeDisabled()
  expect((await legend()).textContent).not.toContain('Planned dark')
  expect(server.requestsTo(getPlannedDarkness)).toEqual([])
})

test('where it cannot be read, the chart stands without it', async () => {
  server.answer(getPlannedDarkness, new Refusal('internal_error'))
  await open([1])
  await waitFor(() => expect(server.requestsTo(getPlannedDarkness).length).toBeGreaterThan(0))
  expect((await legend()).textContent).not.toContain('Planned dark')
})
