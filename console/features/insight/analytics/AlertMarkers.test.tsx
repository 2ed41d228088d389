import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { analyticsColumns } from '#console/testing/analyticsColumns.ts'
import { axeFindings } from '#console/testing/axe.ts'
import { Refusal } from '#console/testing/contractServer.ts'
import { deviceOf } from '#console/testing/deviceOf.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { listAnalyticsAlerts } from '#contract/http/alerting/alerts.ts'
import { getDeviceById } from '#contract/http/devices/devices.ts'
import { getAnalyticsColumns, listMeasurements } from '#contract/http/insight/analytics.ts'
import { AnalyticsScreen } from './AnalyticsScreen.tsx'

const [TEMPERATURE, UPTIME] = [4101, 3101]
const { server, open: draw } = screenTest({
  screens: { '/analytics': AnalyticsScreen, '/alerts/alert-details': () => <p>alert details</p> },
})

beforeEach(() => {
  server.answer(getDeviceById, deviceOf())
  server.answer(listMeasurements, [])
  server.answer(
    getAnalyticsColumns,
    analyticsColumns([{ time: '2026-11-20T10:00:00.000Z', deviceId: 1, m_4101: 40, m_3101: 1 }]),
  )
  server.answer(listAnalyticsAlerts, ({ values }) =>
    values.measurementId === String(TEMPERATURE)
      ? [
          alert(7, '2026-11-20T10:20:00.000Z', 'Internal temperature > 60 °C'),
          alert(9, '2026-11-20T18:00:00.000Z', 'Internal temperature > 70 °C'),
        ]
      : [alert(8, '2026-11-20T12:00:00.000Z', 'Uptime < 60 s')],
  )
})

const alert = (id: number, created: string, conditionText: string) => ({
  ...{ id: id as never, created, conditionText, title: conditionText, deviceName: 'Praha 0001' },
})
const DATA = {
  dateFrom: '2026-11-20T00:00:00.000Z',
  dateTo: '2026-11-21T00:00:00.000Z',
  metric: [TEMPERATURE, UPTIME].map((metricId) => ({ deviceId: 1, metricId })),
  removeExisting: true,
}
const open = (query = '') => draw(`/analytics?data=${encodeURIComponent(JSON.stringify(DATA))}${query}`)
const listed = async () =>
  within(await screen.findByRole('table', { name: 'Alerts' }))
    .getAllByRole('link')
    .map(({ textContent }) => textContent)
const asked = () => server.requestsTo(listAnalyticsAlerts).map(({ values }) => values)

test('the alerts of every metric in the period are listed, newest first', async () => {
  const { container } = await open()
  await waitFor(async () =>
    expect(await listed()).toEqual(['Internal temperature > 70 °C', 'Uptime < 60 s', 'Internal temperature > 60 °C']),
  )
  const { dateFrom, dateTo } = DATA
  expect(asked()).toEqual([
    { deviceId: '1', measurementId: '4101', dateFrom, dateTo },
    { deviceId: '1', measurementId: '3101', dateFrom, dateTo },
  ])
  expect(await axeFindings(container)).toEqual([])
})

test('each leads to its details by address', async () => {
  const { address } = await open()
  const link = await screen.findByRole('link', { name: 'Uptime < 60 s' })
  link.focus()
  await userEvent.keyboard('{Enter}')
  await screen.findByText('alert details')
  expect(decodeURIComponent(address())).toBe('/alerts/alert-details?data={"id":8}')
})

test('zoomed to a part, the list holds the alerts of that part', async () => {
  await open(`&zoom=${encodeURIComponent('2026-11-20T11:00:00.000Z/2026-11-20T13:00:00.000Z')}`)
  await waitFor(async () => expect(await listed()).toEqual(['Uptime < 60 s']))
})

test('without "Show alerts" nothing is asked, and the address keeps the choice', async () => {
  const { address } = await open('&alerts=false')
  const choice = await screen.findByRole('checkbox', { name: 'Show alerts' })
  await screen.findByRole('table', { name: 'Metrics' })
  expect(choice).not.toBeChecked()
  expect(asked()).toEqual([])
  expect(screen.queryByRole('table', { name: 'Alerts' })).toBeNull()
  await userEvent.click(choice)
  await waitFor(async () => expect(await listed()).toHaveLength(3))
  expect(address()).not.toContain('alerts=false')
})

test('a period without alerts says so, and a failure is no such period', async () => {
  server.answer(listAnalyticsAlerts, [])
  const page = await open()
  await screen.findByText('No alert of these metrics opened in this period.')
  page.unmount()
  server.answer(listAnalyticsAlerts, new Refusal('not_found'))
  await open()
  await screen.findByText('Some alerts could not be loaded.')
  expect(screen.queryByText('No alert of these metrics opened in this period.')).toBeNull()
})
