import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { alertDetailsOf, alertOf } from '#console/testing/alertOf.ts'
import { axeFindings } from '#console/testing/axe.ts'
import { Refusal } from '#console/testing/contractServer.ts'
import { DEVICE_GUID, deviceOf } from '#console/testing/deviceOf.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { signInAs } from '#console/testing/signInAs.ts'
import {
  type Alert,
  acknowledgeAlert,
  closeAlerts,
  getAlertDetails,
  listAlertResolutions,
  listAlerts,
} from '#contract/http/alerting/alerts.ts'
import { getDeviceById, listDevices } from '#contract/http/devices/devices.ts'
import { getPresentValues } from '#contract/http/insight/analytics.ts'
import { listCustomers } from '#contract/http/operation/lookups.ts'
import { listUsers } from '#contract/http/people/users.ts'
import type { FieldId } from '#domain/ids.ts'
import { FUNCTION } from '#domain/permissions/functions.ts'
import { AlertsScreen } from './AlertsScreen.tsx'

const { server, open } = screenTest({ screens: { '/alerts': AlertsScreen }, at: '/alerts' })
const hot = alertOf()
const dark = alertOf({
  id: 40,
  deviceId: 2,
  deviceName: 'Brno 0002',
  conditionText: 'Display: Source = "ARGB"',
  created: '2026-11-20T09:00:00.000Z',
  conditionStateId: 2,
  measurementId: null,
  measurementName: null,
  eventTypeIdAnalytics: null,
})
const page = (rows: Alert[], more: object = {}) => ({ rows, total: rows.length, deviceCount: 2, next: null, ...more })

beforeEach(() => {
  server.answer(listCustomers, [{ id: 3, name: 'City Media' }])
  server.answer(listDevices, { rows: [deviceOf(), deviceOf({ id: 2 }), deviceOf({ id: 7 })], total: 3, next: null })
  server.answer(getDeviceById, deviceOf())
  server.answer(listAlerts, page([hot, dark]))
  server.answer(getAlertDetails, alertDetailsOf())
  server.answer(listAlertResolutions, [{ id: 3, name: 'Resolved by itself' }])
})

const lastQuery = () => server.requestsTo(listAlerts).at(-1)?.values
const row = (text: RegExp) => screen.findByRole('row', { name: text })
const HOT = /Display too hot/
const DARK = /Source is ARGB/

test('the address is asked of the server, with Opened as the usual status', async () => {
  await open('/alerts?deviceId=1&conditionStateId=2&alertText=temp&id=41&page=2')
  await row(HOT)
  expect(lastQuery()).toEqual({
    deviceId: '1',
    conditionStateId: '2',
    alertText: 'temp',
    id: '41',
    statusId: '1',
    pageSize: '100',
    rowNum: '101',
  })
})

test('an alert of silence has nothing to measure, and what others measure now is shown beside it', async () => {
  server.answer(
    listAlerts,
    page([hot, alertOf({ id: 43, fieldId: 1 as FieldId, conditionText: 'Not reporting for 30 minutes' })]),
  )
  server.answer(getPresentValues, {
    values: [
      { deviceId: hot.deviceId, fieldId: hot.fieldId, value: 63.25, at: '2026-11-20T10:20:00.000Z', means24h: null },
    ],
    unknown: [],
  })
  await open('/alerts')
  await row(/Not reporting for 30 minutes/)
  await screen.findByText('63.25 °C')
  expect(server.requestsTo(getPresentValues).map(({ values }) => values)).toEqual([
    { devices: String(hot.deviceId), fields: String(hot.fieldId) },
  ])
})

test('severity is a word with a shape, in one colour, and the list is narrowed to one', async () => {
  server.answer(
    listAlerts,
    page([alertOf({ severityId: 1 }), { ...dark, severityId: 1 }, alertOf({ id: 42, severityId: 3 })]),
  )
  const { address } = await open('/alerts')
  await row(DARK)
  const badges = screen.getAllByText('Critical', { selector: '.badge' }).map(({ className }) => className)
  expect(badges).toEqual(['badge badge-crit', 'badge badge-crit'])
  expect(screen.getByText('Information', { selector: '.badge' })).toHaveClass('badge-brand')
  await userEvent.click(screen.getByRole('button', { name: /filters$/i }))
  await userEvent.click(screen.getByRole('combobox', { name: 'Severity' }))
  await userEvent.click(await screen.findByRole('option', { name: 'Critical' }))
  await waitFor(() => expect(lastQuery()).toMatchObject({ severityId: '1', statusId: '1' }))
  expect(address()).toBe('/alerts?severityId=1')
})

