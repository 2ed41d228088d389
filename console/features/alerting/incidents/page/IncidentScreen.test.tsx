import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { alertDetailsOf } from '#console/testing/alertOf.ts'
import { axeFindings } from '#console/testing/axe.ts'
import { Refusal } from '#console/testing/contractServer.ts'
import { deviceOf } from '#console/testing/deviceOf.ts'
import { incidentAlertOf, incidentOf } from '#console/testing/incidentOf.ts'
import { screenTest } from '#console/testing/screenTest.tsx'
import { closeAlerts, getAlertDetails, listAlertResolutions } from '#contract/http/alerting/alerts.ts'
import { listIncidentNotices } from '#contract/http/alerting/incidentNotices.ts'
import {
  acknowledgeIncident,
  getIncident,
  listIncidentAlerts,
  listIncidents,
  mergeIncidents,
  noteIncident,
  snoozeIncident,
  splitIncident,
} from '#contract/http/alerting/incidents.ts'
import { listDevices } from '#contract/http/devices/devices.ts'
import { getPresentValues } from '#contract/http/insight/analytics.ts'
import { getDarkness } from '#contract/http/insight/darkness.ts'
import { listUsers } from '#contract/http/people/users.ts'
import { DAY_MS, HOUR_MS } from '#domain/units/time.ts'
import { IncidentScreen } from './IncidentScreen.tsx'

const AT = '/incidents/incident?data=%7B%22id%22%3A7%7D'
const { server, open } = screenTest({
  screens: {
    '/incidents': () => <p>the list</p>,
    '/incidents/incident': IncidentScreen,
    '/alerts/alert-details': () => <p>one alert</p>,
  },
  at: AT,
})
const CAUSE = incidentAlertOf()
const SILENT = incidentAlertOf({
  alertId: 42,
  text: 'Not reporting for 5 minutes',
  deviceId: 2,
  deviceName: 'Praha 0002',
  isCause: false,
})

beforeEach(() => {
  server.answer(getIncident, incidentOf())
  server.answer(getAlertDetails, alertDetailsOf({ measurementId: null }))
  server.answer(getPresentValues, { values: [], unknown: [] })
  server.answer(listIncidentAlerts, { rows: [CAUSE, SILENT], total: 2 })
  server.answer(listIncidentNotices, [
    {
      at: '2026-11-20T10:00:00.000Z',
      outcome: 'told',
      target: 'Ops room',
      by: 'route',
      routeName: 'Nights',
      reason: 'It matches the route.',
      until: null,
    },
    {
      at: '2026-11-20T10:00:01.000Z',
      outcome: 'not',
      target: '',
      by: 'route',
      routeName: 'VIP',
      reason: 'None of its devices has the tag vip.',
      until: null,
    },
    {
      at: '2026-11-20T10:00:02.000Z',
      outcome: 'waits',
      target: 'Night room',
      by: 'channel',
      routeName: '',
      reason: 'Its quiet hours last.',
      until: '2026-11-20T22:30:00.000Z',
    },
  ])
  server.answer(listDevices, { rows: [deviceOf()], total: 1, next: null })
  server.answer(getDarkness, { at: '2026-11-20T10:00:00.000Z', walks: [] })
  server.answer(listAlertResolutions, [{ id: 3, name: 'Resolved by itself' }])
})

const lastTo = (call: Parameters<typeof server.requestsTo>[0]) => server.requestsTo(call).at(-1)?.values
const more = async (name: string) => {
  await press('More')
  await userEvent.click(await screen.findByRole('menuitem', { name }))
}
const press = async (name: string | RegExp) => userEvent.click(await screen.findByRole('button', { name }))

