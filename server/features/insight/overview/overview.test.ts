import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { expect, test } from 'vitest'
import type {
  DashboardValue,
  HeatMapRow,
  LastAlertRow,
  TemperatureRow,
  TileTrend,
} from '#contract/http/insight/overview.ts'
import type { DeviceId, DeviceModelId } from '#domain/ids.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import { findHotDevices } from '#server/fleet/overviewCounts.ts'
import { apiTest } from '#server/testing/apiTest.ts'
import { addCustomer, addDevice, ask } from '#server/testing/callers.ts'
import { sampleFleet, sampleTimeOf } from './fleetSamples.store.ts'

const api = await apiTest({ config: { internalUsers: ['internal@a.example'] } })
const { pool } = api
const ours = await addCustomer(pool, 'Harbour')
const theirs = await addCustomer(pool, 'Airport')
const tokens = {
  staff: await api.signedIn({ username: 'staff@a.example', functions: [2] }),
  harbour: await api.signedIn({ username: 'm@harbour.example', functions: [2], customerId: ours }),
  internal: await api.signedIn({ username: 'internal@a.example', functions: [] }),
  analyst: await api.signedIn({ username: 'analyst@a.example', functions: [5] }),
}
const run = async (sql: string, ...values: unknown[]) => (await api.pool.query(sql, values)).rows
await makeFleet()

/** Makes sixty devices of two customers, in every status; two of three are online. */
async function makeFleet() {
  await run(
    `insert into device (guid, name, customer_id, model_id, status_id, iot_device_id)
     select gen_random_uuid(), 'Pier ' || n, case when n / 6 % 3 = 0 then $1::int else $2::int end, 1, n % 6 + 1, ''
     from generate_series(1, 60) n`,
    ours,
    theirs,
  )
  const process = randomUUID()
  await run(`insert into server_process (id, lease_until) values ($1, now() + interval '1 hour')`, process)
  await run(
    `insert into device_connection (device_id, connection_id, process_id)
     select id, gen_random_uuid(), $1 from device where id % 5 <> 1`,
    process,
  )
  await run(
    `insert into alert (device_id, condition_id, status_id, condition_state_id, created_at, found_at, field_id,
       operator_code, period_id, action_type_id, condition_text, state_since, closed_at)
     select id, k, 1 + (id + k) % 2, 1 + (id / 3 + k) % 2, now() - (id * 7 + k * 411) % 3000 * interval '1 minute', now(),
       4101 + k % 2, 'GT', 1, 1, 'Above ' || id / 2 % 3, now() - (id * 11 + k * 97) % 2000 * interval '1 minute',
       case when (id + k) % 2 = 1 then now() - (id * 5 + k * 61) % 2000 * interval '1 minute' end
     from device, generate_series(1, 3) k where id % 4 <> 0`,
  )
}

const table = async (name: string, more: Record<string, string | number> = {}, token = tokens.staff) =>
  ask(api, 'Dashboard/GetDashboardTable', { token, query: { table: name, ...more } })

test('every tile is the number of rows of the list that it opens, and the alerts tile its number of devices', async () => {
  for (const [token, customer] of [
    [tokens.staff, {}],
    [tokens.staff, { customerId: theirs }],
    [tokens.harbour, {}],
  ] as const) {
    const answer = await ask(api, 'Dashboard/GetDashboardValues', { token, query: customer })
    const values = Object.fromEntries((answer.json() as DashboardValue[]).map(({ key, value }) => [key, value]))
    // The rows are counted, because the list's total may come from the same counts as the tiles.
    const listed = async (filter?: string) => {
      const query = { ...customer, ...(filter && { filter }), rowNum: 1, pageSize: 500 }
      const { rows, total } = (await ask(api, 'Device/GetDeviceList', { token, query })).json()
      expect(total).toBe(rows.length)
      return rows.length
    }
    const recent = { ...customer, filter: 'last24h', rowNum: 1, pageSize: 500 }
    const alerts = (await ask(api, 'Alert/GetAlertList', { token, query: recent })).json()
    expect(new Set(alerts.rows.map(({ deviceId }: { deviceId: number }) => deviceId)).size).toBe(alerts.deviceCount)
    expect(values).toEqual({
      DEVICES_ACTIVE: await listed('activeConnected'),
      DEVICES_PENDING: await listed('pending'),
      DEVICES_MAINTENANCE: await listed('maintenance'),
      DEVICES_OUT_OF_ORDER: await listed('outOfOrder'),
      DEVICES_ALL: await listed(),
      DEVICES_WITH_ALERTS_24H: alerts.deviceCount,
    })
    expect(Math.min(...Object.values(values))).toBeGreaterThan(0)
  }
})

