import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { alertOf } from '#console/testing/alertOf.ts'
import { axeFindings } from '#console/testing/axe.ts'
import { Refusal } from '#console/testing/contractServer.ts'
import { deviceOf } from '#console/testing/deviceOf.ts'
import { incidentOf } from '#console/testing/incidentOf.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { signInAs } from '#console/testing/signInAs.ts'
import { type Incident, listIncidents } from '#contract/http/alerting/incidents.ts'
import { getDeviceById, listDevices } from '#contract/http/devices/devices.ts'
import { listCustomers } from '#contract/http/operation/lookups.ts'
import { DAY_MS } from '#domain/units/time.ts'
import { IncidentsScreen } from './IncidentsScreen.tsx'

const { server, open } = screenTest({
  screens: { '/incidents': IncidentsScreen, '/incidents/incident': () => <p>one incident</p> },
  at: '/incidents',
})
const SNOOZED = incidentOf({
  id: 6,
  title: 'Depo 3: Not reporting for 5 minutes',
  state: 'over',
  severityId: 2,
  over: '2026-11-20T11:00:00.000Z',
  alertCount: 1,
  activeCount: 0,
  ownerName: 'jan@city.example',
  ownerId: 5,
  snoozedUntil: new Date(Date.now() + DAY_MS).toISOString(),
})
const answer = (rows: readonly Incident[], more: object = {}) => ({
  rows: [...rows],
  total: rows.length,
  alertCount: rows.reduce((sum, { alertCount }) => sum + alertCount, 0),
  ...more,
})

beforeEach(() => {
  server.answer(listCustomers, [{ id: 3, name: 'City Media' }])
  server.answer(listDevices, { rows: [deviceOf()], total: 1, next: null })
  server.answer(getDeviceById, deviceOf())
  server.answer(listIncidents, answer([incidentOf(), SNOOZED]))
})

const lastQuery = () => server.requestsTo(listIncidents).at(-1)?.values
const ROUTER = /Am Ring 12: Router off/

test('a row says how bad, what, whether it lasts, how many alerts are folded, and who has it; the head adds them up', async () => {
  const { container } = await open()
  const router = within(await screen.findByRole('row', { name: ROUTER }))
  expect(router.getByText('Critical')).toHaveClass('badge-crit')
  expect(router.getByText('Active')).toHaveClass('badge-crit')
  router.getByText('1 + 12 alerts')
  const depo = within(await screen.findByRole('row', { name: /Depo 3/ }))
  depo.getByText('1 alert')
  depo.getByText('jan@city.example')
  depo.getByTitle(/^No e-mails before/)
  screen.getByText('2 incidents, 14 alerts')
  expect(await axeFindings(container)).toEqual([])
}, 60_000)

test('the address is asked of the server, and words of the filter become what the call knows', async () => {
  await open('/incidents?state=over&severityId=2&taken=no&snoozed=yes&text=ring&page=2&dateFrom=2026-11-20T00:00:00Z')
  await screen.findByRole('row', { name: ROUTER })
  expect(lastQuery()).toEqual({
    state: 'over',
    severityId: '2',
    isTaken: 'false',
    isSnoozed: 'true',
    text: 'ring',
    dateFrom: '2026-11-20T00:00:00.000Z',
    pageSize: '100',
    rowNum: '101',
  })
})

test('a chosen state stands in the address, and what nobody has is asked for', async () => {
  const { address } = await open()
  await screen.findByRole('row', { name: ROUTER })
  expect(lastQuery()).toEqual({ pageSize: '100', rowNum: '1' })
  await userEvent.click(screen.getByRole('radio', { name: 'Closed' }))
  await waitFor(() => expect(lastQuery()).toMatchObject({ state: 'closed' }))
  await userEvent.click(screen.getByRole('combobox', { name: 'Owner' }))
  await userEvent.click(await screen.findByRole('option', { name: 'No owner' }))
  await waitFor(() => expect(lastQuery()).toMatchObject({ state: 'closed', isTaken: 'false' }))
  expect(address()).toBe('/incidents?state=closed&taken=no')
})

test('a list that is paged by number leads on as long as there is more, and to the last page of it', async () => {
  server.answer(listIncidents, ({ values }) =>
    values.rowNum === '1'
      ? answer(
          Array.from({ length: 100 }, (_, index) => incidentOf({ id: index + 1 })),
          { total: 101, alertCount: 1301 },
        )
      : answer([SNOOZED], { total: 101, alertCount: 1301 }),
  )
  const { address } = await open()
  await screen.findByText('101 incidents, 1,301 alerts')
  await userEvent.click(screen.getByRole('button', { name: 'Next page' }))
  await screen.findByRole('row', { name: /Depo 3/ })
  expect(address()).toBe('/incidents?page=2')
  expect(screen.getByRole('button', { name: 'Next page' })).toBeDisabled()
}, 60_000)

test('a row opens by Enter, and the switch leads to each alert of the same customer and device', async () => {
  const { address } = await open('/incidents?customerId=3&deviceId=1&state=active')
  const row = await screen.findByRole('row', { name: ROUTER })
  const toAlerts = screen.getByRole('link', { name: 'Each alert' })
  expect(toAlerts).toHaveAttribute('href', '/alerts?customerId=3&deviceId=1')
  expect(screen.getByRole('link', { name: 'As incidents' })).toHaveAttribute('aria-current', 'page')
  row.focus()
  await userEvent.keyboard('{Enter}')
  await screen.findByText('one incident')
  expect(address()).toBe('/incidents/incident?data=%7B%22id%22%3A7%7D')
})

test('after alerts of a device the list is read again, once for many of them', async () => {
  await open()
  await screen.findByRole('row', { name: ROUTER })
  await waitFor(() => expect(server.watched()).toMatchObject({ deviceIds: [1] }))
  server.answer(listIncidents, answer([incidentOf({ alertCount: 14 })]))
  const before = server.requestsTo(listIncidents).length
  server.emit('alerts', { deviceId: 1, alerts: [alertOf({ id: 99 })] })
  server.emit('alerts', { deviceId: 1, alerts: [alertOf({ id: 100 })] })
  await screen.findByText('1 + 13 alerts')
  expect(server.requestsTo(listIncidents).length).toBe(before + 1)
}, 60_000)

test('nothing open, nothing that matches, and a failure are said', async () => {
  server.answer(listIncidents, answer([]))
  const { follow } = await open()
  await screen.findByText('There are no open incidents')
  await follow('/incidents?text=zzz')
  await screen.findByText('No incident matches this filter')
  server.answer(listIncidents, new Refusal('not_found'))
  await follow('/incidents?deviceId=5')
  await screen.findByText('Could not be loaded')
})

test('a customer user has no customer filter, whatever the link says', async () => {
  signInAs({ customerId: 3 })
  await open('/incidents?customerId=4')
  await screen.findByRole('row', { name: ROUTER })
  expect(screen.queryByRole('combobox', { name: 'Customer' })).toBeNull()
  expect(lastQuery()).not.toHaveProperty('customerId')
})
