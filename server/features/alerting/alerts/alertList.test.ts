import { expect, test } from 'vitest'
import type { z } from 'zod'
import type { Alert, alertPage } from '#contract/http/alerting/alerts.ts'
import type { HeatMapRow } from '#contract/http/insight/overview.ts'
import type { CustomerId, DeviceId } from '#domain/ids.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addDevice, ask } from '#server/testing/callers.ts'

const api = await apiTest()
const { pool } = api
const ours = await addCustomer(pool, 'Harbour')
const theirs = await addCustomer(pool, 'Airport')
const staff = await api.signedIn({ username: 'staff@a.example', functions: [2] })
const ofCustomer = { username: 'manager@harbour.example', functions: [2 as const], customerId: ours }
const harbour = await api.signedIn(ofCustomer)

type Page = z.output<typeof alertPage>

let devices = 0
const newDevice = async (customerId: CustomerId): Promise<DeviceId> =>
  (await addDevice(api.pool, { name: `Pier ${++devices}`, customerId })).id

interface Inserted {
  readonly count?: number
  readonly statusId?: number
  readonly stateId?: number
  /** The age of the newest alert; each older one opened a minute before the next. */
  readonly hoursAgo?: number
  /** The time since the alert ended or was closed. */
  readonly overHoursAgo?: number
  readonly isWithdrawn?: boolean
}

/**
 * Inserts alerts as readings would have made them, each with a condition of its own.
 * @returns ids, newest first
 */
async function insertAlerts(deviceId: DeviceId, inserted: Inserted = {}): Promise<number[]> {
  const { count = 1, statusId = 1, stateId = 1, hoursAgo = 1, overHoursAgo = 0, isWithdrawn = false } = inserted
  const { rows } = await api.pool.query<{ id: number }>(
    `with conditions as (
       insert into alert_condition (device_id, field_id, operator_code, value_dec)
       select $1, 5104, 'GT', 50 from generate_series(1, $2::int) returning id),
     numbered as (select id, row_number() over (order by id) as n from conditions),
     opened as (
       insert into alert (device_id, condition_id, status_id, condition_state_id, created_at, found_at, field_id,
         operator_code, value_dec, period_id, action_type_id, condition_text, state_since, closed_at,
         withdrawn_at)
       select $1, id, $3::smallint, $4, date_trunc('second', now()) - $5 * interval '1 hour' - n * interval '1 minute', now(), 5104,
         'GT', 50, 1, 1, 'UPS load > 50', now() - $7 * interval '1 hour',
         case when $3::smallint = 2 then now() - $7 * interval '1 hour' end, case when $6 then now() end
       from numbered returning id, condition_id, status_id, condition_state_id, created_at),
     states as (
       insert into alert_state (device_id, condition_id, revision, version, last_at, alert, is_suppressed, open_alert_id)
       select $1, condition_id, 1, 1, created_at, condition_state_id, false, id from opened where status_id = 1)
     select id from opened order by created_at desc, id desc`,
    [deviceId, count, statusId, stateId, hoursAgo, isWithdrawn, overHoursAgo],
  )
  return rows.map(({ id }) => id)
}

const list = async (query: Record<string, string | number>, token = staff) =>
  (await ask(api, 'Alert/GetAlertList', { token, query })).json()
const close = (body: object, token = staff) => ask(api, 'Alert/CloseAlerts', { token, method: 'POST', body })
const statusesOf = async (ids: readonly number[]) =>
  (await api.pool.query('select distinct status_id as id from alert where id = any($1)', [ids])).rows.map(
    ({ id }) => id,
  )

test('pages follow the key without gap or double, also when alerts open meanwhile, and the count is exact', async () => {
  const deviceId = await newDevice(ours)
  const ids = await insertAlerts(deviceId, { count: 250, hoursAgo: 3 })
  const seen: number[] = []
  let next: string | null = null
  do {
    const page = (await list({ deviceId, pageSize: 100, ...(next === null ? {} : { next }) })) as Page
    seen.push(...page.rows.map(({ id }) => id))
    next = page.next
    expect(page.total).toBe(250 + (seen.length > 100 ? 1 : 0))
    expect(page.deviceCount).toBe(1)
    if (seen.length === 100) await insertAlerts(deviceId)
  } while (next !== null)
  expect(seen).toEqual(ids)
  const second = (await list({ deviceId, rowNum: 102, pageSize: 3 })) as Page
  expect(second.rows.map(({ id }) => id)).toEqual(ids.slice(100, 103))
  expect((await list({ deviceId })) as Alert[]).toHaveLength(100)
  expect(await list({ deviceId, rowNum: 10_001 })).toMatchObject({ code: 'page_too_deep' })
  expect(await list({ deviceId, next: 'nonsense' })).toMatchObject({ code: 'invalid_request' })
})