test('a trend ends in what its tile counts, of each caller; half hours in which nobody counted are unknown', async () => {
  const now = new Date()
  const before = new Date(now.getTime() - 5 * 60 * MINUTE_MS)
  const owner = new pg.Client({ connectionString: api.ownerUrl })
  await owner.connect()
  await sampleFleet(owner, before)
  const newcomers = await addCustomer(pool, 'Newcomers')
  await sampleFleet(owner, now)
  // A later sample of the same half hour changes nothing.
  await sampleFleet(owner, now)
  // A process whose clock is a year ahead changes nothing either.
  await sampleFleet(owner, new Date(now.getTime() + 366 * 24 * 60 * MINUTE_MS))
  await owner.end()
  for (const [token, query] of [
    [tokens.staff, {}],
    [tokens.staff, { customerId: theirs }],
    [tokens.harbour, {}],
    [tokens.staff, { customerId: newcomers }],
  ] as const) {
    const answer = await ask(api, 'Dashboard/GetTileTrends', { token, query })
    const { trends, stepMinutes, from } = answer.json() as TileTrend
    const values = (await ask(api, 'Dashboard/GetDashboardValues', { token, query })).json() as DashboardValue[]
    const place = (sampleTimeOf(now).getTime() - Date.parse(from)) / (30 * MINUTE_MS)
    expect(trends.map(({ key, values: known }) => ({ key, value: known[place] }))).toEqual(
      expect.arrayContaining(values),
    )
    expect(trends.map(({ values: { length } }) => length)).toEqual(Array(6).fill(48))
    expect(stepMinutes).toBe(30)
    expect(now.getTime() - Date.parse(from)).toBeLessThan(24 * 60 * MINUTE_MS)
    for (const { values: known } of trends) expect(known.findIndex((one) => one !== null)).toBe(place - 10)
    expect(trends.flatMap(({ values: known }) => known).filter((one) => one !== null)).toHaveLength(12)
  }
})

test('open alerts are grouped by their words, a device once each, and add up to the list they open', async () => {
  for (const [token, customerId] of [
    [tokens.staff, null],
    [tokens.harbour, ours],
  ] as const) {
    const rows = (await table('OPENED_ALERTS', {}, token)).json()
    const byHand = await run(
      `select a.field_id, a.condition_text, count(distinct a.device_id)::int as count_devices,
         count(distinct a.device_id) filter (where a.condition_state_id = 1)::int as count_active,
         count(distinct a.device_id) filter (where a.condition_state_id = 2)::int as count_over
       from alert a join device d on d.id = a.device_id and d.deleted_at is null
       where a.status_id = 1 and a.withdrawn_at is null and ($1::int is null or d.customer_id = $1)
       group by 1, 2 order by 4 desc, 3 desc, 2, 1`,
      customerId,
    )
    const words: Record<number, string> = {
      4101: 'Display: Internal temperature (°C)',
      4102: 'Display: Intake temperature (°C)',
    }
    expect(rows).toEqual(
      byHand.map(({ field_id, ...row }) => ({ condition_field: words[field_id], title: row.condition_text, ...row })),
    )
    expect(rows.length).toBeGreaterThan(3)
  }
})

async function report(deviceId: DeviceId, internal: number, intake: number | null, minutesAgo = 1) {
  const ms = Date.now() - minutesAgo * MINUTE_MS
  await run(
    `update device_now set newest_at = $2, internal_temp = $3, internal_temp_at = $2, intake_temp = $4, intake_temp_at = $2
     where device_id = $1`,
    deviceId,
    new Date(ms),
    internal,
    intake,
  )
}