test('last24h asks for every status, says how many alerts on how many devices, and can be taken away', async () => {
  const { address } = await open('/alerts?filter=last24h')
  await screen.findByText('2 alerts on 2 devices')
  expect(lastQuery()).toEqual({ filter: 'last24h', pageSize: '100', rowNum: '1' })
  await userEvent.click(screen.getByRole('button', { name: 'Remove filter: Last 24 hours' }))
  await waitFor(() => expect(lastQuery()).toMatchObject({ statusId: '1' }))
  expect(address()).toBe('/alerts')
})

test('a chosen status stands in the address and goes to the first page', async () => {
  const { address } = await open('/alerts?page=2')
  await row(HOT)
  await userEvent.click(screen.getByRole('combobox', { name: 'Alert status' }))
  await userEvent.click(await screen.findByRole('option', { name: 'Closed' }))
  await waitFor(() => expect(lastQuery()).toMatchObject({ statusId: '2', rowNum: '1' }))
  expect(address()).toBe('/alerts?statusId=2')
})

test('a customer user has no customer filter, whatever the link says', async () => {
  signInAs({ customerId: 3 })
  await open('/alerts?customerId=4')
  await row(HOT)
  expect(screen.queryByRole('combobox', { name: 'Customer' })).toBeNull()
  expect(lastQuery()).not.toHaveProperty('customerId')
})

test('selected alerts are closed together with a resolution, which is required', async () => {
  server.answer(closeAlerts, { closedCount: 2 })
  await open()
  await row(HOT)
  expect(screen.queryByRole('button', { name: /^Close selected/ })).toBeNull()
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select all alerts of this page' }))
  await userEvent.click(screen.getByRole('button', { name: 'Close selected (2)' }))
  const dialog = await screen.findByRole('dialog', { name: 'Close alerts (2)' })
  await userEvent.click(within(dialog).getByRole('button', { name: 'Close 2 alerts' }))
  await within(dialog).findByText('Resolution is required')
  expect(server.requestsTo(closeAlerts)).toEqual([])

  server.answer(listAlerts, page([]))
  await userEvent.click(within(dialog).getByRole('combobox', { name: /Resolution/ }))
  await userEvent.click(await screen.findByRole('option', { name: 'Resolved by itself' }))
  await userEvent.type(within(dialog).getByRole('textbox', { name: 'Comment' }), ' cooled down ')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Close 2 alerts' }))
  await screen.findByText('2 alerts are closed.')
  expect(server.requestsTo(closeAlerts).map(({ values }) => values)).toEqual([
    { idList: [41, 40], resolutionId: 3, comment: 'cooled down' },
  ])
  await screen.findByText('There are no opened alerts')
  expect(screen.queryByRole('button', { name: /^Close selected/ })).toBeNull()
})

test('when somebody was faster, it is said and the list is read again', async () => {
  server.answer(closeAlerts, new Refusal('alert_already_closed'))
  await open()
  await row(HOT)
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select alert 41' }))
  await userEvent.click(screen.getByRole('button', { name: 'Close selected (1)' }))
  const dialog = await screen.findByRole('dialog', { name: 'Close alert' })
  await userEvent.click(within(dialog).getByRole('combobox', { name: /Resolution/ }))
  await userEvent.click(await screen.findByRole('option', { name: 'Resolved by itself' }))
  const before = server.requestsTo(listAlerts).length
  await userEvent.click(within(dialog).getByRole('button', { name: 'Close alert' }))
  await screen.findByText('The alert has already been closed.')
  await waitFor(() => expect(server.requestsTo(listAlerts).length).toBeGreaterThan(before))
})

test('everything that the filter shows can be selected, page after page', async () => {
  server.answer(listAlerts, ({ values }) => (values.next === 'k' ? page([dark]) : page([hot], { total: 2, next: 'k' })))
  await open()
  await row(HOT)
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select alert 41' }))
  await userEvent.click(screen.getByRole('button', { name: 'Select all 2' }))
  await screen.findByRole('button', { name: 'Close selected (2)' })
})