test('the last 24 hours take in what was active in them at any moment, whenever it opened', async () => {
  const deviceId = await newDevice(ours)
  const added = async (inserted: Inserted) => (await insertAlerts(deviceId, inserted))[0]
  const still = await added({ hoursAgo: 500 })
  const overToday = await added({ hoursAgo: 400, stateId: 2, overHoursAgo: 23 })
  const closedToday = await added({ hoursAgo: 300, statusId: 2, overHoursAgo: 23 })
  await added({ hoursAgo: 200, stateId: 2, overHoursAgo: 25 })
  // The condition ended long before somebody closed the alert.
  await api.pool.query('update alert set closed_at = now(), status_id = 2 where id = $1', [
    await added({ hoursAgo: 100, stateId: 2, overHoursAgo: 25 }),
  ])
  await added({ hoursAgo: 50, statusId: 2, overHoursAgo: 25 })
  const rows = (await list({ deviceId, filter: 'last24h' })) as Alert[]
  expect(rows.map(({ id }) => id)).toEqual([closedToday, overToday, still])
  expect(rows.map(({ lastActive }) => lastActive === null)).toEqual([false, false, true])
})

test('a cell of the heat map opens exactly the alerts that it counts, of any status, in the zone asked for', async () => {
  const customerId = await addCustomer(pool, 'Depot')
  const { id: deviceId } = await addDevice(api.pool, { name: 'Depot 1', customerId })
  for (const [statusId, hoursAgo] of [
    [1, 2],
    [2, 2 + 7 * 24],
    [1, 100],
    [2, 8_000],
    [1, 9_000],
  ] as const) {
    await insertAlerts(deviceId, { statusId, hoursAgo, overHoursAgo: 1, count: 20 })
  }
  for (const timeZone of ['UTC', 'Asia/Kathmandu']) {
    const query = { table: 'HEATMAP_ALERTS', customerId, timeZone }
    const cells = (await ask(api, 'Dashboard/GetDashboardTable', { token: staff, query })).json() as HeatMapRow[]
    expect(cells.reduce((sum, { count_alerts }) => sum + count_alerts, 0)).toBe(80)
    for (const { dwn, hn, count_alerts } of cells.filter((cell) => cell.count_alerts > 0 || cell.hn === 3)) {
      const opened = { weekHour: `${dwn}-${String(hn).padStart(2, '0')}`, customerId, timeZone, pageSize: 500 }
      expect(await list(opened)).toMatchObject({ total: count_alerts })
    }
  }
  const refused = async (query: Record<string, string>) => (await list(query)).message
  expect(await refused({ weekHour: '8-00' })).toContain('weekHour is not valid')
  expect(await refused({ weekHour: '1-00', timeZone: 'Mars/Base' })).toContain('timeZone is not valid')
})

test('the filters narrow the list, each by itself', async () => {
  const deviceId = await newDevice(ours)
  const [opened] = await insertAlerts(deviceId)
  const [calm] = await insertAlerts(deviceId, { stateId: 2, hoursAgo: 2 })
  const [closed] = await insertAlerts(deviceId, { statusId: 2, hoursAgo: 3 })
  const [old] = await insertAlerts(deviceId, { statusId: 2, hoursAgo: 30, overHoursAgo: 26 })
  await insertAlerts(deviceId, { isWithdrawn: true })
  const found = async (query: Record<string, string | number>) =>
    ((await list({ deviceId, ...query })) as Alert[]).map(({ id }) => id)
  expect(await found({})).toEqual([opened, calm, closed, old])
  expect(await found({ filter: 'last24h' })).toEqual([opened, calm, closed])
  expect(await found({ filter: 'opened' })).toEqual([opened, calm])
  expect(await found({ filter: 'opened', statusId: 2 })).toEqual([])
  expect(await found({ statusId: 2 })).toEqual([closed, old])
  expect(await found({ conditionStateId: 2 })).toEqual([calm])
  expect(await found({ id: closed ?? 0 })).toEqual([closed])
  expect(await found({ alertText: 'LOAD' })).toHaveLength(4)
  expect(await found({ alertText: '%' })).toEqual([])
  const dateTo = new Date(Date.now() - 4 * 3_600_000).toISOString()
  expect(await found({ dateTo })).toEqual([old])
  expect(await found({ dateFrom: dateTo })).toEqual([opened, calm, closed])
})

