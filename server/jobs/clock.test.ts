import type { MqttClient } from 'mqtt'
import pg from 'pg'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventsTopic } from '#contract/mqtt/topics.ts'
import { DAY_MS } from '#domain/units/time.ts'
import type { RunningServer } from '../app/server.ts'
import { openPool } from '../db/connect/pool.ts'
import { makePartitions } from '../db/partitions/partitions.ts'
import { migrate } from '../db/upgrade/migrate.ts'
import { type FreshDatabase, freshDatabase } from '../testing/database/freshDatabase.ts'
import { KEPT_DAYS } from '../testing/database/keptDays.ts'
import { closed, connectDevice, eventually, insertDevices, type TestDevice } from '../testing/devices/gatewayFixture.ts'
import { shiftClock } from '../testing/shiftClock.ts'
import { startWholeServer } from '../testing/wholeServer/wholeServer.ts'
import { confirmOldDays } from './confirmOldDays.ts'

const YEAR_DAYS = 365
/** Making and dropping hundreds of tables is slow on a busy machine. */
const LONG_MS = 240_000

let database: FreshDatabase
let owner: pg.Client
let pool: pg.Pool
let lines: { readonly msg: string; readonly table?: string }[]
const ends: (() => unknown)[] = []

beforeEach(async () => {
  database = await freshDatabase()
  owner = new pg.Client({ connectionString: database.ownerUrl })
  await owner.connect()
  pool = openPool(database.applicationUrl, { maximumConnections: 2, name: 'test' })
  lines = []
})
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
  await pool.end()
  await owner.end()
  await database.drop()
})

async function start(): Promise<RunningServer> {
  const log = pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line)) })
  const server = await startWholeServer(database, { log })
  ends.push(server.stop)
  return server
}

