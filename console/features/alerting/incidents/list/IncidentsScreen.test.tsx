import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { alertDetailsOf, alertOf } from '#console/testing/alertOf.ts'
import { axeFindings } from '#console/testing/axe.ts'
import { Refusal } from '#console/testing/contractServer.ts'
import { deviceOf } from '#console/testing/deviceOf.ts'
import { incidentAlertOf, incidentOf } from '#console/testing/incidentOf.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { signInAs } from '#console/testing/signInAs.ts'
import { getAlertDetails } from '#contract/http/alerting/alerts.ts'
import { listIncidentNotices } from '#contract/http/alerting/incidentNotices.ts'
import { getIncident, type Incident, listIncidentAlerts, listIncidents } from '#contract/http/alerting/incidents.ts'
import { getDeviceById, listDevices } from '#contract/http/devices/devices.ts'
import { getPresentValues } from '#contract/http/insight/analytics.ts'
import { getDarkness } from '#contract/http/insight/darkness.ts'
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

const byState =
  (active: readonly Incident[], resolved: readonly Incident[]) =>
  ({ values }: { readonly values: Readonly<Record<string, unknown>> }) =>
    answer(values.state === 'over' ? resolved : values.state === 'active' ? active : [])

beforeEach(() => {
  server.answer(listCustomers, [{ id: 3, name: 'City Media' }])
  server.answer(listDevices, { rows: [deviceOf()], total: 1, next: null })
  server.answer(getDeviceById, deviceOf())
  server.answer(listIncidents, byState([incidentOf()], [SNOOZED]))
  server.answer(getIncident, ({ values }) => (values.id === '6' ? SNOOZED : incidentOf({ id: Number(values.id) })))
  server.answer(listIncidentAlerts, { rows: [incidentAlertOf()], total: 1 })
  server.answer(listIncidentNotices, [])
  server.answer(getAlertDetails, alertDetailsOf({ measurementId: null }))
  server.answer(getPresentValues, { values: [], unknown: [] })
  server.answer(getDarkness, { at: '2026-11-20T10:00:00.000Z', walks: [] })
})

const lastQuery = () =>
  server
    .requestsTo(listIncidents)
    .filter(({ values }) => values.state !== 'over')
    .at(-1)?.values
const active = async () => within(await screen.findByRole('list', { name: 'Active' }))
const shown = async () => within(await screen.findByRole('region', { name: 'Incident' }))

test('what is active stands first, what is resolved is folded with its number, and the chosen one beside them', async () => {
  const { container, address } = await open()
  const router = within((await (await active()).findAllByRole('listitem'))[0] as HTMLElement)
  expect(router.getByRole('img', { name: 'Critical' })).toHaveClass('badge-crit')
  router.getByText('13 devices · City Media · 13 alerts')
  router.getByText('No owner')
  const preview = await shown()
  await preview.findByRole('heading', { name: 'Router off' })
  await preview.findByText(/^Display: Internal temperature \(°C\) > 60/)
  await preview.findByRole('button', { name: 'Take ownership' })
  expect(screen.queryByRole('list', { name: 'Resolved, not closed' })).toBeNull()
  expect(await axeFindings(container)).toEqual([])
  await userEvent.click(screen.getByRole('button', { name: 'Resolved, not closed' }))
  const resolved = within(await screen.findByRole('list', { name: 'Resolved, not closed' }))
  resolved.getByText('jan@city.example')
  await userEvent.click(resolved.getByRole('link', { name: 'Router off' }))
  await waitFor(() => expect(address()).toBe('/incidents?shown=6'))
}, 60_000)

test('j and k show the next and the one before, and Enter opens the page', async () => {
  server.answer(listIncidents, byState([incidentOf(), incidentOf({ id: 8 })], []))
  const { address } = await open()
  await (await shown()).findByRole('heading', { name: 'Router off' })
  await userEvent.keyboard('j')
  await waitFor(() => expect(address()).toBe('/incidents?shown=8'))
  await userEvent.keyboard('k')
  await waitFor(() => expect(address()).toBe('/incidents?shown=7'))
  await userEvent.keyboard('{Enter}')
  await screen.findByText('one incident')
  expect(address()).toBe('/incidents/incident?data=%7B%22id%22%3A7%7D')
}, 60_000)

test('all that is resolved is closed by one dialog', async () => {
  await open()
  await userEvent.click(await screen.findByRole('button', { name: 'Close all' }))
  await screen.findByRole('dialog', { name: 'Close alerts (1)' })
  expect(server.requestsTo(listIncidentAlerts).some(({ values }) => values.id === '6')).toBe(true)
}, 60_000)

test('the address is asked of the server, and words of the filter become what the call knows', async () => {
  await open('/incidents?state=closed&severityId=2&taken=no&snoozed=yes&text=ring&page=2&dateFrom=2026-11-20T00:00:00Z')
  await waitFor(() => expect(lastQuery()).toBeDefined())
  expect(lastQuery()).toEqual({
    state: 'closed',
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
  await active()
  expect(lastQuery()).toEqual({ state: 'active', pageSize: '100', rowNum: '1' })
  await userEvent.click(screen.getByRole('radio', { name: 'Closed' }))
  await waitFor(() => expect(lastQuery()).toMatchObject({ state: 'closed' }))
  await userEvent.click(screen.getByRole('combobox', { name: 'Owner' }))
  await userEvent.click(await screen.findByRole('option', { name: 'No owner' }))
  await waitFor(() => expect(lastQuery()).toMatchObject({ state: 'closed', isTaken: 'false' }))
  expect(address()).toBe('/incidents?state=closed&taken=no')
})

test('a list that is paged by number leads on as long as there is more, and to the last page of it', async () => {
  server.answer(listIncidents, ({ values }) => {
    if (values.state === 'over') return answer([])
    return values.rowNum === '1'
      ? answer(
          Array.from({ length: 100 }, (_, index) => incidentOf({ id: index + 1 })),
          { total: 101 },
        )
      : answer([incidentOf({ id: 101 })], { total: 101 })
  })
  const { address } = await open()
  await active()
  await userEvent.click(await screen.findByRole('button', { name: 'Next page' }))
  await waitFor(async () => expect((await active()).getAllByRole('listitem')).toHaveLength(1))
  expect(address()).toBe('/incidents?page=2')
  expect(screen.getByRole('button', { name: 'Next page' })).toBeDisabled()
}, 60_000)

test('after alerts of a device the list is read again, once for many of them', async () => {
  await open()
  await (await active()).findByText(/13 alerts/)
  await waitFor(() => expect(server.watched()).toMatchObject({ deviceIds: [1] }))
  server.answer(listIncidents, byState([incidentOf({ alertCount: 14 })], []))
  const count = () => server.requestsTo(listIncidents).filter(({ values }) => values.state === 'active').length
  const before = count()
  server.emit('alerts', { deviceId: 1, alerts: [alertOf({ id: 99 })] })
  server.emit('alerts', { deviceId: 1, alerts: [alertOf({ id: 100 })] })
  await (await active()).findByText(/14 alerts/)
  expect(count()).toBe(before + 1)
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
  await active()
  expect(screen.queryByRole('combobox', { name: 'Customer' })).toBeNull()
  expect(lastQuery()).not.toHaveProperty('customerId')
})