test('nobody sees, counts, closes or takes over alerts of another customer', async () => {
  const [mine] = await insertAlerts(await newDevice(ours))
  const foreignDevice = await newDevice(theirs)
  const [foreign] = await insertAlerts(foreignDevice)
  const all = (await list({ pageSize: 500 }, harbour)) as Page
  expect(all.rows.map(({ id }) => id)).toContain(mine)
  expect(all.rows.map(({ id }) => id)).not.toContain(foreign)
  expect(all.total).toBe(all.rows.length)
  expect(await list({ id: foreign ?? 0 }, harbour)).toEqual([])
  expect(await list({ customerId: theirs }, harbour)).toMatchObject({ code: 'not_found' })
  expect(await list({ deviceId: foreignDevice }, harbour)).toMatchObject({ code: 'not_found' })
  expect((await list({ customerId: theirs })) as Alert[]).toMatchObject([{ id: foreign }])
  const details = { token: harbour, query: { id: foreign ?? 0 } }
  expect((await ask(api, 'Alert/GetAlertDetails', details)).statusCode).toBe(404)
  expect((await close({ idList: [mine, foreign], resolutionId: 1 }, harbour)).statusCode).toBe(404)
  expect(await statusesOf([mine ?? 0, foreign ?? 0])).toEqual([1])
})

test('what never happened cannot be opened or closed', async () => {
  const [id] = await insertAlerts(await newDevice(ours), { isWithdrawn: true })
  expect((await ask(api, 'Alert/GetAlertDetails', { token: staff, query: { id: id ?? 0 } })).statusCode).toBe(404)
  expect((await close({ idList: [id], resolutionId: 1 })).statusCode).toBe(404)
})

test('ten thousand alerts are closed at once, or none of them, with one audit row', async () => {
  const deviceId = await newDevice(ours)
  const ids = await insertAlerts(deviceId, { count: 10_000, hoursAgo: 200 })
  expect((await list({ deviceId, pageSize: 1 })) as Page).toMatchObject({ total: 10_000 })
  const [extra] = await insertAlerts(deviceId)
  expect((await list({ deviceId, pageSize: 1 })) as Page).toMatchObject({ total: null, deviceCount: null })
  const last = ids.at(-1) ?? 0
  await close({ idList: [last], resolutionId: 1 })
  const refused = await close({ idList: ids, resolutionId: 2 })
  expect([refused.statusCode, refused.json().message]).toEqual([409, `The alert has already been closed. (${last})`])
  const others = ids.slice(0, -1)
  expect(await statusesOf(others)).toEqual([1])
  expect((await close({ idList: others, resolutionId: 2, comment: 'Storm' })).json()).toEqual({ closedCount: 9_999 })
  // The alerts are closed by one statement: `cmin` numbers the statements of a transaction.
  const statements = await api.pool.query(
    'select count(distinct cmin::text)::int as count from alert where id = any($1)',
    [others],
  )
  expect(statements.rows).toEqual([{ count: 1 }])
  expect(await statusesOf(others)).toEqual([2])
  expect(await statusesOf([extra ?? 0])).toEqual([1])
  const { rows } = await api.pool.query(
    `select entity_name as name, jsonb_array_length(after -> 'ids') as count from audit_log
     where outcome = 'done' and entity_name = '9999 alerts'`,
  )
  expect(rows).toEqual([{ name: '9999 alerts', count: 9_999 }])
  const states = await api.pool.query(
    'select count(*)::int as open from alert_state where device_id = $1 and open_alert_id is not null',
    [deviceId],
  )
  expect(states.rows).toEqual([{ open: 1 }])
}, 120_000)

test.each([[6], [99]])('resolution %d is not for people', async (resolutionId) => {
  const [id] = await insertAlerts(await newDevice(ours))
  const answer = await close({ idList: [id], resolutionId })
  expect([answer.statusCode, answer.json().message]).toEqual([400, 'resolutionId is not valid'])
  const named = (await ask(api, 'Alert/GetAlertCloseResolutionList', { token: staff })).json() as { id: number }[]
  expect(named.map((one) => one.id)).toEqual([1, 2, 3, 4, 5])
})

test('a customer reads "Staff" where somebody of the staff did something', async () => {
  const [id] = await insertAlerts(await newDevice(ours))
  const acknowledge = { token: staff, method: 'POST' as const, body: { id, note: 'Seen' } }
  expect((await ask(api, 'Alert/AcknowledgeAlert', acknowledge)).statusCode).toBe(200)
  const details = (await ask(api, 'Alert/GetAlertDetails', { token: harbour, query: { id: id ?? 0 } })).json()
  expect(details.acknowledged).toMatchObject({ username: 'Staff', ownerName: 'Staff', note: 'Seen' })
  expect(JSON.stringify(details)).not.toContain('staff@a.example')
  expect((await list({ id: id ?? 0 }, harbour)) as Alert[]).toMatchObject([{ ownerName: 'Staff' }])
})

