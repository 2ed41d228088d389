import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DAY_MS } from '#domain/units/time.ts'
import { passTime } from '#testing/passTime.ts'
import { CITUS_FOLDER } from '../../testing/database/citusCluster.ts'
import { type FreshDatabase, freshDatabase } from '../../testing/database/freshDatabase.ts'
import { WEEK_DAYS } from '../../testing/database/keptDays.ts'
import { eventually } from '../../testing/devices/gatewayFixture.ts'
import { dropOldPartitions, finishDetaching } from './oldPartitions.ts'
import { makePartitions, partitionName } from './partitions.ts'
import { PARTITIONED_TABLES } from './readingTables.ts'

const NOW = new Date()
const OLD_DAYS = 2
const RETENTION_DAYS = WEEK_DAYS - OLD_DAYS
const TABLES = PARTITIONED_TABLES.length
const oldDay = (table: string, index: number) =>
  partitionName(table, Math.floor(NOW.getTime() / DAY_MS) * DAY_MS - (RETENTION_DAYS + OLD_DAYS - index) * DAY_MS)

let database: FreshDatabase
let owner: pg.Client
let reader: pg.Client
let dropped: string[]
beforeEach(async () => {
  database = await freshDatabase({ keptDays: WEEK_DAYS })
  owner = await connect()
  reader = await connect()
  dropped = []
})
afterEach(async () => {
  await Promise.all([owner, reader].map((client) => client.end().catch(() => undefined)))
  await database.drop()
})

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.ownerUrl })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

const drop = (by = owner) =>
  dropOldPartitions(by, { now: NOW, retentionDays: RETENTION_DAYS, onDropped: (table) => dropped.push(table) })

async function readOn(table: string): Promise<void> {
  await reader.query(`begin isolation level repeatable read; select count(*) from ${table}`)
}

const stateOf = async (name: string) =>
  (
    await owner.query<{ pending: boolean | null }>(
      `select i.inhdetachpending as pending from pg_class c left join pg_inherits i on i.inhrelid = c.oid
       where c.relname = $1`,
      [name],
    )
  ).rows.map(({ pending }) => (pending === null ? 'detached' : pending ? 'pending' : 'attached'))[0]

/** Citus detaches at once or not at all, so that no day is ever on its way out. */
const onOneMachine = test.skipIf(CITUS_FOLDER !== undefined)

onOneMachine(
  'a long reader of one table keeps no other from being dropped, and its own goes when it has ended',
  async () => {
    await readOn('reading_ups')
    await expect(drop()).rejects.toThrow(/^reading_ups: .*lock timeout$/)
    expect(dropped).toHaveLength((TABLES - 1) * OLD_DAYS)
    expect(await stateOf(oldDay('reading_ups', 0))).toBe('pending')
    // The table is still there; again nothing is dropped, but nobody is held up either.
    await expect(drop()).rejects.toThrow(/^reading_ups: .*lock timeout$/)
    await reader.query('commit')
    await drop()
    expect(new Set(dropped).size).toBe(TABLES * OLD_DAYS)
    expect(dropped).toHaveLength(TABLES * OLD_DAYS)
    expect(await drop()).toBe(0)
  },
)

onOneMachine('whoever reads and writes meanwhile waits for nobody', async () => {
  await readOn('reading_ups')
  const dropping = drop().catch((error: Error) => error)
  const other = await connect()
  await other.query(`set lock_timeout = '500ms'`)
  let rounds = 0
  for (let isOver = false; !isOver; rounds++) {
    await other.query('select count(*) from reading_ups')
    await other.query(`insert into reading_ups (device_dt, inserted, device_id, number) values (now(), now(), 1, ${rounds % 9})
      on conflict do nothing`)
    isOver = await Promise.race([dropping.then(() => true), passTime(20, 'between two rounds').then(() => false)])
  }
  expect(rounds).toBeGreaterThan(10)
  await other.end()
})

test('what was killed between the halves of detaching is finished by the next run', async () => {
  await readOn('reading_ups')
  const victim = await connect()
  const pid = (await victim.query('select pg_backend_pid() as pid')).rows[0].pid
  const name = oldDay('reading_ups', 1)
  const detaching = victim.query(`alter table reading_ups detach partition ${name} concurrently`).catch(() => undefined)
  await eventually(
    () => stateOf(name),
    (state) => state === 'pending',
  )
  await owner.query('select pg_terminate_backend($1::integer)', [pid])
  await detaching
  await reader.query('commit')
  await drop()
  expect(dropped).toContain(name)
  expect(dropped).toHaveLength(TABLES * OLD_DAYS)
})

test('a table that was detached and never dropped is found', async () => {
  const name = oldDay('device_message', 0)
  await owner.query(`alter table device_message detach partition ${name}`)
  await drop()
  expect(await stateOf(name)).toBeUndefined()
  expect(dropped).toContain(name)
})

onOneMachine('a day on its way out that retention keeps by now comes back with its readings', async () => {
  await readOn('reading_ups')
  const name = partitionName('reading_ups', Math.floor(NOW.getTime() / DAY_MS) * DAY_MS - 3 * DAY_MS)
  await owner.query(`insert into ${name} (device_dt, inserted, device_id, number)
    values (date_trunc('day', now() at time zone 'UTC') at time zone 'UTC' - interval '3 days', now(), 1, 0)`)
  await owner.query(`set lock_timeout = '200ms'`)
  await expect(owner.query(`alter table reading_ups detach partition ${name} concurrently`)).rejects.toThrow()
  expect(await stateOf(name)).toBe('pending')
  await reader.query('commit')
  await finishDetaching(owner)
  await makePartitions(owner, NOW, RETENTION_DAYS)
  expect(await stateOf(name)).toBe('attached')
  expect((await owner.query('select count(*)::int as rows from reading_ups')).rows[0].rows).toBe(1)
})

test('a connection that is lost is told, and every table that is left comes next time', async () => {
  const victim = await connect()
  await victim.end()
  await expect(drop(victim)).rejects.toThrow()
  await drop()
  expect(dropped).toHaveLength(TABLES * OLD_DAYS)
})