test('live: a new alert gets a row, a changed one changes, a closed one leaves', async () => {
  await open()
  await row(HOT)
  await waitFor(() => expect(server.watched()).toMatchObject({ deviceIds: [1, 2, 7] }))
  const fresh = alertOf({ id: 50, deviceId: 7, deviceName: 'Olomouc 0007', created: '2026-11-20T11:00:00.000Z' })
  // Reading the list again afterwards gives the same rows.
  server.answer(listAlerts, page([fresh, { ...hot, conditionStateId: 2 }]))
  server.emit('alerts', { deviceId: 7, alerts: [fresh] })
  await screen.findByText('Olomouc 0007')
  server.emit('alerts', { deviceId: 1, alerts: [{ ...hot, conditionStateId: 2 }] })
  await waitFor(async () => within(await row(/Praha 0001/)).getByText('Not Active'))
  server.emit('alerts', { deviceId: 2, alerts: [{ ...dark, statusId: 2 }] })
  await waitFor(() => expect(screen.queryByText('Brno 0002')).toBeNull())
})

test('live: the counts follow the rows at once, also of a list that was empty', async () => {
  server.answer(listAlerts, page([], { deviceCount: 0 }))
  await open()
  await screen.findByText('There are no opened alerts')
  await waitFor(() => expect(server.watched()).toMatchObject({ deviceIds: [1, 2, 7] }))
  server.emit('alerts', { deviceId: 1, alerts: [hot] })
  await row(HOT)
  expect(screen.getByText('1–1 of 1')).toBeVisible()
  expect(screen.getByText('1 alert on 1 device')).toBeVisible()
})

test('a list without rows says so once, and offers no other page', async () => {
  server.answer(listAlerts, page([]))
  await open()
  await screen.findByText('There are no opened alerts')
  expect(screen.queryByText(/No rows/)).toBeNull()
  expect(screen.queryByRole('navigation', { name: 'Pages' })).toBeNull()
})

test('a page without rows says so once, and leads back', async () => {
  server.answer(listAlerts, page([], { total: 240 }))
  await open('/alerts?page=4')
  await screen.findByText('There are no alerts on this page')
  expect(screen.queryByText(/No rows/)).toBeNull()
  expect(screen.getByRole('button', { name: 'Previous page' })).toBeEnabled()
})

test('the menu of a row leads to Analytics, with at most five of the selected', async () => {
  const many = Array.from({ length: 7 }, (_, index) => alertOf({ id: index + 1, deviceId: index + 1 }))
  server.answer(listAlerts, page(many))
  await open()
  await screen.findByRole('checkbox', { name: 'Select alert 7' })
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select all alerts of this page' }))
  fireEvent.contextMenu(screen.getAllByRole('row', { name: HOT })[2] as HTMLElement)
  const entry = await screen.findByRole('menuitem', { name: 'Analyse the first 5' })
  const address = new URL(entry.getAttribute('href') ?? '', 'http://console')
  expect(
    JSON.parse(address.searchParams.get('data') ?? '').metric.map((one: { deviceId: number }) => one.deviceId),
  ).toEqual([1, 2, 3, 4, 5])
  screen.getByRole('menuitem', { name: 'Close 7 alerts' })
})

test('who may not analyse finds no way to, and what is no measurement has none', async () => {
  await open()
  await row(DARK)
  await userEvent.click(screen.getByRole('button', { name: 'More actions for alert 40' }))
  await screen.findByRole('menuitem', { name: 'Alert details' })
  expect(screen.queryByRole('menuitem', { name: /Analyse/ })).toBeNull()
  await userEvent.keyboard('{Escape}')
  signInAs({ isAdmin: false, roleFunctions: [2] })
  await userEvent.click(screen.getByRole('button', { name: 'More actions for alert 41' }))
  await screen.findByRole('menuitem', { name: 'Alert details' })
  expect(screen.queryByRole('menuitem', { name: /Analyse/ })).toBeNull()
})

test('a device that left is named as it was, and leads nowhere', async () => {
  server.answer(listAlerts, page([alertOf({ statusId: 2, deviceHasLeft: true }), dark]))
  await open()
  const left = await row(HOT)
  within(left).getByTitle('This device belongs to another customer now.')
  expect(left.textContent).toContain('Praha 0001 (left)')
  expect(within(left).queryByRole('link', { name: /Praha/ })).toBeNull()
  within(await row(DARK)).getByRole('link', { name: 'Brno 0002' })
  await userEvent.click(screen.getByRole('button', { name: 'More actions for alert 41' }))
  await screen.findByRole('menuitem', { name: 'Alert details' })
  expect(screen.queryByRole('menuitem', { name: /Analyse|Device status/ })).toBeNull()
})

