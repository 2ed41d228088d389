import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DeviceId } from '#domain/ids.ts'
import { DAY_MS } from '#domain/units/time.ts'
import { passTime } from '#testing/passTime.ts'
import { seededRandom } from '#testing/seededRandom.ts'
import { openPool } from '../db/connect/pool.ts'
import { isDistributed, readCitusState } from '../db/distribute/citusState.ts'
import { distribute, undistribute } from '../db/distribute/distribute.ts'
import { whatIsMissing } from '../db/distribute/distributionReport.ts'
import { readWorkers } from '../db/distribute/workers.ts'
import { dropOldPartitions, joinOldMessages } from '../db/partitions/oldPartitions.ts'
import { makePartitions, partitionName } from '../db/partitions/partitions.ts'
import { DISTRIBUTED_TABLES, LOOK_TABLE, MESSAGE_TABLE, PARTITIONED_TABLES } from '../db/partitions/readingTables.ts'
import { migrate } from '../db/upgrade/migrate.ts'
import { closeDays } from '../telemetry/closed/closeDays.ts'
import { firstOpenDay } from '../telemetry/closed/daysToClose.ts'
import { WritePath } from '../telemetry/write/WritePath.ts'
import { allReadings } from '../testing/database/allReadings.ts'
import { CITUS_FOLDER, CitusCluster, type CitusDatabase } from '../testing/database/citusCluster.ts'
import { storeReports, UPS } from '../testing/devices/telemetryFixture.ts'

const KEPT_DAYS = 3
const SHARDS = 4
const DEVICES = [1, 2, 3, 4, 5, 6, 7] as DeviceId[]
const NOW = new Date()
const dayBefore = (days: number) => new Date(NOW.getTime() - days * DAY_MS).toISOString().slice(0, 10)

