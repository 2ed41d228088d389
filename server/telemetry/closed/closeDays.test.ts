import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DAY_MS } from '#domain/units/time.ts'
import { lockUntilDisconnected } from '#server/db/advisoryLocks.ts'
import { allReadings } from '#server/testing/database/allReadings.ts'
import { type FreshDatabase, freshDatabase } from '#server/testing/database/freshDatabase.ts'
import { WEEK_DAYS } from '#server/testing/database/keptDays.ts'
import { UPS } from '#server/testing/devices/telemetryFixture.ts'
import { closeDays, firstOpenDay } from './closeDays.ts'

const NOW = new Date()
const BEFORE = firstOpenDay(NOW, 4)
const DAY = new Date(Date.parse(BEFORE) - DAY_MS).toISOString().slice(0, 10)
const DAYS_AGO_5 = `'${DAY}'::timestamptz`

let database: FreshDatabase
let owner: pg.Client
const clients: pg.Client[] = []
beforeEach(async () => {
  database = await freshDatabase({ keptDays: WEEK_DAYS })
  owner = await connect()
})
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.end().catch(() => undefined)))
  await database.drop()
})

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.ownerUrl, options: '-c TimeZone=UTC' })
  client.on('error', () => undefined)
  await client.connect()
  clients.push(client)
  return client
}

const close = (by = owner, isOver = () => false) =>
  closeDays(by, { before: BEFORE, isOver, rest: () => Promise.resolve() })

const partitionsBefore = async () =>
  (
    await owner.query<{ name: string }>(
      `select relname as name from pg_class where relkind = 'r' and relname ~ '^reading_.*_\\d{8}$' and right(relname, 8) < $1`,
      [BEFORE.replaceAll('-', '')],
    )
  ).rows

/** Readings of a few devices, with every kind of value. */
async function fillDay(): Promise<void> {
  await owner.query(`
    insert into reading_ups (device_dt, inserted, device_id, number, load, temp, status, battery_runtime, extra, claimed_at, is_corrected)
    select ${DAYS_AGO_5} + i * interval '61.003 s', ${DAYS_AGO_5} + i * interval '61.2 s', d, 1,
      case i % 7 when 0 then null when 1 then '-0' else i::real / 10 end,
      case i % 50 when 0 then 'NaN' when 1 then '-Infinity' else random()::real end,
      case i % 3 when 0 then 'OL' when 1 then 'OB DISCHRG' end,
      case when i % 9 > 0 then 2147483647 - i end,
      case when i % 11 = 0 then jsonb_build_object('odd', i, 'big', 1e300) end,
      case when i % 13 = 0 then timestamptz '1971-01-01' + i * interval '1 s' end,
      case when i % 26 = 0 then true end
    from generate_series(0, 400) i, generate_series(1, 5) d`)
}

test('a day that is closed reads as before, and its partitions are gone', async () => {
  await fillDay()
  const before = await allReadings(owner, UPS, DAY)
  expect(before.size).toBe(2005)
  expect(await close()).toBe(true)
  expect(await partitionsBefore()).toEqual([])
  expect(await allReadings(owner, UPS, DAY)).toEqual(before)
  const { rows } = await owner.query(
    `select device_id, rows, day::text, octet_length(body) < 12000 as small from closed_day`,
  )
  expect(rows).toEqual([1, 2, 3, 4, 5].map((device_id) => ({ device_id, rows: 401, day: DAY, small: true })))
  expect(
    (await owner.query('select closed_before::text as at, closing_before::text as to from closing_state')).rows,
  ).toEqual([{ at: BEFORE, to: BEFORE }])
})

test('whoever closes days while another does leaves them to that one', async () => {
  await fillDay()
  const other = await connect()
  await other.query(`select ${lockUntilDisconnected('closing')}`)
  expect(await close()).toBe(false)
  expect((await owner.query('select from closed_day')).rowCount).toBe(0)
})
