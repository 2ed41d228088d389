import { beforeEach, expect, test } from 'vitest'
import type { Incident, IncidentDetails } from '#contract/http/alerting/incidents.ts'
import { fieldIdOfKind } from '#domain/alerts/conditionKinds.ts'
import type { CustomerId, DeviceId } from '#domain/ids.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/units/time.ts'
import { inTransaction } from '#server/db/transaction.ts'
import { foldDue } from '#server/incidents/foldDue.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addDevice, ask } from '#server/testing/callers.ts'

const api = await apiTest()
const ours = await addCustomer(api.pool, 'Harbour')
const theirs = await addCustomer(api.pool, 'Airport')
const TOKENS = {
  staff: await api.signedIn({ username: 'staff@a.example', functions: [2] }),
  our: await api.signedIn({ username: 'our@harbour.example', functions: [2], customerId: ours }),
  their: await api.signedIn({ username: 'their@airport.example', functions: [2], customerId: theirs }),
}
type Who = keyof typeof TOKENS

const SILENT = fieldIdOfKind('silent') as number
const PANEL_TEMP = 4101

let count = 0
const newDevice = async (customerId: CustomerId, address = ''): Promise<DeviceId> =>
  (await addDevice(api.pool, { name: `Pier ${++count}`, customerId, address })).id

beforeEach(async () => {
  await api.pool.query(`delete from alert_event; delete from alert; delete from incident_due; delete from incident_part;
    delete from incident_share; delete from incident_deed; delete from incident; update device set deleted_at = now()`)
})

const ago = (minutes: number) => new Date(Date.now() - minutes * MINUTE_MS)

interface Raised {
  readonly minutesAgo: number
  readonly overMinutesAgo?: number
  readonly fieldId?: number
  readonly text?: string
  readonly severityId?: number
}

let alerts = 0
async function raise(deviceId: DeviceId, { minutesAgo, overMinutesAgo, ...more }: Raised): Promise<number> {
  const { fieldId = PANEL_TEMP, text = 'Too warm', severityId = 2 } = more
  const { rows } = await api.pool.query<{ id: number }>(
    `insert into alert (device_id, condition_id, created_at, found_at, field_id, operator_code, value_dec, period_id,
       action_type_id, condition_text, state_since, severity_id)
     values ($1, $2, $3, now(), $4, 'GT', 5, 1, 1, $5, $3, $6) returning id`,
    [deviceId, ++alerts, ago(minutesAgo), fieldId, text, severityId],
  )
  const id = rows[0]?.id ?? 0
  const events = [
    ['opened', minutesAgo] as const,
    ...(overMinutesAgo === undefined ? [] : [['notActive', overMinutesAgo] as const]),
  ]
  for (const [kind, minutes] of events)
    await api.pool.query('insert into alert_event (device_id, alert_id, kind, at) values ($1, $2, $3, $4)', [
      deviceId,
      id,
      kind,
      ago(minutes),
    ])
  await api.pool.query('insert into incident_due (device_id, alert_id) values ($1, $2)', [deviceId, id])
  return id
}

const fold = () => inTransaction(api.pool, foldDue)
const read = async (who: Who, name: string, query: Readonly<Record<string, string | number | boolean>> = {}) =>
  (await ask(api, `Incident/${name}`, { token: TOKENS[who], query })).json()
const listed = async (who: Who, query = {}): Promise<Incident[]> => (await read(who, 'GetIncidentList', query)).rows
const only = async (who: Who): Promise<Incident> => {
  const rows = await listed(who)
  expect(rows).toHaveLength(1)
  return rows[0] as Incident
}
async function change(who: Who, name: string, body: object) {
  const answer = await ask(api, `Incident/${name}`, { token: TOKENS[who], method: 'POST', body })
  return { code: answer.statusCode === 200 ? 'done' : answer.json().code, answer: answer.json() as IncidentDetails }
}
const entries = ({ entries: all }: IncidentDetails) => all.map(({ kind, text }) => `${kind}: ${text}`)