test('the page says how bad, how far and since when, the root cause with its verdict, and what happened, newest first', async () => {
  server.answer(getDarkness, {
    at: '2026-11-20T10:00:00.000Z',
    walks: [
      {
        displayNumber: 1,
        displayName: 'Front',
        verdict: {
          kind: 'broken',
          finding: 'upsNoOutput',
          link: 'ups',
          sentence: 'The UPS gives no output.',
          action: null,
        },
        links: [],
      },
    ],
  } as never)
  const { container } = await open()
  await screen.findByRole('heading', { name: 'Am Ring 12: Router off' })
  await screen.findByText(/^Display: Internal temperature \(°C\) > 60/)
  screen.getByText('1 + 12 alerts')
  screen.getByText('12 active, 13 not closed')
  expect(screen.getByRole('link', { name: 'Alert 41' })).toHaveAttribute('href', expect.stringContaining('41'))
  await screen.findByText('The UPS gives no output.')
  const lines = within(screen.getByRole('region', { name: 'Timeline' })).getAllByRole('listitem')
  expect(
    lines.filter(({ textContent }) => textContent?.startsWith('Raised')).map(({ textContent }) => textContent),
  ).toEqual([
    expect.stringMatching(/^Raised× 12.*Not reporting for 5 minutes Praha 0002 and 11 more$/),
    expect.stringMatching(/^Raised.*root cause.*Router off Praha 0001$/),
  ])
  await screen.findByRole('row', { name: /root cause Router off/ })
  expect(await axeFindings(container)).toEqual([])
}, 60_000)

test('deliveries stand in the one timeline: who was notified, why, or why not, newest first', async () => {
  await open()
  const list = within(await screen.findByRole('region', { name: 'Timeline' }))
  await list.findByText(/Night room/)
  const lines = await list.findAllByRole('listitem')
  expect(
    lines.filter(({ textContent }) => !textContent?.startsWith('Raised')).map(({ textContent }) => textContent),
  ).toEqual([
    expect.stringMatching(/^Waiting.*Night room: Its quiet hours last. Until .*20.*\. The channel$/),
    expect.stringMatching(/^Not notified.*None of its devices has the tag vip. Route VIP$/),
    expect.stringMatching(/^Notified.*Ops room: It matches the route. Route Nights$/),
  ])
}, 60_000)

test('actions are listed by who did them, a snooze by its moment, and how many older entries there are', async () => {
  const actionId = { count: 1, alertId: null, deviceName: '', username: 'jan@city.example', isCause: false }
  const at = '2026-11-20T10:10:00.000Z'
  const entries = [
    { ...actionId, at, kind: 'noted', text: 'Called the mains' },
    { ...actionId, at, kind: 'snoozed', text: '2026-11-20T12:10:00.000Z' },
  ]
  server.answer(getIncident, incidentOf({ entries, olderEntries: 12 }))
  await open()
  const lines = await within(await screen.findByRole('region', { name: 'Timeline' })).findAllByRole('listitem')
  expect(
    lines
      .filter(({ textContent }) => /^(Snoozed|Note\d|Note.*by)/.test(textContent ?? ''))
      .map(({ textContent }) => textContent),
  ).toEqual([
    expect.stringMatching(/^Snoozed.*by jan@city.exampleuntil 20.11.26 \d\d:10$/),
    expect.stringMatching(/^Note.*by jan@city.exampleCalled the mains$/),
  ])
  screen.getByText('12 older entries are not shown.')
})

test('one press takes it, and why that was refused stands there until the next press', async () => {
  server.answer(acknowledgeIncident, new Refusal('incident_not_whole'))
  await open()
  await press('Take ownership')
  expect(await screen.findByRole('alert')).toHaveTextContent('reaches beyond the devices of your customer')
  server.answer(acknowledgeIncident, () => {
    server.answer(getIncident, incidentOf({ ownerId: 1, ownerName: 'eva@example.com' }))
    return incidentOf()
  })
  await press('Take ownership')
  await screen.findByText('You own this incident.')
  expect(lastTo(acknowledgeIncident)).toEqual({ id: 7 })
  expect(screen.queryByRole('alert')).toBeNull()
  await screen.findByText('eva@example.com')
  expect(screen.queryByRole('button', { name: 'Take ownership' })).toBeNull()
  expect(screen.getByRole('button', { name: 'Owned by you' })).toBeDisabled()
})