const days = async () =>
  (
    await owner.query<{ name: string }>(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'device_message'::regclass order by 1`,
    )
  ).rows.map(({ name }) => name)

const health = async ({ localAddresses }: RunningServer) =>
  ((await (await fetch(`${localAddresses.httpUrl}/healthz`)).json()) as { troubles: string[] }).troubles.at(0)

const healthSays = (server: RunningServer, words: RegExp) =>
  eventually(
    () => health(server),
    (reason) => words.test(reason ?? ''),
    30_000,
  )

/** Acts as if both clocks had been set ahead: what the database remembers lies that much further back. */
async function jump(byDays: number): Promise<void> {
  await owner.query(`update clock_state set seen_at = seen_at - make_interval(days => $1)`, [byDays])
}

/** Adds one expired row of each kind. */
async function addWhatIsOver(): Promise<void> {
  await owner.query(`
    insert into customer (name) values ('Past') on conflict do nothing;
    insert into app_role (name) values ('Past') on conflict do nothing;
    insert into app_user (username, email, role_id) select 'past@x.example', 'past@x.example', min(id) from app_role
      on conflict do nothing;
    insert into app_session (token_hash, user_id, expires_at)
      select sha256('x'), min(id), now() - interval '200 days' from app_user
      on conflict do nothing;
    insert into sign_in_failure (subject, failures, last_failed_at) values ('x', 1, now() - interval '200 days')
      on conflict do nothing`)
}
const whatIsOver = async () =>
  (
    await owner.query(
      `select (select count(*)::int from app_session) as sessions, (select count(*)::int from sign_in_failure) as failures`,
    )
  ).rows[0]

test(
  'a process whose clock is a year ahead of the database or behind it says so and deletes nothing, and does when it is right',
  async () => {
    await makePartitions(owner, new Date(Date.now() - 100 * DAY_MS), 2)
    await addWhatIsOver()
    const before = await days()
    const old = before.slice(0, 10)
    let setRight = shiftClock(YEAR_DAYS * DAY_MS)
    ends.push(() => setRight())
    const server = await start()
    for (const [index, which] of ['ahead of', 'behind'].entries()) {
      await healthSays(server, new RegExp(`36[45] d .* ${which} the database`))
      expect(lines.filter(({ msg }) => msg.includes('The clock of this process'))).toHaveLength(1)
      // All jobs begin at once: while this one ran again, each had its time.
      const ranAt = async () => Number((await owner.query('select ran_at from rollup_state')).rows[0].ran_at)
      const first = await eventually(ranAt, Boolean)
      await eventually(ranAt, (again) => again > first)
      expect(await days()).toEqual(expect.arrayContaining(before))
      expect(await whatIsOver()).toEqual({ sessions: 1, failures: 1 })
      setRight()
      if (index === 0) setRight = shiftClock(-YEAR_DAYS * DAY_MS)
    }
    await eventually(whatIsOver, ({ sessions }) => sessions === 0, 60_000)
    await eventually(days, (present) => !present.some((day) => old.includes(day)), 60_000)
    expect(lines.filter(({ msg }) => msg.includes('was dropped')).length).toBeGreaterThan(0)
    expect(await health(server)).toBeUndefined()
    await clocksJump(server)
  },
  LONG_MS,
)

/** Both clocks jump while the server runs, which stops it from deleting until they are set right. */
async function clocksJump(server: RunningServer): Promise<void> {
  for (const [which, byDays] of [
    ['forwards', 2],
    ['backwards', -2],
  ] as const) {
    await jump(byDays)
    await addWhatIsOver()
    await healthSays(server, new RegExp(`jumped ${which}`))
    expect(await whatIsOver()).toEqual({ sessions: 1, failures: 1 })
    await jump(-byDays)
    await eventually(
      () => health(server),
      (reason) => reason === undefined,
      30_000,
    )
    expect(lines.splice(0).map(({ msg }) => msg)).toContain('The clock is right again.')
  }
}

test(
  'clocks that jumped a year while no server ran make and drop no days until somebody confirms',
  async () => {
    await makePartitions(owner, new Date(Date.now() - YEAR_DAYS * DAY_MS), 0)
    await addWhatIsOver()
    await jump(YEAR_DAYS)
    await owner.query(`drop table device_message_${dayText(Date.now() + 7 * DAY_MS)}`)
    const before = await days()
    await migrate(database.ownerUrl, { retentionDays: KEPT_DAYS })
    const server = await start()
    const words = await healthSays(server, /jumped forwards/)
    expect(words).toMatch(/tables of the days \d{8} to \d{8} would be dropped.*drop-old-days --confirm/)
    expect(lines.filter(({ msg }) => msg === words)).toHaveLength(1)
    await eventually(async () => (await owner.query('select ran_at from rollup_state')).rows[0].ran_at, Boolean)
    expect(await days()).toEqual(before)
    expect(await whatIsOver()).toEqual({ sessions: 1, failures: 1 })
    const deps = { pool, retentionDays: KEPT_DAYS }
    // A minute may have passed between the two.
    const withoutMinute = (said?: string) => said?.replaceAll(/\d\d:\d\d UTC/g, '')
    expect(withoutMinute(await confirmOldDays({ ...deps, isConfirmed: false }))).toBe(withoutMinute(words))
    expect(await days()).toEqual(before)
    await confirmOldDays({ ...deps, isConfirmed: true })
    // Before that there are as many, with one old day too many.
    const ahead = `device_message_${dayText(Date.now() + 7 * DAY_MS)}`
    const isRight = (present: readonly string[]) => present.length === KEPT_DAYS + 1 + 7 && present.includes(ahead)
    const kept = await eventually(days, isRight, 120_000)
    expect([kept.length, kept.includes(ahead)]).toEqual([KEPT_DAYS + 1 + 7, true])
    // Old messages are joined to months, and what was refused goes.
    const gone = before
      .filter((day) => !kept.includes(day))
      .map((day) => day.replace('device_message', 'rejected_report'))
    const told = async () => lines.map(({ table }) => table)
    expect(await eventually(told, (tables) => gone.every((day) => tables.includes(day)))).toEqual(
      expect.arrayContaining(gone),
    )
    await eventually(
      () => health(server),
      (reason) => reason === undefined,
    )
  },
  LONG_MS,
)

test('while the clock has jumped, what a device reports of days that there are is stored, and the rest is never lost', async () => {
  const YEAR_AGO_MS = Date.now() - YEAR_DAYS * DAY_MS
  await makePartitions(owner, new Date(YEAR_AGO_MS), 2)
  await jump(YEAR_DAYS)
  const devices = openPool(database.ownerUrl, { maximumConnections: 1, name: 'test owner' })
  ends.push(() => devices.end())
  const [device] = (await insertDevices(devices, 1)) as [TestDevice]
  const server = await start()
  await healthSays(server, /jumped forwards/)
  const port = Number(new URL(server.localAddresses.mqttUrl).port)
  const connect = async () => {
    const client = await connectDevice(port, device)
    ends.push(() => client.end(true))
    return client
  }
  const report = (client: MqttClient, atMs: number) =>
    client.publishAsync(
      eventsTopic(device.guid, 'ups', 1),
      JSON.stringify({ at: new Date(atMs).toISOString(), values: { load: 5 } }),
      { qos: 1 },
    )
  const stored = async () =>
    (await owner.query<{ at: Date }>('select device_dt as at from readings_of_ups order by 1')).rows.map(
      ({ at }) => +at,
    )
  const client = await connect()
  const nextYearMs = Date.now()
  let isAcknowledged = false
  report(client, nextYearMs).then(
    () => {
      isAcknowledged = true
    },
    () => undefined,
  )
  await report(client, YEAR_AGO_MS)
  expect(await stored()).toEqual([YEAR_AGO_MS])
  const ended = closed(client)
  await confirmOldDays({ pool, retentionDays: KEPT_DAYS, isConfirmed: true })
  await ended
  expect(isAcknowledged).toBe(false)
  await report(await connect(), nextYearMs)
  expect(await stored()).toContain(nextYearMs)
  expect((await owner.query('select from rejected_report')).rowCount).toBe(0)
})

const dayText = (atMs: number) => new Date(atMs).toISOString().slice(0, 10).replaceAll('-', '')