describe.runIf(CITUS_FOLDER !== undefined)('where WAYSIDE_TEST_CITUS names a PostgreSQL with Citus', () => {
  let cluster: CitusCluster
  let database: CitusDatabase
  let owner: pg.Client
  let pool: pg.Pool
  let path: WritePath
  let asMigrated: readonly unknown[]
  const clients: pg.Client[] = []

  beforeAll(async () => {
    cluster = await CitusCluster.start({ folder: CITUS_FOLDER ?? '', workers: 2 })
    database = await cluster.makeDatabase({ isJoined: false })
    await migrate(database.ownerUrl, { retentionDays: KEPT_DAYS })
    owner = await connect()
    pool = openPool(database.applicationUrl, { maximumConnections: 6, name: 'test' })
    path = new WritePath({ pool, retentionDays: KEPT_DAYS, onStored: () => undefined, log: () => undefined })
  }, 120_000)
  afterAll(async () => {
    await path.stop(1_000)
    await pool.end()
    await Promise.all(clients.map((client) => client.end().catch(() => undefined)))
    cluster.stop()
  }, 60_000)

  async function connect(): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: database.ownerUrl, options: '-c TimeZone=UTC' })
    client.on('error', () => undefined)
    await client.connect()
    clients.push(client)
    return client
  }

  const missing = async () => whatIsMissing(await readCitusState(owner, DISTRIBUTED_TABLES))

  test('it says what is missing, until nothing is', async () => {
    expect(await missing()).toEqual([expect.stringContaining('There is no worker yet')])
    for (const worker of cluster.workers) await cluster.join(worker)
    await cluster.coordinator.ask('alter role wayside_app nologin')
    expect(await missing()).toEqual(
      cluster.workers.map(({ port }) =>
        expect.stringMatching(
          `cannot sign in to the worker 127.0.0.1:${port} as wayside_app: .*not permitted to log in`,
        ),
      ),
    )
    await cluster.coordinator.ask('alter role wayside_app login')
    expect(await missing()).toEqual([])
    expect(await isDistributed(owner, LOOK_TABLE)).toBe(false)
    asMigrated = await catalogue()
  }, 60_000)

  const store = (deviceId: DeviceId, atMs: number, load: number) =>
    storeReports(path, UPS, deviceId, [{ atMs, values: { load } }])

  test('a database that is distributed while devices report, and killed again and again, loses and doubles nothing', async () => {
    let stored = 0
    let isOver = false
    let longestMs = 0
    const report = async (deviceId: DeviceId) => {
      for (let each = 0; !isOver; each++) {
        const beganAt = performance.now()
        // Every third is an old one, which goes another way.
        await store(deviceId, NOW.getTime() - (each % 3 === 0 ? 2 * DAY_MS : 0) + each * 1000 - DAY_MS / 2, each)
        longestMs = Math.max(longestMs, performance.now() - beganAt)
        stored++
      }
    }
    const reporting = Promise.all(DEVICES.map(report))
    const random = seededRandom()
    let kills = 0
    for (let isDone = false; !isDone; ) {
      const victim = await connect()
      const { rows } = await victim.query<{ pid: number }>('select pg_backend_pid() as pid')
      const work = distribute(victim, { tables: DISTRIBUTED_TABLES, shards: SHARDS, say: () => undefined })
      const finished = work.then(
        () => true,
        () => false,
      )
      const killed = passTime(200 + random() * 4_000, 'before the kill').then(() => undefined)
      const outcome = await Promise.race([finished, killed])
      if (outcome === undefined && kills < 6) {
        kills++
        await owner.query('select pg_terminate_backend($1::integer)', [rows[0]?.pid])
      }
      isDone = await finished
    }
    isOver = true
    await reporting
    console.log(
      `${stored} reports were stored meanwhile, ${kills} kills; the longest waited ${Math.round(longestMs)} ms.`,
    )
    expect((await owner.query(`select count(*)::int as n from readings_of_ups where number = 1`)).rows).toEqual([
      { n: stored },
    ])
    const { tables } = await readCitusState(owner, DISTRIBUTED_TABLES)
    expect(tables.filter((table) => !table.isDistributed || table.hasLocalRows)).toEqual([])
    expect(await readWorkers(pool)).toHaveLength(2)
  }, 300_000)

  test('days are made, closed and dropped there, and messages joined', async () => {
    expect(await makePartitions(owner, new Date(NOW.getTime() + DAY_MS), KEPT_DAYS)).toBe(PARTITIONED_TABLES.length)
    const day = dayBefore(2)
    const before = await allReadings(owner, UPS, day)
    expect(before.size).toBeGreaterThan(0)
    const rest = () => Promise.resolve()
    // It is stopped once, after it began with the days, and goes on.
    let asked = 0
    expect(await closeDays(owner, { before: firstOpenDay(NOW, 1), isOver: () => asked++ > 0, rest })).toBe(false)
    expect(await closeDays(owner, { before: firstOpenDay(NOW, 1), isOver: () => false, rest })).toBe(true)
    expect(await allReadings(owner, UPS, day)).toEqual(before)
    const left = await owner.query(`select from pg_class where relname = $1`, [
      partitionName(LOOK_TABLE, Date.parse(day)),
    ])
    expect(left.rowCount).toBe(0)
    // What comes for a closed day is a late reading, and merged into it.
    await store(DEVICES[0] as DeviceId, Date.parse(day) + 5, 77)
    expect(await closeDays(owner, { before: firstOpenDay(NOW, 1), isOver: () => false, rest })).toBe(true)
    expect((await allReadings(owner, UPS, day)).size).toBe(before.size + 1)

    const dropped: string[] = []
    await dropOldPartitions(owner, {
      ...{ now: NOW, retentionDays: KEPT_DAYS - 1, keepsReadings: true },
      onDropped: (table) => dropped.push(table),
    })
    expect(dropped).toEqual([partitionName('rejected_report', Date.parse(dayBefore(KEPT_DAYS)))])

    const first = new Date(Date.UTC(2026, 0, 1))
    await makePartitions(owner, first, 0)
    await owner.query(`insert into ${MESSAGE_TABLE} (at, device_id, hash, msg)
      select timestamptz '2026-01-03' + n * interval '1 hour', n, '', 'kept' from generate_series(1, 40) n`)
    await joinOldMessages(owner, new Date(Date.UTC(2026, 1, 20)), 5)
    expect((await owner.query(`select from ${MESSAGE_TABLE} where at < '2026-02-01'`)).rowCount).toBe(40)
    expect((await owner.query(`select from ${MESSAGE_TABLE}_202601`)).rowCount).toBe(40)
  }, 300_000)

  /** Rights, options and words of all tables and views, and the rights of columns. */
  const catalogue = async () =>
    (
      await owner.query(
        `select c.oid::regclass::text as name, c.reloptions::text as options, o.rolname as owner,
           (select array_agg(distinct coalesce(r.rolname, 'public') || ' ' || a.privilege_type)
            from aclexplode(c.relacl) a left join pg_roles r on r.oid = a.grantee where a.grantee <> c.relowner) as rights,
           (select array_agg(d.description order by d.objsubid) from pg_description d
            where d.objoid = c.oid and d.classoid = 'pg_class'::regclass) as words
         from pg_class c join pg_roles o on o.oid = c.relowner
         where c.relkind in ('r', 'p', 'v') and c.relnamespace in ('public'::regnamespace, 'reports'::regnamespace)
           and not c.relispartition and c.relname not like 'citus%' order by 1`,
      )
    ).rows

  test('what was distributed is taken back, with everything in it', async () => {
    const count = async () =>
      (
        await owner.query(
          `select (select count(*) from readings_of_ups) as ups, (select count(*) from closed_day) as closed,
             (select count(*) from ${MESSAGE_TABLE}) as messages`,
        )
      ).rows
    const before = await count()
    await undistribute(owner, { tables: DISTRIBUTED_TABLES, say: () => undefined })
    expect(await isDistributed(owner, DISTRIBUTED_TABLES[0] ?? '')).toBe(false)
    expect(await count()).toEqual(before)
    expect(await catalogue()).toEqual(asMigrated)
  }, 300_000)
})
