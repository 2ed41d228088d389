import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { OpenDevice } from '#console/device/openDevice.ts'
import { alertDetailsOf, alertOf } from '#console/testing/alertOf.ts'
import { analyticsColumns } from '#console/testing/analyticsColumns.ts'
import { axeFindings } from '#console/testing/axe.ts'
import { deviceOf } from '#console/testing/deviceOf.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { signInAs } from '#console/testing/signInAs.ts'
import { closeAlerts, getAlertDetails, listAlertResolutions, listAlerts } from '#contract/http/alert.ts'
import { getAnalyticsColumns } from '#contract/http/analytics.ts'
import { AlertDetailsScreen } from './AlertDetailsScreen.tsx'
import { AlertsTab } from './AlertsTab.tsx'

const DeviceAlerts = () => (
  <OpenDevice.Provider value={deviceOf()}>
    <AlertsTab />
  </OpenDevice.Provider>
)
const { server, open } = screenTest({
  screens: { '/alerts': () => <p>the list</p>, '/alerts/alert-details': AlertDetailsScreen, '/device': DeviceAlerts },
})

beforeEach(() => {
  server.answer(getAlertDetails, alertDetailsOf())
  server.answer(
    getAnalyticsColumns,
    analyticsColumns([{ time: '2026-11-20T10:00:00Z', deviceId: 1, m_4101: 61, m_4101_min: 59, m_4101_max: 62 }], 5),
  )
  server.answer(listAlertResolutions, [{ id: 3, name: 'Resolved by itself' }])
})

const PAGE = '/alerts/alert-details?data=%7B%22id%22%3A41%7D'

test('of a device that left the alert is told without its readings, which are with whoever has it', async () => {
  server.answer(getAlertDetails, alertDetailsOf({ deviceHasLeft: true, maintenanceIds: [7] }))
  await open(PAGE)
  await screen.findByText('Entry 7')
  screen.getByTitle('This device belongs to another customer now.')
  expect(screen.queryByRole('link', { name: /Praha|Entry/ })).toBeNull()
  expect(screen.queryByText('Around the moment')).toBeNull()
  expect(server.requestsTo(getAnalyticsColumns)).toEqual([])
})

test('the record is read by its id, with the readings from an hour before to an hour after', async () => {
  await open('/alerts/alert-details?data=%7B%22id%22%3A41%2C%22device_name%22%3A%22forged%22%7D')
  await screen.findByRole('heading', { level: 1, name: 'Display: Internal temperature (°C) > 60' })
  expect(server.requestsTo(getAlertDetails)[0]?.values).toEqual({ id: '41' })
  expect(screen.queryByText('forged')).toBeNull()
  await waitFor(() =>
    expect(server.requestsTo(getAnalyticsColumns)[0]?.values).toMatchObject({
      devices: '1',
      measurements: '4101',
      dateFrom: '2026-11-20T09:00:00.000Z',
      dateTo: '2026-11-20T11:00:00.000Z',
      minutesRound: '5',
    }),
  )
  await screen.findByRole('img', { name: /Internal temperature.*threshold 60 °C/ })
})

test('of an alert whose readings are kept no more the hours of that day are shown', async () => {
  server.answer(getAnalyticsColumns, ({ values }) =>
    values.minutesRound === '5'
      ? analyticsColumns([], 5)
      : analyticsColumns([{ time: '2026-11-20T10:00:00Z', deviceId: 1, m_4101: 61, m_4101_min: 59, m_4101_max: 62 }]),
  )
  await open(PAGE)
  await screen.findByRole('img', { name: /Internal temperature.*threshold 60 °C/ })
  expect(server.requestsTo(getAnalyticsColumns).at(-1)?.values).toMatchObject({
    dateFrom: '2026-11-19T22:00:00.000Z',
    dateTo: '2026-11-20T22:00:00.000Z',
    minutesRound: '60',
  })
})

test('without route data the app goes back', async () => {
  const { address, follow } = await open('/alerts')
  follow('/alerts/alert-details')
  await waitFor(() => expect(address()).toBe('/alerts'))
  expect(server.requestsTo(getAlertDetails)).toEqual([])
})

test('who came straight to an address without data lands on the list', async () => {
  const { address } = await open('/alerts/alert-details?data=%7B%7D')
  await waitFor(() => expect(address()).toBe('/alerts'))
})

