import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { axeFindings } from '#console/testing/axe.ts'
import { Refusal } from '#console/testing/contractServer.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import {
  changeMaintenanceWindow,
  createMaintenanceWindow,
  endMaintenanceWindow,
  listMaintenanceWindows,
  maintenanceWindow,
  previewMaintenanceWindow,
} from '#contract/http/alerting/maintenanceWindows.ts'
import { listDevices } from '#contract/http/devices/devices.ts'
import { listCustomers } from '#contract/http/operation/lookups.ts'
import type { DeviceId } from '#domain/ids.ts'
import { WindowsScreen } from './WindowsScreen.tsx'

const { server, open } = screenTest({ screens: { '/maintenance-windows': WindowsScreen }, at: '/maintenance-windows' })
const GUID = '00000000-0000-4000-8000-000000000001'
const SPAN = { from: '2026-11-23T12:00:00.000Z', to: '2026-11-23T14:00:00.000Z' }

const windowOf = (changes: object = {}) =>
  maintenanceWindow.parse({
    id: 1,
    target: {
      kind: 'device',
      deviceId: 1,
      deviceGuid: GUID,
      deviceName: 'Praha 0001',
      deviceIds: [],
      tag: '',
      customerId: 3,
      customerName: 'City',
    },
    reason: 'New lamps',
    schedule: { kind: 'once', ...SPAN, timeZone: 'UTC' },
    tellsCustomer: false,
    createdBy: 'staff@a.example',
    created: SPAN.from,
    ended: null,
    state: 'now',
    current: SPAN,
    next: null,
    deviceCount: 1,
    hasBegun: true,
    mayChange: true,
    ...changes,
  })
const WEEKLY = windowOf({
  id: 2,
  target: {
    kind: 'tag',
    deviceId: null,
    deviceGuid: null,
    deviceName: '',
    deviceIds: [],
    tag: 'Line 9',
    customerId: null,
    customerName: '',
  },
  schedule: {
    kind: 'weekly',
    weekdays: [0, 2],
    from: '22:00',
    to: '02:00',
    timeZone: 'Europe/Prague',
    firstDay: '2026-11-01',
    lastDay: null,
  },
  state: 'coming',
  current: null,
  next: SPAN,
  mayChange: false,
})

beforeEach(() => {
  server.answer(listMaintenanceWindows, { rows: [windowOf(), WEEKLY], next: null })
  server.answer(listCustomers, [{ id: 3, name: 'City Media' }])
  server.answer(listDevices, { rows: [], total: 0, next: null })
  server.answer(previewMaintenanceWindow, {
    deviceCount: 14,
    devices: [{ id: 1 as DeviceId, name: 'Praha 0001' }],
    times: [SPAN],
    timeZone: 'UTC',
    toldPeople: 2,
  })
  server.answer(createMaintenanceWindow, { id: 9, deviceCount: 14 })
  server.answer(changeMaintenanceWindow, {})
  server.answer(endMaintenanceWindow, {})
})

test('what lasts and what comes is listed with its reason and times, and what one may not change has no buttons', async () => {
  const { container } = await open()
  await screen.findByRole('row', { name: /Now Praha 0001 New lamps/ })
  const weekly = within(
    await screen.findByRole('row', { name: /Coming Tag Line 9 .*Mon, Wed 22:00–02:00 \(next day\), Europe\/Prague/ }),
  )
  expect(weekly.queryByRole('button')).toBeNull()
  expect(await axeFindings(container)).toEqual([])
}, 60_000)