test('an incident says what happened where, root cause first, and what was done', async () => {
  const [totem, kiosk] = [await newDevice(ours, 'Quay 3'), await newDevice(ours, 'Quay 3')]
  const cause = await raise(totem, {
    minutesAgo: 30,
    fieldId: SILENT,
    text: 'Not reporting for 5 minutes',
    severityId: 1,
  })
  await raise(kiosk, { minutesAgo: 28, overMinutesAgo: 20 })
  await fold()
  const incident = await only('our')
  expect(incident).toMatchObject({
    // The other alert has ended.
    title: expect.stringMatching(/^(?!2 devices).*: Not reporting for 5 minutes$/),
    isWhole: true,
    state: 'active',
    severityId: 1,
    over: null,
    cause: { alertId: cause, deviceId: totem },
    alertCount: 2,
    activeCount: 1,
    openCount: 2,
    deviceCount: 2,
    placeCount: 1,
    customerId: ours,
    ownerName: '',
  })
  // The device was silent for five minutes when the alert was raised.
  expect(Date.parse(incident.began)).toBeCloseTo(ago(35).getTime(), -4)
  await change('our', 'NoteIncident', { id: incident.id, note: 'The fuse is blown' })
  const { code, answer } = await change('our', 'AcknowledgeIncident', { id: incident.id, note: 'On my way' })
  expect(code).toBe('done')
  expect(answer.ownerName).toBe('our@harbour.example')
  expect(entries(answer)).toEqual([
    'raised: Not reporting for 5 minutes',
    'raised: Too warm',
    'over: Too warm',
    'noted: The fuse is blown',
    'acknowledged: On my way',
  ])
  expect((await read('our', 'GetIncidentAlerts', { id: incident.id })).rows).toMatchObject([
    { alertId: cause, isCause: true, began: incident.began, over: null, isOpen: true },
    { isCause: false, over: expect.any(String), times: 1 },
  ])
  // The owner of an incident owns its alerts.
  const owners = await api.pool.query('select distinct owner_id is not null as taken from alert')
  expect(owners.rows).toEqual([{ taken: true }])
  const alert = (await ask(api, 'Alert/GetAlertDetails', { token: TOKENS.our, query: { id: cause } })).json()
  expect(alert.incident).toEqual({ id: incident.id, alertCount: 2, isCause: true })
})

test('of what reaches beyond a customer their people see their part, and leave it to staff', async () => {
  const own = await Promise.all(Array.from({ length: 5 }, () => newDevice(ours)))
  const foreign = await Promise.all(Array.from({ length: 6 }, () => newDevice(theirs, 'Gate 7')))
  const silence = { minutesAgo: 30, fieldId: SILENT, text: 'Not reporting for 5 minutes' }
  const raised = []
  for (const id of [...own, ...foreign]) raised.push(await raise(id, silence))
  await fold()
  const whole = await only('staff')
  expect(whole).toMatchObject({ alertCount: 11, deviceCount: 11, customerId: null, customerName: '', isWhole: true })
  expect((await change('staff', 'NoteIncident', { id: whole.id, note: 'Their provider knows' })).code).toBe('done')
  const part = await only('our')
  expect(part).toMatchObject({ id: whole.id, alertCount: 5, deviceCount: 5, customerId: ours, isWhole: false })
  const details: IncidentDetails = await read('our', 'GetIncident', { id: whole.id })
  expect(details.mayChange).toBe(false)
  expect(JSON.stringify(details)).not.toMatch(/provider|Gate 7|Airport/)
  expect((await read('our', 'GetIncidentAlerts', { id: whole.id })).rows).toHaveLength(5)
  for (const [name, body] of [
    ['NoteIncident', { note: 'x' }],
    ['AcknowledgeIncident', {}],
    ['SnoozeIncident', { until: null }],
    ['MergeIncidents', { otherIds: [whole.id] }],
    ['SplitIncident', { alertIds: [raised[0]] }],
  ] as const)
    expect((await change('our', name, { id: whole.id, ...body })).code).toBe('incident_not_whole')
})

test('what is merged is one and stays so, and what is split apart stays apart', async () => {
  const [pier, dock] = [await newDevice(ours, 'Pier'), await newDevice(ours, 'Dock')]
  const first = await raise(pier, { minutesAgo: 300 })
  await raise(dock, { minutesAgo: 100, text: 'Door open' })
  await fold()
  const [later, earlier] = (await listed('our')) as [Incident, Incident]
  const merged = await change('our', 'MergeIncidents', { id: later.id, otherIds: [earlier.id] })
  expect(merged).toMatchObject({ code: 'done', answer: { id: Math.min(later.id, earlier.id), alertCount: 2 } })
  // The old number leads to the merged incident.
  const gone = Math.max(later.id, earlier.id)
  expect(await read('our', 'GetIncident', { id: gone })).toMatchObject({ id: merged.answer.id, wasJoined: true })
  // Alerts that belong to either of the two join the merged incident.
  const third = await raise(dock, { minutesAgo: 95, text: 'Fan stands still' })
  await fold()
  expect(await only('our')).toMatchObject({ id: merged.answer.id, alertCount: 3 })

  const apart = await change('our', 'SplitIncident', { id: merged.answer.id, alertIds: [first, third] })
  expect(apart).toMatchObject({ code: 'done', answer: { alertCount: 2, title: '2 devices at 2 places: Too warm' } })
  expect(apart.answer.id).not.toBe(merged.answer.id)
  await api.pool.query('insert into incident_due (device_id, alert_id) select device_id, id from alert')
  await fold()
  expect((await listed('our')).map(({ alertCount }) => alertCount).toSorted()).toEqual([1, 2])
  expect(
    (await change('our', 'SplitIncident', { id: apart.answer.id, alertIds: [first, third] })).answer,
  ).toMatchObject({
    message: 'The field "alertIds" must leave an alert in the incident.',
  })
  expect((await change('our', 'MergeIncidents', { id: apart.answer.id, otherIds: [apart.answer.id] })).code).toBe(
    'invalid_request',
  )
})