test('the ten hottest are Active, by their newest reading of the last day; what is unknown is null', async () => {
  const customerId = await addCustomer(api.pool, 'Quarry')
  const add = async (name: string, statusId = 2) => (await addDevice(api.pool, { name, customerId, statusId })).id
  for (let n = 1; n <= 11; n++) await report(await add(`Oven ${n}`), 40 + n, n === 11 ? null : 20)
  await report(await add('Hot in maintenance', 3), 90, 20)
  await report(await add('Hot yesterday'), 95, 20, 24 * 60 + 5)
  const rows = (await table('INTERNAL_TEMPERATURE', { customerId })).json() as TemperatureRow[]
  expect(rows.map(({ device, internal_temp, intake_temp }) => [device, internal_temp, intake_temp])).toEqual([
    ['Oven 11', 51, null],
    ...[10, 9, 8, 7, 6, 5, 4, 3, 2].map((n) => [`Oven ${n}`, 40 + n, 20]),
  ])
})

test('a hot device has the lowest limit that its own conditions and those of its model set', async () => {
  const customerId = await addCustomer(api.pool, 'Bakery')
  const watched = await addDevice(api.pool, { name: 'Watched', customerId, modelId: 22 as DeviceModelId })
  await report(watched.id, 50, 20)
  await report((await addDevice(api.pool, { name: 'Unwatched', customerId, modelId: 15 as DeviceModelId })).id, 40, 20)
  const condition = (operator: string, value: number, fieldId: number, isOwn: boolean, deleted: Date | null = null) =>
    run(
      `insert into alert_condition (device_id, model_id, field_id, operator_code, value_dec, deleted_at)
       values ($1, $2, $3, $4, $5, $6)`,
      isOwn ? watched.id : null,
      isOwn ? null : 22,
      fieldId,
      operator,
      value,
      deleted,
    )
  await condition('GT', 60, 4101, false)
  await condition('GTE', 55.5, 4101, true)
  await condition('LT', 5, 4101, true)
  await condition('GT', 30, 4102, true)
  await condition('GT', 20, 4101, true, new Date())
  const rows = (await table('INTERNAL_TEMPERATURE', { customerId })).json() as TemperatureRow[]
  expect(rows.map(({ device, internal_limit }) => [device, internal_limit])).toEqual([
    ['Watched', 55.5],
    ['Unwatched', null],
  ])
})

test('the chart is a complete grid of three devices and 24 hours, with null where nothing was reported', async () => {
  const customerId = await addCustomer(api.pool, 'Foundry')
  const ids: DeviceId[] = []
  for (let n = 1; n <= 4; n++) {
    const { id } = await addDevice(api.pool, { name: `Furnace ${n}`, customerId })
    await report(id, 40 + n, 20)
    ids.push(id)
  }
  const owner = new pg.Client({ connectionString: api.ownerUrl })
  await owner.connect()
  const hourMs = Math.floor(Date.now() / 3_600_000) * 3_600_000
  const threeHoursAgo = new Date(hourMs - 3 * 3_600_000)
  await owner.query(
    `insert into reading_display (device_dt, inserted, device_id, number, internal_temp, intake_temp)
     select $1::timestamptz + n * interval '10 minutes', now(), $2, 1, 40 + n, 20 from generate_series(0, 4) n`,
    [threeHoursAgo, ids[3]],
  )
  await owner.query('insert into rollup_mark values ($1, 4, 1, $2)', [ids[3], threeHoursAgo])
  await owner.end()
  const rows = (await table('AVG_TEMPERATURE', { customerId })).json() as TemperatureRow[]
  expect(rows.length).toBe(72)
  expect(rows.map(({ device }) => device)).toEqual(
    ['Furnace 4', 'Furnace 3', 'Furnace 2'].flatMap((name) => new Array(24).fill(name)),
  )
  expect(rows.slice(0, 24).map(({ device_time }) => Date.parse(device_time))).toEqual(
    Array.from({ length: 24 }, (_, hour) => hourMs - (23 - hour) * 3_600_000),
  )
  const known = rows.filter(({ internal_temp }) => internal_temp !== null)
  expect(known).toEqual([
    expect.objectContaining({ internal_temp: 42, intake_temp: 20, device_time: threeHoursAgo.toISOString() }),
  ])
  expect((await table('AVG_TEMPERATURE', { customerId: ours })).json()).toEqual([])
})