test('somebody else is chosen among those who may look after the device, with a note', async () => {
  server.answer(listUsers, { rows: [{ id: 5, username: 'jan@city.example' }], total: 1, next: null } as never)
  server.answer(acknowledgeIncident, incidentOf())
  await open()
  await more('Assign')
  const form = within(await screen.findByRole('dialog', { name: 'Assign incident' }))
  await userEvent.click(form.getByRole('combobox', { name: 'Owner' }))
  await userEvent.clear(form.getByRole('combobox', { name: 'Owner' }))
  await userEvent.click(await screen.findByRole('option', { name: 'jan@city.example' }))
  await userEvent.type(form.getByRole('textbox', { name: 'Note' }), ' Is on the way ')
  await userEvent.click(form.getByRole('button', { name: 'Assign' }))
  await waitFor(() => expect(lastTo(acknowledgeIncident)).toEqual({ id: 7, ownerId: 5, note: 'Is on the way' }))
  expect(server.requestsTo(listUsers)[0]?.values).toMatchObject({ deviceId: '1' })
}, 60_000)

test('a note is required to have words, and a refusal stays in the form with them', async () => {
  server.answer(noteIncident, new Refusal('not_found'))
  await open()
  await more('Note')
  const form = within(await screen.findByRole('dialog', { name: 'Add note' }))
  await userEvent.click(form.getByRole('button', { name: 'Add note' }))
  await form.findByText(/required/i)
  await userEvent.type(form.getByRole('textbox', { name: /Note/ }), 'Called the mains')
  await userEvent.click(form.getByRole('button', { name: 'Add note' }))
  await form.findByRole('alert')
  server.answer(noteIncident, incidentOf())
  await userEvent.click(form.getByRole('button', { name: 'Add note' }))
  await screen.findByText('The note is saved.')
  expect(lastTo(noteIncident)).toEqual({ id: 7, note: 'Called the mains' })
}, 60_000)

test('it is snoozed for an hour by two presses', async () => {
  server.answer(snoozeIncident, incidentOf())
  await open()
  await press('Snooze')
  expect(screen.queryByRole('menuitem', { name: 'Wake' })).toBeNull()
  await userEvent.click(await screen.findByRole('menuitem', { name: 'For 1 hour' }))
  await screen.findByText(/No e-mails about this incident before/)
  const until = Date.parse(String(lastTo(snoozeIncident)?.until))
  expect(Math.abs(until - Date.now() - HOUR_MS)).toBeLessThan(60_000)
}, 60_000)

test('of a snoozed one the head says until when, and Wake ends it', async () => {
  server.answer(snoozeIncident, incidentOf())
  server.answer(getIncident, incidentOf({ snoozedUntil: new Date(Date.now() + DAY_MS).toISOString() }))
  await open()
  await screen.findByText(/Snoozed until/)
  await press('Snooze')
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Wake' }))
  await waitFor(() => expect(lastTo(snoozeIncident)).toEqual({ id: 7, until: null }))
})

test('two are merged after a sentence that names both, and the page goes to the one that stays', async () => {
  const depo = incidentOf({ id: 6, title: 'Depo 3: Silent' })
  const beyond = incidentOf({ id: 5, title: 'Beyond', isWhole: false, mayChange: false })
  server.answer(listIncidents, { rows: [incidentOf(), depo, beyond], total: 3, alertCount: 39 })
  server.answer(mergeIncidents, incidentOf({ id: 6 }))
  const { address } = await open()
  await more('Merge')
  const form = within(await screen.findByRole('dialog', { name: 'Merge incidents' }))
  await userEvent.click(form.getByRole('combobox', { name: 'Other incidents' }))
  expect((await screen.findAllByRole('option')).map(({ textContent }) => textContent)).toEqual(['Depo 3: Silent'])
  await userEvent.click(screen.getByRole('option', { name: 'Depo 3: Silent' }))
  await form.findByText(/“Am Ring 12: Router off” and “Depo 3: Silent” become one incident/)
  await userEvent.click(form.getByRole('button', { name: 'Merge' }))
  await screen.findByText('“Am Ring 12: Router off” and “Depo 3: Silent” are one incident now.')
  expect(lastTo(mergeIncidents)).toEqual({ id: 7, otherIds: [6] })
  expect(address()).toBe('/incidents/incident?data=%7B%22id%22%3A6%7D')
}, 60_000)