test('snoozing ends, and names what cannot be', async () => {
  await raise(await newDevice(ours), { minutesAgo: 30 })
  await fold()
  const { id } = await only('our')
  const until = new Date(Date.now() + 2 * HOUR_MS).toISOString()
  expect((await change('our', 'SnoozeIncident', { id, until })).answer.snoozedUntil).toBe(until)
  expect(await listed('our', { isSnoozed: true })).toHaveLength(1)
  for (const wrong of [ago(1).toISOString(), new Date(Date.now() + 31 * DAY_MS).toISOString()])
    expect((await change('our', 'SnoozeIncident', { id, until: wrong })).answer).toMatchObject({
      message: expect.stringContaining('"until"'),
    })
  expect((await change('our', 'SnoozeIncident', { id, until: null })).answer.snoozedUntil).toBeNull()
  await change('our', 'SnoozeIncident', { id, until })
  await api.pool.query(`update incident set snoozed_until = now() - interval '1 second'`)
  expect(await only('our')).toMatchObject({ snoozedUntil: null })
})

test('the list is ordered and narrowed, and counts what is shown and what is folded', async () => {
  const [calm, loud, over, closed] = [
    await newDevice(ours, 'Calm street'),
    await newDevice(ours, 'Loud street'),
    await newDevice(theirs, 'Old road'),
    await newDevice(theirs, 'New road'),
  ]
  await raise(calm, { minutesAgo: 20, severityId: 3 })
  for (const text of ['Too warm', 'Fan stands still']) await raise(loud, { minutesAgo: 200, severityId: 1, text })
  await raise(over, { minutesAgo: 100, overMinutesAgo: 60, severityId: 1 })
  const ended = await raise(closed, { minutesAgo: 500, overMinutesAgo: 400 })
  await api.pool.query('update alert set status_id = 2, closed_at = now() where id = $1', [ended])
  await fold()
  const places = async (query: object) => (await listed('staff', query)).map(({ cause }) => cause.deviceAddress)
  expect(await places({})).toEqual(['Loud street', 'Calm street', 'Old road'])
  expect(await places({ state: 'active' })).toEqual(['Loud street', 'Calm street'])
  expect(await places({ state: 'closed' })).toEqual(['New road'])
  expect(await places({ severityId: 3 })).toEqual(['Calm street'])
  expect(await places({ customerId: theirs })).toEqual(['Old road'])
  expect(await places({ deviceId: loud })).toEqual(['Loud street'])
  expect(await places({ text: 'OLD RO' })).toEqual(['Old road'])
  expect(await places({ isTaken: true })).toEqual([])
  expect(await places({ dateFrom: ago(150).toISOString() })).toEqual(['Calm street', 'Old road'])
  expect(await places({ rowNum: 2, pageSize: 1 })).toEqual(['Calm street'])
  expect(await read('staff', 'GetIncidentList')).toMatchObject({ total: 3, alertCount: 4 })
  expect(await read('our', 'GetIncidentList', { customerId: theirs })).toMatchObject({ code: 'not_found' })
})

test('what is new is asked by when it became known, what was resolved by when; each customer sees its own', async () => {
  for (const customerId of [ours, theirs]) {
    await raise(await newDevice(customerId), { minutesAgo: 60, text: 'Still hot' })
    await raise(await newDevice(customerId), { minutesAgo: 50, overMinutesAgo: 5, text: 'Cooled down' })
  }
  await fold()
  const states = async (who: Who, query: object) => (await listed(who, query)).map(({ state }) => state)
  const since = ago(10).toISOString()
  // They began before, and the server has only just heard of them.
  expect(await states('our', { state: 'active', newFrom: since })).toEqual(['active'])
  expect(await states('our', { state: 'over', overFrom: since })).toEqual(['over'])
  expect(await states('staff', { state: 'over', overFrom: since })).toHaveLength(2)
  expect(await states('our', { state: 'over', overFrom: ago(4).toISOString() })).toEqual([])
  await api.pool.query(`update incident set created_at = now() - interval '1 hour'`)
  expect(await states('our', { state: 'active', newFrom: since })).toEqual([])
})