test('by keyboard alone: a row opens its details, which can be acknowledged with a note', async () => {
  server.answer(acknowledgeAlert, alertDetailsOf())
  await open()
  ;(await row(HOT)).focus()
  await userEvent.keyboard('{Enter}')
  const dialog = await screen.findByRole('dialog', { name: 'Alert 41' })
  await within(dialog).findByText('61.5 °C')
  for (const text of ['Display', 'Internal temperature (°C)', 'Send notification', 'Opened']) {
    within(dialog).getAllByText(text)
  }
  await userEvent.click(within(dialog).getByRole('button', { name: 'Acknowledge' }))
  const form = await screen.findByRole('dialog', { name: 'Acknowledge alert' })
  expect(within(form).getByRole('combobox', { name: 'Owner' })).toHaveValue('eva@example.com (you)')
  await userEvent.type(within(form).getByRole('textbox', { name: 'Note' }), 'on my way')
  await userEvent.click(within(form).getByRole('button', { name: 'Acknowledge' }))
  await screen.findByText('The alert is acknowledged.')
  expect(server.requestsTo(acknowledgeAlert).map(({ values }) => values)).toEqual([
    { id: 41, ownerId: 1, note: 'on my way' },
  ])
  await screen.findByRole('dialog', { name: 'Alert 41' })
})

test('somebody else who may look after the device can be made the owner', async () => {
  server.answer(acknowledgeAlert, alertDetailsOf())
  server.answer(listUsers, { rows: [{ id: 7, username: 'jan@example.com' } as never], total: 1, next: null })
  await open()
  ;(await row(HOT)).focus()
  await userEvent.keyboard('{Enter}')
  const dialog = within(await screen.findByRole('dialog', { name: 'Alert 41' }))
  await userEvent.click(await dialog.findByRole('button', { name: 'Acknowledge' }))
  const form = within(await screen.findByRole('dialog', { name: 'Acknowledge alert' }))
  await userEvent.click(await form.findByRole('combobox', { name: 'Owner' }))
  await userEvent.click(await screen.findByRole('option', { name: 'jan@example.com' }))
  await userEvent.click(await form.findByRole('button', { name: 'Acknowledge' }))
  await screen.findByText('The alert is acknowledged.')
  expect(server.requestsTo(listUsers)[0]?.values).toMatchObject({ deviceId: '1', pageSize: '20' })
  expect(server.requestsTo(acknowledgeAlert)[0]?.values).toEqual({ id: 41, ownerId: 7, note: '' })
}, 60_000)

test('the export has every page of the filter, and an empty one says so', async () => {
  const saved: Blob[] = []
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    saved.push(blob as Blob)
    return 'blob:x'
  })
  // The simulated browser would leave the page for the file.
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {})
  server.answer(listAlerts, ({ values }) => (values.next === 'k' ? page([dark]) : page([hot], { next: 'k' })))
  await open('/alerts?statusId=any')
  await row(HOT)
  await userEvent.click(screen.getByRole('button', { name: 'More actions for this list' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Export (csv)' }))
  await waitFor(() => expect(saved).toHaveLength(1))
  const lines = (await saved[0]?.text())?.trim().split('\r\n') ?? []
  expect(lines).toHaveLength(3)
  expect(lines[0]).toContain('"Id";"Alert";"Device";"Address"')
  expect(lines[1]).toContain('"41";"Display: Internal temperature (°C) > 60";"Praha 0001"')

  server.answer(listAlerts, page([]))
  await userEvent.click(screen.getByRole('button', { name: 'More actions for this list' }))
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Export (csv)' }))
  await screen.findByText('No data available to export.')
})

test('the next page is one hundred rows on', async () => {
  server.answer(listAlerts, page([hot, dark], { total: 430, next: 'k' }))
  const { address } = await open('/alerts?page=2')
  await screen.findByText('101–102 of 430')
  await userEvent.click(screen.getByRole('button', { name: 'Next page' }))
  await waitFor(() => expect(address()).toBe('/alerts?page=3'))
  await userEvent.click(screen.getByRole('button', { name: 'Previous page' }))
  await waitFor(() => expect(address()).toBe('/alerts?page=2'))
})

test('the device of an alert is a link, and the list is accessible', async () => {
  const { container } = await open('/alerts?filter=opened')
  await row(HOT)
  expect(screen.getByRole('link', { name: 'Praha 0001' })).toHaveAttribute('href', `/devices/${DEVICE_GUID}/status`)
  expect(await axeFindings(container)).toEqual([])
}, 60_000)

test('whoever only sees devices selects no alert and closes none', async () => {
  signInAs({ roleFunctions: [FUNCTION.seeDevices], isAdmin: false, isDeviceManager: false, isAnalyticsUser: false })
  await open()
  await row(HOT)
  expect(screen.queryByRole('checkbox', { name: /Select/ })).toBeNull()
  expect(screen.queryByRole('button', { name: /Close/ })).toBeNull()
})