test('a weekly window is planned for all devices, with what it would hold shown before', async () => {
  await open()
  await userEvent.click(await screen.findByRole('button', { name: 'Plan maintenance' }))
  const form = within(await screen.findByRole('dialog', { name: 'Plan maintenance' }))
  expect(await form.findByRole('button', { name: 'Start maintenance' })).toBeDisabled()
  await userEvent.click(await form.findByRole('radio', { name: 'All devices' }))
  await userEvent.click(await form.findByRole('radio', { name: 'Weekly' }))
  await userEvent.click(await form.findByRole('button', { name: 'Plan' }))
  await form.findByText('Choose at least one day')
  await userEvent.click(await form.findByRole('checkbox', { name: 'Mon' }))
  await form.findByText(/Praha 0001 and 13 more:/)
  await userEvent.clear(form.getByRole('textbox', { name: /Reason/ }))
  await userEvent.type(form.getByRole('textbox', { name: /Reason/ }), 'Network')
  await userEvent.click(await form.findByRole('checkbox', { name: /Notify the customer/ }))
  server.answer(createMaintenanceWindow, new Refusal('invalid_request', 'weekdays: It would never begin.'))
  await userEvent.click(await form.findByRole('button', { name: 'Plan' }))
  await form.findByText('weekdays: It would never begin.')
  server.answer(createMaintenanceWindow, { id: 9, deviceCount: 14 })
  await userEvent.click(await form.findByRole('button', { name: 'Plan' }))
  await screen.findByText('Maintenance is set for 14 devices.')
  expect(server.requestsTo(createMaintenanceWindow).at(-1)?.values).toMatchObject({
    target: { kind: 'all' },
    reason: 'Network',
    tellsCustomer: true,
    schedule: { kind: 'weekly', weekdays: [0], from: '02:00', to: '04:00', lastDay: null },
  })
}, 60_000)

test('what lasts is ended after a question, and changed without its start', async () => {
  await open()
  await userEvent.click(await screen.findByRole('button', { name: 'End now maintenance of Praha 0001' }))
  await screen.findByText('End this maintenance (New lamps) now?')
  await userEvent.click(await screen.findByRole('button', { name: 'Yes' }))
  await waitFor(() =>
    expect(server.requestsTo(endMaintenanceWindow).at(-1)?.values).toEqual({ id: 1, isForGood: false }),
  )
  await userEvent.click(await screen.findByRole('button', { name: 'Change maintenance of Praha 0001' }))
  const form = within(await screen.findByRole('dialog', { name: 'Change maintenance' }))
  expect(form.queryByRole('button', { name: /^From/ })).toBeNull()
  await userEvent.type(await form.findByRole('textbox', { name: /Reason/ }), '{selectall}Longer')
  await userEvent.click(await form.findByRole('button', { name: 'Save' }))
  await screen.findByText('The maintenance is saved.')
  expect(server.requestsTo(changeMaintenanceWindow).at(-1)?.values).toMatchObject({
    id: 1,
    schedule: { kind: 'once', from: SPAN.from, to: SPAN.to },
  })
}, 60_000)

test('several that last now are chosen and ended together, by one question and as one action', async () => {
  const chosen = { kind: 'devices', deviceId: null, deviceGuid: null, deviceName: '', deviceIds: [1, 2, 4], tag: '' }
  const rows = [
    windowOf(),
    windowOf({ id: 3, target: { ...chosen, customerId: null, customerName: '' }, deviceCount: 3 }),
    WEEKLY,
  ]
  server.answer(listMaintenanceWindows, { rows, next: null })
  server.answer(endMaintenanceWindow, ({ values }) => (values.id === 1 ? new Refusal('maintenance_over') : {}))
  await open()
  await screen.findByText('3 chosen devices')
  expect(screen.queryByRole('checkbox', { name: /Line 9/ })).toBeNull()
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select all that last now' }))
  await userEvent.click(screen.getByRole('button', { name: 'End selected (2)' }))
  await screen.findByText(/End these 2 maintenance windows now, for 4 devices\?/)
  await userEvent.click(screen.getByRole('button', { name: 'Yes' }))
  await screen.findByText('One maintenance window has ended.')
  await screen.findByText(/1 could not be ended: This maintenance has already ended\./)
  const sent = server.requestsTo(endMaintenanceWindow)
  expect(sent.map(({ values }) => values)).toEqual([1, 3].map((id) => ({ id, isForGood: false })))
  expect(sent[0]?.bulkName).toBe(sent[1]?.bulkName)
})