test('alerts are marked by the window in which they were raised, and narrowed by whether they were', async () => {
  const deviceId = await newDevice(ours)
  const [before] = await insertAlerts(deviceId, { hoursAgo: 5 })
  const [within] = await insertAlerts(deviceId, { hoursAgo: 3 })
  const [other] = await insertAlerts(await newDevice(ours), { hoursAgo: 3 })
  await pool.query(
    `with made as (
       insert into maintenance_window (target_kind, customer_id, target_device_id, reason, from_at, to_at, ends_at,
         time_zone, username)
       values ('device', $2, $1, 'New lamps', now() - interval '4 hours', now() - interval '2 hours', now(), 'UTC', 'x')
       returning id, from_at, to_at)
     insert into device_maintenance (device_id, window_id, from_at, to_at, occurrence_at, due_to)
     select $1, id, from_at, to_at, from_at, to_at from made`,
    [deviceId, ours],
  )
  const idsOf = async (query: Record<string, string | number>) =>
    ((await list({ ...query, pageSize: 100 })) as Page).rows.map(({ id }) => id)
  expect(await idsOf({ deviceId, isInMaintenance: 'true' })).toEqual([within])
  expect(await idsOf({ deviceId, isInMaintenance: 'false' })).toEqual([before])
  const all = await idsOf({ customerId: ours, isInMaintenance: 'false' })
  expect(all).toContain(other)
  expect(all).not.toContain(within)
  const rows = ((await list({ deviceId, pageSize: 100 }, harbour)) as Page).rows
  expect(rows.map(({ maintenance }) => maintenance?.reason ?? null)).toEqual(['New lamps', null])
  const details = (await ask(api, 'Alert/GetAlertDetails', { token: harbour, query: { id: within as number } })).json()
  expect(details.maintenance).toMatchObject({ reason: 'New lamps' })
})

test('an alert says for whom its condition is meant, and keeps the kind that it opened with', async () => {
  const deviceId = await newDevice(ours)
  const conditionOf = async (columns: Record<string, unknown>) => {
    const named = { kind: 'level', field_id: 5104, operator_code: 'GT', value_dec: 50, ...columns }
    const names = Object.keys(named)
    const { rows } = await pool.query<{ id: number }>(
      `insert into alert_condition (${names.join(', ')}) values (${names.map((_, n) => `$${n + 1}`).join(', ')}) returning id`,
      Object.values(named),
    )
    return rows[0]?.id ?? 0
  }
  const raised = async (conditionId: number, kind = 'level') => {
    const { rows } = await pool.query<{ id: string }>(
      `insert into alert (device_id, condition_id, created_at, found_at, field_id, operator_code, value_dec, period_id,
         action_type_id, condition_text, state_since, kind)
       values ($1, $2, now(), now(), 5104, 'GTE', 30, 1, 1, 'UPS: Load (%) not reported for 30 minutes', now(), $3)
       returning id::text`,
      [deviceId, conditionId, kind],
    )
    return Number(rows[0]?.id)
  }
  const none = { customerName: '', tag: '' }
  const tag = { tag: 'sunny', tag_key: 'sunny' }
  const waiting = await conditionOf({ kind: 'absent', minutes: 30, customer_id: ours, ...tag })
  const told = [
    [await raised(await conditionOf({ device_id: deviceId })), 'level', { ...none, of: 'device' }],
    [await raised(await conditionOf({ model_id: 1 })), 'level', { ...none, of: 'model' }],
    [
      await raised(await conditionOf({ customer_id: ours })),
      'level',
      { ...none, of: 'customer', customerName: 'Harbour' },
    ],
    [await raised(await conditionOf(tag)), 'level', { ...none, of: 'tag', tag: 'sunny' }],
    [await raised(waiting, 'absent'), 'absent', { of: 'tag', tag: 'sunny', customerName: 'Harbour' }],
  ] as const
  await pool.query(`update alert_condition set kind = 'level' where id = $1`, [waiting])
  const listed = new Map(((await list({ deviceId, pageSize: 10 })) as Page).rows.map((row) => [row.id as number, row]))
  for (const [id, kind, conditionOrigin] of told) {
    expect(listed.get(id)?.conditionOrigin).toEqual(conditionOrigin)
    const details = await ask(api, 'Alert/GetAlertDetails', { token: harbour, query: { id } })
    expect(details.json()).toMatchObject({ kind, conditionOrigin })
  }
})
