import { expect, test } from 'vitest'
import { DAY_MS } from '#domain/units/time.ts'
import { joinOldMessages } from '#server/db/partitions/oldPartitions.ts'
import { makeClosedMonth, makeRollupMonths, partitionName } from '#server/db/partitions/partitions.ts'
import { databaseTest } from '#server/testing/database/databaseTest.ts'
import { agedRowsJob } from './agedRows.ts'

const { owner } = await databaseTest()
const NOW = new Date()
const TODAY = Math.floor(NOW.getTime() / DAY_MS) * DAY_MS
const daysAgo = (days: number) => new Date(TODAY - days * DAY_MS)
const [DEVICE, OTHER] = [1, 2]

const run = (alertDays = 3653, lightDays = 3653) =>
  agedRowsJob({ alertDays, lightDays }).run(owner, NOW, new AbortController().signal)

/** Days since, for each row that is left. */
async function ages(table: string, column: string, condition = 'true'): Promise<number[]> {
  const { rows } = await owner.query<{ age: number }>(
    `select distinct ($1::date - ${column}::date) as age from ${table} where ${condition} order by 1`,
    [daysAgo(0)],
  )
  return rows.map(({ age }) => age)
}

async function addCustomer(keptDays: number | null): Promise<number> {
  const { rows } = await owner.query(`insert into customer (name, kept_days) values ($1, $2) returning id`, [
    crypto.randomUUID(),
    keptDays,
  ])
  return rows[0].id
}

async function addDevice(id: number, customerId: number): Promise<void> {
  await owner.query(
    `insert into device (id, guid, name, status_id, model_id, customer_id, iot_device_id) overriding system value
     values ($1, gen_random_uuid(), 'Pier', 2, 1, $2, '')`,
    [id, customerId],
  )
}

async function addReadings(deviceId: number, days: number): Promise<void> {
  const at = daysAgo(days)
  await makeClosedMonth(owner, at)
  await makeRollupMonths(owner, at, at)
  const day = [deviceId, at.toISOString().slice(0, 10)]
  await owner.query(`insert into closed_day values ($1, 5, 1, $2, 1, now(), '')`, day)
  await owner.query(`insert into rollup values ($1, 5104, $2, '{}', '{}', '{}', '{}')`, day)
  await owner.query(
    `insert into device_dark_day (device_id, day, unplanned_min, planned_min, lit_min, counted_to, maintenance_min)
     values ($1, $2, 0, 0, 0, now(), 0)`,
    day,
  )
  const table = partitionName('device_message', at.getTime())
  await owner.query(`create table if not exists ${table} partition of device_message for values
    from ('${at.toISOString()}') to ('${new Date(at.getTime() + DAY_MS).toISOString()}')`)
  await owner.query(
    `insert into device_message (at, inserted, device_id, hash, msg) values ($2, now(), $1, '\\x00', 'hot')`,
    [deviceId, at],
  )
}

const KINDS = [
  ['closed_day', 'day'],
  ['rollup', 'day'],
  ['device_dark_day', 'day'],
  ['device_message', 'at'],
] as const

test('messages of old days are joined to months, where they are read and deleted as before', async () => {
  await addReadings(9, 200)
  await addReadings(9, 201)
  await joinOldMessages(owner, NOW, 90)
  expect(await ages('device_message', 'at')).toEqual([200, 201])
  const { rows } = await owner.query(
    `select distinct tableoid::regclass::text ~ '_\\d{6}$' as "isMonth" from device_message`,
  )
  expect(rows).toEqual([{ isMonth: true }])
  await joinOldMessages(owner, NOW, 90)
  for (const [table] of KINDS) await owner.query(`delete from ${table}`)
})

test('what a customer has no longer kept goes, and what a device reported for others stays', async () => {
  const [short, long] = [await addCustomer(100), await addCustomer(null)]
  await addDevice(DEVICE, short)
  await addDevice(OTHER, long)
  // It belonged to the other customer until 150 days ago.
  await owner.query(`insert into device_departure values ($1, $2, $3, 'Pier', '', 1, 2, $2::timestamptz::date)`, [
    DEVICE,
    daysAgo(150),
    long,
  ])
  for (const days of [95, 100, 101, 140, 151, 300]) {
    await addReadings(DEVICE, days)
    await addReadings(OTHER, days)
  }
  await run()
  for (const [table, column] of KINDS) {
    expect(await ages(table, column, `device_id = ${DEVICE}`), table).toEqual([95, 100, 151, 300])
    expect(await ages(table, column, `device_id = ${OTHER}`), table).toEqual([95, 100, 101, 140, 151, 300])
  }
  await run(3653, 140)
  expect(await ages('device_dark_day', 'day')).toEqual([95, 100, 101, 140])
})

test('alerts and incidents go when they were closed long ago, and open ones never', async () => {
  const [short, long] = [await addCustomer(100), await addCustomer(null)]
  await addDevice(11, short)
  await addDevice(12, long)
  const add = async (deviceId: number, condition: number, ago: number, isClosed: boolean) => {
    const { rows } = await owner.query<{ id: string }>(
      `insert into alert (device_id, condition_id, created_at, found_at, field_id, operator_code, value_dec, period_id,
         action_type_id, condition_text, state_since, status_id, closed_at)
       values ($1, $2, $3, $3, 5104, 'GT', 60, 1, 1, 'hot', $3, $4, $5) returning id`,
      [deviceId, condition, daysAgo(ago), isClosed ? 2 : 1, isClosed ? daysAgo(ago) : null],
    )
    const id = rows[0]?.id
    await owner.query(`insert into alert_event (device_id, alert_id, kind, at) values ($1, $2, 'closed', now())`, [
      deviceId,
      id,
    ])
    const { rows: incidents } = await owner.query(`insert into incident (created_at) values ($1) returning id`, [
      daysAgo(ago),
    ])
    await owner.query(
      `insert into incident_part (device_id, alert_id, raised_at, onset_at, over_at, customer_id, field_id, severity_id, is_open, incident_id)
       select device_id, id, created_at, created_at, closed_at, customer_id, field_id, 2, status_id = 1, $2 from alert where id = $1`,
      [id, incidents[0].id],
    )
    await owner.query(
      `insert into incident_share (incident_id, customer_id, began_at, over_at, state_id, severity_id, alert_count, active_count,
         open_count, device_count, place_count, customer_count, cause_device_id, cause_alert_id)
       select $1, share, now(), $5, 0, 2, 1, 1, 1, 1, 1, 1, $2, $3 from unnest(array[0, $4::integer]) share`,
      [incidents[0].id, deviceId, id, deviceId === 11 ? short : long, isClosed ? daysAgo(ago) : null],
    )
  }
  for (const deviceId of [11, 12]) {
    await add(deviceId, 1, 101, true)
    await add(deviceId, 2, 99, true)
    await add(deviceId, 3, 500, true)
    await add(deviceId, 4, 600, false)
  }
  await run(400)
  const left = async (table: string) => (await owner.query(`select count(*)::int as count from ${table}`)).rows[0].count
  expect(await ages('alert', 'created_at', 'device_id = 11')).toEqual([99, 600])
  expect(await ages('alert', 'created_at', 'device_id = 12')).toEqual([99, 101, 600])
  expect(await Promise.all(['alert_event', 'incident', 'incident_part'].map(left))).toEqual([5, 5, 5])
  expect(await left('incident_share')).toBe(10)
})