test('what was done is told, and a closed alert offers nothing more', async () => {
  server.answer(
    getAlertDetails,
    alertDetailsOf({
      statusId: 2,
      status_name: 'Closed',
      closed: '2026-11-20T10:30:00.000Z',
      closedBy: 'jan@example.com',
      close_resolution_name: 'Resolved on site',
      close_comment: 'Fan replaced',
      acknowledged: {
        at: '2026-11-20T10:05:00.000Z',
        username: 'eva@example.com',
        ownerId: 1,
        ownerName: 'Eva Novak',
        note: 'on my way',
      },
      maintenanceIds: [7, 12],
      history: [
        { kind: 'opened', at: '2026-11-20T10:00:00.000Z', username: '', text: '' },
        { kind: 'acknowledged', at: '2026-11-20T10:05:00.000Z', username: 'eva@example.com', text: 'on my way' },
        { kind: 'closed', at: '2026-11-20T10:30:00.000Z', username: 'jan@example.com', text: 'Fan replaced' },
      ],
      neighbours: [
        { id: 39, created: '2026-11-20T09:40:00.000Z', conditionText: 'Ups: UPS load (%) > 80', statusId: 1 },
      ],
    }),
  )
  const { container } = await open(PAGE)
  const history = await screen.findByRole('region', { name: 'History' })
  expect(
    within(history)
      .getAllByRole('listitem')
      .map((item) => item.textContent?.replace(/\d\d\.\d\d\.\d\d [\d:]{8}/, '')),
  ).toEqual(['Opened', 'Acknowledgedby eva@example.comon my way', 'Closedby jan@example.comFan replaced'])
  for (const text of ['Eva Novak', 'Resolved on site', '30 min']) screen.getByText(text)
  screen.getByText('20 min before')
  expect(screen.getByRole('link', { name: 'Ups: UPS load (%) > 80' })).toHaveAttribute(
    'href',
    '/alerts/alert-details?data=%7B%22id%22%3A39%7D',
  )
  expect(screen.queryByRole('button', { name: 'Close alert' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Acknowledge' })).toBeNull()
  expect(await axeFindings(container)).toEqual([])
  const entry = screen.getByRole('link', { name: 'Entry 12' })
  expect(entry.getAttribute('href')).toMatch(/\/maintenance\?entry=12$/)
})

test('a closed alert says so as soon as it is', async () => {
  server.answer(closeAlerts, { closedCount: 1 })
  await open(PAGE)
  await userEvent.click(await screen.findByRole('button', { name: 'Close alert' }))
  const dialog = await screen.findByRole('dialog', { name: 'Close alert' })
  await userEvent.click(within(dialog).getByRole('combobox', { name: /Resolution/ }))
  await userEvent.click(await screen.findByRole('option', { name: 'Resolved by itself' }))
  server.answer(getAlertDetails, alertDetailsOf({ statusId: 2, closed: '2026-11-20T10:30:00.000Z' }))
  await userEvent.click(within(dialog).getByRole('button', { name: 'Close alert' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Close alert' })).toBeNull())
  expect(server.requestsTo(closeAlerts)[0]?.values).toEqual({ idList: [41], resolutionId: 3, comment: '' })
})

test('an analyst may look, and finds no way to close', async () => {
  signInAs({ isAdmin: false, roleFunctions: [5] })
  await open(PAGE)
  await screen.findByRole('region', { name: 'History' })
  expect(screen.queryByRole('button', { name: 'Close alert' })).toBeNull()
})

test('the tab of a device asks for its alerts alone and filters them without customer and device', async () => {
  server.answer(listAlerts, { rows: [alertOf()], total: 1, deviceCount: 1, next: null })
  const { address } = await open('/device?deviceId=9&customerId=4')
  await screen.findByRole('row', { name: /Internal temperature/ })
  expect(server.requestsTo(listAlerts)[0]?.values).toEqual({
    deviceId: '1',
    statusId: '1',
    pageSize: '100',
    rowNum: '1',
  })
  expect(screen.queryByRole('combobox', { name: 'Device' })).toBeNull()
  expect(screen.queryByRole('columnheader', { name: 'Device' })).toBeNull()
  await userEvent.type(screen.getByRole('textbox', { name: 'Alert text' }), 'temp{Enter}')
  await waitFor(() => expect(address()).toBe('/device?alertText=temp'))
})
