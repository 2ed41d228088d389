import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { OpenDevice } from '#console/deviceParts/openDevice.ts'
import { alertDetailsOf, alertOf } from '#console/testing/alertOf.ts'
import { analyticsColumns } from '#console/testing/analyticsColumns.ts'
import { axeFindings } from '#console/testing/axe.ts'
import { deviceOf } from '#console/testing/deviceOf.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { signInAs } from '#console/testing/signInAs.ts'
import {
  closeAlerts,
  getAlertDetails,
  getAlertHistory,
  listAlertResolutions,
  listAlerts,
} from '#contract/http/alerting/alerts.ts'
import { getDeviceTimeline } from '#contract/http/devices/records.ts'
import { getAnalyticsColumns, getPresentValues, getReadings } from '#contract/http/insight/analytics.ts'
import type { DeviceId, FieldId } from '#domain/ids.ts'
import { AlertsTab } from '../AlertsTab.tsx'
import { AlertDetailsScreen } from './AlertDetailsScreen.tsx'

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
  server.answer(getReadings, READINGS)
  server.answer(getDeviceTimeline, TIMELINE)
  server.answer(getPresentValues, {
    values: [
      {
        deviceId: 1 as DeviceId,
        fieldId: 4101 as FieldId,
        value: 63.25,
        at: '2026-11-20T10:20:00.000Z',
        means24h: [60, 61, 62],
      },
    ],
    unknown: [],
  })
  server.answer(listAlertResolutions, [{ id: 3, name: 'Resolved by itself' }])
})

const at = (minute: number) => new Date(Date.parse('2026-11-20T10:00:00Z') + minute * 60_000).toISOString()
const MET_ONCE = [
  { id: 1, kind: 'opened', at: at(0), username: '', text: '' },
  { id: 2, kind: 'closed', at: at(30), username: '', text: '' },
]
const metTimes = (count: number) =>
  Array.from({ length: count }, (_, index) => [
    {
      id: 2 * index + 1,
      kind: index === 0 ? ('opened' as const) : ('active' as const),
      at: at(10 * index),
      username: '',
      text: '',
    },
    { id: 2 * index + 2, kind: 'notActive' as const, at: at(10 * index + 5), username: '', text: '' },
  ]).flat()

const BEGIN_MS = Date.parse('2026-11-20T09:50:00Z')
const READINGS = { timesMs: [BEGIN_MS, BEGIN_MS + 600_000], values: [59, 61], isWhole: true }
const TIMELINE = {
  alerts: { since: at(-60), items: [] },
  power: { since: at(-60), items: [{ from: at(15), to: at(30) }] },
}
const PAGE = '/alerts/alert-details?data=%7B%22id%22%3A41%7D'

test('of a device that left the alert is told without its readings, which are with whoever has it', async () => {
  server.answer(getAlertDetails, alertDetailsOf({ deviceHasLeft: true, maintenanceIds: [7] }))
  await open(PAGE)
  await screen.findByText('Entry 7')
  expect(screen.getAllByTitle('This device belongs to another customer now.')).toHaveLength(1)
  expect(screen.queryByRole('link', { name: /Praha|Entry/ })).toBeNull()
  expect(screen.queryByRole('region', { name: /^Internal temperature.*,/ })).toBeNull()
  for (const call of [getAnalyticsColumns, getReadings, getPresentValues]) expect(server.requestsTo(call)).toEqual([])
})

test('the page leads to the entries of this alert in the audit log, but not whoever may not read it', async () => {
  const { unmount } = await open(PAGE)
  await userEvent.click(await screen.findByRole('button', { name: 'More actions for alert 41' }))
  expect((await screen.findByRole('menuitem', { name: 'Audit log' })).getAttribute('href')).toBe(
    '/audit-log?entityTypeId=6&entityId=41',
  )
  unmount()
  signInAs({ roleFunctions: [5] })
  await open(PAGE)
  await screen.findByRole('heading', { level: 1, name: 'Display too hot: 61.5 °C, limit 60 °C' })
  await userEvent.click(await screen.findByRole('button', { name: 'More actions for alert 41' }))
  await screen.findByRole('menuitem', { name: 'Copy link' })
  expect(screen.queryByRole('menuitem', { name: 'Audit log' })).toBeNull()
})