test('in a large fleet the hottest are found beforehand, and ranked by what they say now', async () => {
  const customerId = await addCustomer(api.pool, 'Desert')
  await run(
    `with added as (
       insert into device (guid, name, customer_id, model_id, status_id, iot_device_id)
       select gen_random_uuid(), 'Dune ' || n, $1, 1, case when n % 9 = 0 then 3 else 2 end, ''
       from generate_series(1, 1200) n returning id, name)
     insert into device_now (device_id, newest_at, internal_temp, internal_temp_at)
     select id, now(), substr(name, 6)::int / 20.0, now() from added`,
    customerId,
  )
  const owner = new pg.Client({ connectionString: api.ownerUrl })
  await owner.connect()
  await findHotDevices(owner, new Date())
  await owner.end()
  const names = async () =>
    ((await table('INTERNAL_TEMPERATURE', { customerId })).json() as TemperatureRow[]).map(({ device }) => device)
  const wanted = [1200, 1199, 1198, 1196, 1195, 1194, 1193, 1192, 1191, 1190].map((n) => `Dune ${n}`)
  expect(await names()).toEqual(wanted)
  await run(
    `update device_now set internal_temp = 1 where device_id = (select id from device where name = 'Dune 1200')`,
  )
  expect(await names()).toEqual([...wanted.slice(1), 'Dune 1189'])
})

test('the heat map has 168 rows in every zone, as the rows themselves say, also where hours begin at half past', async () => {
  for (const zone of ['Asia/Kathmandu', 'America/St_Johns', 'Europe/Prague']) {
    const rows = (await table('HEATMAP_ALERTS', { timeZone: zone })).json() as HeatMapRow[]
    const byHand = await run(
      `select hn, dwn, count(a.at)::int as count_alerts
       from generate_series(0, 23) hn cross join generate_series(1, 7) dwn
       left join (select a.created_at at time zone $1 as at from alert a join device d on d.id = a.device_id
         where d.deleted_at is null and a.withdrawn_at is null and a.created_at >= now() - interval '1 year') a
         on extract(isodow from a.at) = dwn and extract(hour from a.at) = hn
       group by 1, 2 order by 2, 1`,
      zone,
    )
    expect(rows).toEqual(byHand)
    expect(rows.length).toBe(168)
  }
})

test('the newest alerts are ten, and the only rows that obey the period', async () => {
  const [newest] = await run('select max(created_at) as at from alert')
  const to = new Date(newest.at.getTime() - 3_600_000)
  const rows = (await table('LAST_ALERTS', { dateTo: to.toISOString() })).json() as LastAlertRow[]
  const byHand = await run(
    'select id::float8 as id from alert where created_at <= $1 order by created_at desc, id desc limit 10',
    to,
  )
  expect(rows.map(({ alert_id }) => alert_id)).toEqual(byHand.map(({ id }) => id))
  expect(rows[0]).toMatchObject({ condition_state_name: 'Active', condition_text: expect.stringMatching(/^Above/) })
  const later = await table('LAST_ALERTS', { dateFrom: '2020-01-01', dateTo: '2020-01-02' })
  expect(later.json()).toEqual([])
})

test('internal users read the roll-up and nothing else; who manages devices all the others', async () => {
  const etl = async (token: string) => (await table('ETL_DB_INFO', { customerId: -1 }, token)).statusCode
  expect([await etl(tokens.internal), await etl(tokens.staff), await etl(tokens.analyst)]).toEqual([200, 403, 403])
  expect((await table('OPENED_ALERTS', {}, tokens.internal)).statusCode).toBe(403)
  expect((await table('OPENED_ALERTS', {}, tokens.analyst)).statusCode).toBe(403)
})

test('a period that ends before it begins and a zone that does not exist are refused', async () => {
  const backwards = await table('LAST_ALERTS', { dateFrom: '2026-02-02', dateTo: '2026-02-01' })
  expect(backwards.statusCode).toBe(400)
  expect((await table('HEATMAP_ALERTS', { timeZone: 'Europe/Atlantis' })).statusCode).toBe(400)
})