test('some of its alerts are split off after a question, never all, and the page leads to what was made of them', async () => {
  server.answer(getIncident, incidentOf({ alertCount: 2 }))
  server.answer(splitIncident, incidentOf({ id: 9, title: 'Praha 0002: Silent', alertCount: 1 }))
  await open()
  await userEvent.click(await screen.findByRole('checkbox', { name: 'Select all alerts of this page' }))
  await screen.findByText('All of its alerts are selected; at least one has to stay')
  expect(screen.getByRole('button', { name: 'Split off (2)' })).toBeDisabled()
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select alert 41' }))
  await press('Split off (1)')
  await screen.findByText('Take 1 alert out of “Am Ring 12: Router off”, into an incident of its own?')
  await press('Yes')
  const made = await screen.findByRole('link', { name: 'Praha 0002: Silent' })
  expect(made).toHaveAttribute('href', '/incidents/incident?data=%7B%22id%22%3A9%7D')
  expect(lastTo(splitIncident)).toEqual({ id: 7, alertIds: [42] })
  server.answer(splitIncident, new Refusal('not_found'))
  await userEvent.click(screen.getByRole('checkbox', { name: 'Select alert 41' }))
  await press('Split off (1)')
  await press('Yes')
  await screen.findByRole('alert')
}, 60_000)

test('its open alerts are read to the last, and closed by the dialog of alerts', async () => {
  const half = Array.from({ length: 500 }, (_, index) =>
    incidentAlertOf({ alertId: index + 1, isOpen: index % 2 === 0 }),
  )
  server.answer(listIncidentAlerts, ({ values: { pageSize, rowNum } }) => {
    if (pageSize !== '500') return { rows: [CAUSE], total: 501 }
    return { rows: rowNum === '1' ? half : [incidentAlertOf({ alertId: 900 })], total: 501 }
  })
  server.answer(closeAlerts, { closedCount: 251 })
  await open()
  await press('Close')
  const form = within(await screen.findByRole('dialog', { name: 'Close alerts (251)' }))
  await userEvent.click(form.getByRole('combobox', { name: /Resolution/ }))
  await userEvent.click(await screen.findByRole('option', { name: 'Resolved by itself' }))
  await userEvent.click(form.getByRole('button', { name: 'Close 251 alerts' }))
  await waitFor(() => expect(server.requestsTo(closeAlerts)).toHaveLength(1))
  const closed = lastTo(closeAlerts)?.idList as number[]
  expect([closed.length, closed[0], closed.at(-1)]).toEqual([251, 1, 900])
}, 60_000)

test('one that was folded into another opens that one, which says so and takes the address', async () => {
  server.answer(getIncident, ({ values }) => incidentOf({ id: 8, wasJoined: values.id === '7' }))
  const { address } = await open()
  await screen.findByText('The incident that was asked for was folded into this one.')
  expect(address()).toBe('/incidents/incident?data=%7B%22id%22%3A8%7D')
  await waitFor(() => expect(lastTo(listIncidentAlerts)).toMatchObject({ id: '8' }))
})

test('one that reaches beyond the customer is looked at and not changed, and the page says why', async () => {
  server.answer(getIncident, incidentOf({ isWhole: false, mayChange: false, ownerId: null }))
  await open()
  await screen.findByText(/reaches beyond the devices of your customer. You see your part of it/)
  await screen.findByRole('row', { name: /root cause Router off/ })
  expect(screen.queryByRole('button', { name: 'Take ownership' })).toBeNull()
  expect(screen.queryByRole('checkbox')).toBeNull()
})

test('many alerts have pages, whose number stands in the address', async () => {
  server.answer(listIncidentAlerts, ({ values }) => ({
    rows:
      values.rowNum === '1'
        ? Array.from({ length: 100 }, (_, index) => incidentAlertOf({ alertId: index + 1 }))
        : [SILENT],
    total: 101,
  }))
  const { address, back } = await open()
  await press('Next page')
  await screen.findByRole('row', { name: /Not reporting for 5 minutes/ })
  expect(address()).toBe(`${AT}&page=2`)
  await back()
  await waitFor(() => expect(screen.getAllByRole('row')).toHaveLength(101))
}, 60_000)

test('without an incident it goes back to the list, and one that is not there says so', async () => {
  const { follow } = await open('/incidents/incident')
  await screen.findByText('the list')
  server.answer(getIncident, new Refusal('not_found'))
  await follow(AT)
  await screen.findByText('This incident does not exist, or you may not see it')
  expect(screen.getByRole('link', { name: 'Go back to incidents' })).toHaveAttribute('href', '/incidents')
})