test('the record is read by its id, with the readings from an hour before until an hour after', async () => {
  server.answer(getAlertDetails, alertDetailsOf({ statusId: 2, closed: at(30), history: MET_ONCE }))
  await open('/alerts/alert-details?data=%7B%22id%22%3A41%2C%22device_name%22%3A%22forged%22%7D')
  await screen.findByRole('heading', { level: 1, name: 'Display too hot: 61.5 °C, limit 60 °C' })
  expect(server.requestsTo(getAlertDetails)[0]?.values).toEqual({ id: '41' })
  expect(screen.queryByText('forged')).toBeNull()
  await screen.findByRole('img', { name: /Internal temperature.*threshold 60 °C/ })
  expect(server.requestsTo(getReadings)[0]?.values).toMatchObject({
    deviceId: '1',
    measurementId: '4101',
    dateFrom: at(-60),
    dateTo: at(30 + 60),
  })
  screen.getByText('Readings')
  expect(server.requestsTo(getAnalyticsColumns)).toEqual([])
})

test('its head says whose it is, where, what is measured now, and whether it is over', async () => {
  const { container } = await open(PAGE)
  await screen.findByText('63.25 °C')
  const said = [...container.querySelectorAll('.alert-head dl > div')].map((item) => item.textContent)
  expect(said).toEqual([
    'DevicePraha 0001',
    'CustomerCity of Prague',
    'PlaceDlouhá 1',
    expect.stringMatching(/^Now63\.25 °C/),
    'SeverityWarning',
    expect.stringMatching(/^StateActiveopened /),
  ])
  expect(screen.getByText('Defined by').nextElementSibling?.textContent).toBe('this device')
  expect(server.requestsTo(getPresentValues)[0]?.values).toEqual({ devices: '1', fields: '4101' })
})

test('of an alert whose readings are kept no more the hours of that day are shown, and named so', async () => {
  server.answer(getReadings, { timesMs: [], values: [], isWhole: true })
  server.answer(getAlertDetails, alertDetailsOf({ closed: '2026-11-20T10:30:00.000Z', statusId: 2, history: MET_ONCE }))
  await open(PAGE)
  await screen.findByRole('img', { name: /Internal temperature.*threshold 60 °C/ })
  screen.getByText('Hourly means: single readings are no longer kept')
  expect(server.requestsTo(getAnalyticsColumns).at(-1)?.values).toMatchObject({
    dateFrom: '2026-11-19T22:00:00.000Z',
    dateTo: '2026-11-20T23:00:00.000Z',
    minutesRound: '60',
  })
})

test('many times of being met are folded, newest first, with a way to each in the chart', async () => {
  server.answer(
    getAlertDetails,
    alertDetailsOf({ conditionStateId: 2, activeCount: 121, history: metTimes(121).slice(42), olderHistory: 'older' }),
  )
  server.answer(getAlertHistory, { rows: metTimes(21).toReversed(), next: null })
  const { address } = await open(PAGE)
  const history = await screen.findByRole('region', { name: 'History' })
  const items = () => within(history).getAllByRole('listitem')
  expect(items()).toHaveLength(5)
  expect(items()[0]?.textContent).toMatch(/^Raised again.*for 5 min, until .*in the chart$/)
  // The latest is shown by itself.
  await waitFor(() =>
    expect(server.requestsTo(getReadings)[0]?.values).toMatchObject({ dateFrom: at(1200 - 60), dateTo: at(1205 + 60) }),
  )
  await userEvent.click(within(history).getByRole('button', { name: 'Show all 121 times it was raised' }))
  expect(items()).toHaveLength(100)
  await userEvent.click(within(history).getByRole('button', { name: 'Show older entries' }))
  await waitFor(() => expect(items()).toHaveLength(121))
  expect(server.requestsTo(getAlertHistory)[0]?.values).toMatchObject({ id: '41', next: 'older' })
  expect(items().at(-1)?.textContent).toMatch(/^Opened/)

  const [first] = within(history)
    .getAllByRole('link', { name: /^Show in chart/ })
    .slice(-1)
  await userEvent.click(first as HTMLElement)
  await waitFor(() =>
    expect(server.requestsTo(getReadings).at(-1)?.values).toMatchObject({ dateFrom: at(-60), dateTo: at(5 + 60) }),
  )
  expect(address()).toContain('at=')
  screen.getByText('1 of 121')
  await userEvent.click(screen.getByRole('link', { name: 'The next time' }))
  await screen.findByText('2 of 121')
})

test('the page is handed on: to Analytics, as a link, and by mail with what it says', async () => {
  await open(PAGE)
  await userEvent.click(await screen.findByRole('button', { name: 'More actions for alert 41' }))
  const analyse = await screen.findByRole('menuitem', { name: 'Analyse' })
  expect(analyse.getAttribute('href')).toMatch(/^\/analytics\?data=/)
  screen.getByRole('menuitem', { name: 'Copy link' })
  const mail = new URL(screen.getByRole('menuitem', { name: 'Mail this view' }).getAttribute('href') ?? '')
  expect(mail.protocol).toBe('mailto:')
  expect(mail.searchParams.get('subject')).toBe('Praha 0001: Display too hot: 61.5 °C, limit 60 °C')
  expect(mail.searchParams.get('body')).toContain('Value: 61.5 °C (limit > 60 °C)')
})

test('a condition that is met for longer than three days is shown by the hour, with lowest and highest', async () => {
  await open(PAGE)
  await screen.findByRole('img', { name: /Internal temperature.*threshold 60 °C/ })
  screen.getByText('Hourly means')
  expect(server.requestsTo(getReadings)).toEqual([])
  expect(server.requestsTo(getAnalyticsColumns)[0]?.values).toMatchObject({ dateFrom: at(-60), withRange: 'true' })
})

test('without route data the app goes back', async () => {
  const { address, follow } = await open('/alerts')
  follow('/alerts/alert-details')
  await waitFor(() => expect(address()).toBe('/alerts'))
  expect(server.requestsTo(getAlertDetails)).toEqual([])
})

test('what else happened to the device stands below the chart, of the same period', async () => {
  server.answer(getAlertDetails, alertDetailsOf({ statusId: 2, closed: at(30), history: MET_ONCE }))
  await open(PAGE)
  const below = within(await screen.findByRole('region', { name: 'Timeline of the device' }))
  expect(await below.findByRole('link', { name: /^On battery, .*, for 15 min$/ })).toHaveStyle({ left: '50%' })
  below.getByText('Nothing in: alerts')
  expect(server.requestsTo(getDeviceTimeline)[0]?.values).toEqual({ deviceId: '1', dateFrom: at(-60), dateTo: at(120) })
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
        { id: 1, kind: 'opened', at: '2026-11-20T10:00:00.000Z', username: '', text: '' },
        { id: 2, kind: 'acknowledged', at: '2026-11-20T10:05:00.000Z', username: 'eva@example.com', text: 'on my way' },
        { id: 3, kind: 'closed', at: '2026-11-20T10:30:00.000Z', username: 'jan@example.com', text: 'Fan replaced' },
      ],
      neighbours: [
        {
          ...{ id: 39, created: '2026-11-20T09:40:00.000Z', statusId: 1 },
          ...{ conditionText: 'UPS: UPS load (%) > 80', title: 'UPS load too high, limit 80 %' },
        },
      ],
    }),
  )
  const { container } = await open(PAGE)
  const history = await screen.findByRole('region', { name: 'History' })
  expect(
    within(history)
      .getAllByRole('listitem')
      .map((item) => item.textContent?.replace(/\d\d\.\d\d\.\d\d [\d:]{8}/, '')),
  ).toEqual([
    'Closedby jan@example.comFan replaced',
    'Acknowledgedby eva@example.comon my way',
    expect.stringMatching(/^Openedfor 30 min, until/),
  ])
  for (const text of ['Eva Novak', 'Resolved on site', '30 min']) screen.getByText(text)
  screen.getByText('20 min before')
  expect(screen.getByRole('link', { name: 'UPS load too high, limit 80 %' })).toHaveAttribute(
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
  await screen.findByRole('row', { name: /Display too hot/ })
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

test('what is not reported has no line in the chart, its own words as limit, and names whose condition it is', async () => {
  const words = 'Display: Internal temperature (°C) not reported for 30 minutes'
  const conditionOrigin = { of: 'tag', customerName: 'City of Prague', tag: 'sunny' }
  const absent = { kind: 'absent', operatorCode: 'GTE', value_dec: 30, metric_value_dec: null, condition_text: words }
  server.answer(getAlertDetails, alertDetailsOf({ ...absent, conditionOrigin }))
  await open(PAGE)
  const limit = await screen.findByText('Threshold')
  expect(limit.nextElementSibling?.textContent).toBe('not reported for 30 minutes')
  expect(screen.getByText('Defined by').nextElementSibling?.textContent).toBe('#sunny of City of Prague')
  const chart = await screen.findByRole('img', { name: /^Internal temperature/ })
  expect(chart.getAttribute('aria-label')).not.toMatch(/threshold/)
})
