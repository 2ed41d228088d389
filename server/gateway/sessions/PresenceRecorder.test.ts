import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import type { DeviceGuid, DeviceId } from '#domain/ids.ts'
import { lockEachUntilCommit } from '#server/db/advisoryLocks.ts'
import { openPool } from '#server/db/connect/pool.ts'
import { databaseTest } from '#server/testing/database/databaseTest.ts'
import { SwallowingProxy } from '#server/testing/database/SwallowingProxy.ts'
import { eventually } from '#server/testing/devices/gatewayFixture.ts'
import { passTime } from '#testing/passTime.ts'
import { seededRandom } from '#testing/seededRandom.ts'
import { beginProcess, expireDeadProcess, lapsedLeases, renewLease } from '../wire/presence.store.ts'
import { TokenBucket } from '../wire/TokenBucket.ts'
import { DeviceSession } from './DeviceSession.ts'
import { PresenceRecorder } from './PresenceRecorder.ts'

const { database, owner } = await databaseTest()
const pool = openPool(database.applicationUrl, { maximumConnections: 4, name: 'test' })
afterAll(() => pool.end())

/** Makes a process as the database sees it, and collects the devices it published. */
async function newProcess(through = pool) {
  const processId = randomUUID()
  const told: DeviceId[] = []
  const troubles: object[] = []
  const keeper = new PresenceRecorder({
    pool: through,
    processId,
    onPresence: (deviceId) => told.push(deviceId),
    log: (_sentence, detail) => troubles.push(detail),
  })
  await keeper.begin()
  return { processId, keeper, told, troubles }
}

let lastId = 1_000
const newSession = () =>
  new DeviceSession(++lastId as DeviceId, randomUUID() as DeviceGuid, new TokenBucket(0, 0), performance.now())
const newSessions = (count: number) => Array.from({ length: count }, newSession)

async function history(deviceIds: readonly DeviceId[]): Promise<ReadonlyMap<DeviceId, string[]>> {
  const { rows } = await owner.query<{ device_id: DeviceId; words: string[] }>(
    `select device_id, array_agg(case when is_online then '+' else '-' end || reason order by at) as words
     from device_presence_history where device_id = any($1) group by 1`,
    [deviceIds],
  )
  return new Map(rows.map(({ device_id, words }) => [device_id, words]))
}
const idsOf = (sessions: readonly DeviceSession[]) => sessions.map(({ deviceId }) => deviceId)
const rowsOf = async (sessions: readonly DeviceSession[]) =>
  Number(
    (await owner.query('select count(*) from device_connection where device_id = any($1)', [idsOf(sessions)])).rows[0]
      ?.count,
  )

test('a device that connects and leaves before either is stored has been there, and each of many has its history', async () => {
  const { keeper, told } = await newProcess()
  const sessions = newSessions(600)
  for (const [index, session] of sessions.entries()) {
    keeper.opened(session, randomUUID())
    if (index % 3 === 0) {
      const connectionId = randomUUID()
      keeper.opened(session, connectionId)
      keeper.closed(session, connectionId, 'replaced')
    }
    if (index % 2 === 0) {
      session.isSilent = true
      keeper.silenceChanged(session)
      session.isSilent = false
      keeper.silenceChanged(session)
    }
  }
  const expected = sessions.map((_, index) => ['+connected', ...(index % 2 ? [] : ['-silent', '+heard_again'])])
  await eventually(
    async () => told.length,
    (count) => count === expected.flat().length,
  )
  const found = await history(idsOf(sessions))
  expect(sessions.map(({ deviceId }) => found.get(deviceId))).toEqual(expected)
  expect(await rowsOf(sessions)).toBe(600)
  await keeper.end()
  expect((await history(idsOf(sessions))).get(sessions[0]?.deviceId as DeviceId)?.at(-1)).toBe('-server_stopped')
  expect(await rowsOf(sessions)).toBe(0)
})

test('whatever two processes tell of the same devices, history says in turns what was so, and last what is', async () => {
  const chance = seededRandom()
  const sessions = newSessions(40)
  const processes = [await newProcess(), await newProcess()] as const
  const open = processes.map(() => new Map(sessions.map((session) => [session, [] as string[]])))
  for (let turn = 0; turn < 1200; turn++) {
    const which = chance() < 0.5 ? 0 : 1
    const session = sessions[Math.floor(chance() * sessions.length)] as DeviceSession
    const links = open[which]?.get(session) as string[]
    const { keeper } = processes[which]
    if (links.length === 0 || (links.length < 2 && chance() < 0.3)) {
      links.push(randomUUID())
      keeper.opened(session, links.at(-1) as string)
    } else keeper.closed(session, links.shift() as string, 'disconnected')
    if (chance() < 0.02) await passTime(5, 'batches of both processes are on their way')
  }
  const links = () => open.flatMap((ofProcess) => [...ofProcess.values()]).flat()
  await eventually(
    () => owner.query('select connection_id from device_connection where device_id = any($1)', [idsOf(sessions)]),
    ({ rows }) => JSON.stringify(rows.map((row) => row.connection_id).sort()) === JSON.stringify(links().sort()),
  )
  const found = await history(idsOf(sessions))
  for (const session of sessions) {
    const words = (found.get(session.deviceId) ?? []).map((word) => word.charAt(0)).join('')
    const isThere = open.some((ofProcess) => (ofProcess.get(session) ?? []).length > 0)
    expect(words).toMatch(isThere ? /^(\+-)*\+$/ : /^(\+-)*$/)
  }
  for (const { keeper, troubles } of processes) {
    expect(troubles).toEqual([])
    await keeper.end()
  }
})

test('what the database refuses of one device is tried again, and its neighbours are stored meanwhile', async () => {
  const { keeper, told, troubles } = await newProcess()
  const sessions = newSessions(20)
  const refused = sessions[7] as DeviceSession
  await owner.query(
    `alter table device_presence_history add constraint no_such_device check (device_id <> ${refused.deviceId})`,
  )
  for (const session of sessions) keeper.opened(session, randomUUID())
  await eventually(
    async () => told.length,
    (count) => count === 19,
  )
  await eventually(
    async () => troubles.length,
    (count) => count >= 2,
  )
  expect(await rowsOf(sessions)).toBe(19)
  expect(troubles[0]).toMatchObject({ deviceId: refused.deviceId })
  await owner.query('alter table device_presence_history drop constraint no_such_device')
  await eventually(
    async () => told.length,
    (count) => count === 20,
  )
  expect((await history([refused.deviceId])).get(refused.deviceId)).toEqual(['+connected'])
  await keeper.end()
})

test('a device that another process holds keeps nobody else waiting', async () => {
  const { keeper, told } = await newProcess()
  const sessions = newSessions(20)
  const held = sessions[3] as DeviceSession
  await owner.query('begin')
  await owner.query(`select ${lockEachUntilCommit('presenceOfDevice', held.deviceId)}`)
  for (const session of sessions) keeper.opened(session, randomUUID())
  await eventually(
    async () => told.length,
    (count) => count === 19,
  )
  expect(told).not.toContain(held.deviceId)
  await owner.query('rollback')
  await eventually(
    async () => told.length,
    (count) => count === 20,
  )
  expect((await history([held.deviceId])).get(held.deviceId)).toEqual(['+connected'])
  await keeper.end()
})

test('when the answer to a commit is lost, nothing is stored twice and everybody is told', async () => {
  const proxy = await SwallowingProxy.start(database.applicationUrl)
  const through = openPool(proxy.through(database.applicationUrl), { maximumConnections: 2, name: 'test lost' })
  const { keeper, told, troubles } = await newProcess(through)
  const sessions = newSessions(30)
  proxy.onRequested((chunk, line) => {
    if (!chunk.includes('commit')) return false
    for (const socket of line.sockets) setTimeout(() => socket.destroy(), 50)
    line.isSwallowed = true
    return true
  })
  for (const session of sessions) keeper.opened(session, randomUUID())
  await eventually(
    async () => told.length,
    (count) => count === 30,
  )
  expect([...told].sort()).toEqual(idsOf(sessions))
  expect(troubles).toHaveLength(1)
  const found = await history(idsOf(sessions))
  expect(sessions.map(({ deviceId }) => found.get(deviceId))).toEqual(sessions.map(() => ['+connected']))
  await keeper.end()
  await through.end()
  await proxy.stop()
})

async function deadProcess(count: number) {
  const processId = randomUUID()
  const deviceIds = idsOf(newSessions(count))
  await beginProcess(pool, processId)
  await owner.query(
    `insert into device_connection (device_id, connection_id, process_id) select d, gen_random_uuid(), $2 from unnest($1::int[]) d`,
    [deviceIds, processId],
  )
  await owner.query(
    `insert into device_presence_history (device_id, at, is_online, reason) select d, now(), true, 'connected' from unnest($1::int[]) d`,
    [deviceIds],
  )
  const isOver = () =>
    owner.query(`update server_process set lease_until = now() - interval '1 second' where id = $1`, [processId])
  return { processId, deviceIds, isOver }
}

test('a dead process with many devices takes few locks at a time, and all of them go offline', async () => {
  const { processId, deviceIds, isOver } = await deadProcess(3000)
  await isOver()
  await owner.query(`
    create table most_locks (held bigint);
    grant insert on most_locks to public;
    create function note_locks() returns trigger language plpgsql as $$ begin
      insert into most_locks select count(*) from pg_locks where locktype = 'advisory' and pid = pg_backend_pid();
      return null;
    end $$;
    create trigger note_locks after insert on device_presence_history for each statement execute function note_locks()`)
  const offline: DeviceId[] = []
  await expireDeadProcess(pool, processId, (deviceId) => offline.push(deviceId))
  expect(offline.sort((a, b) => a - b)).toEqual(deviceIds)
  const { rows } = await owner.query<{ most: number }>('select max(held)::int as most from most_locks')
  await owner.query('drop trigger note_locks on device_presence_history')
  // PostgreSQL's defaults allow 6,400 locks for everybody together.
  expect(rows[0]?.most).toBeLessThanOrEqual(640)
  expect((await owner.query('select from server_process where id = $1', [processId])).rowCount).toBe(0)
})

test('when whoever takes a dead process out dies in between, another goes on', async () => {
  const { processId, deviceIds, isOver } = await deadProcess(1200)
  await isOver()
  const dying = openPool(database.applicationUrl, { maximumConnections: 1, name: 'test dying' })
  const offline = new Set<DeviceId>()
  const dies = expireDeadProcess(dying, processId, (deviceId) => {
    offline.add(deviceId)
    dying.end().catch(() => undefined)
  })
  await expect(dies).rejects.toThrow()
  expect(offline.size).toBeGreaterThan(0)
  expect(offline.size).toBeLessThan(1200)
  expect([...(await lapsedLeases(pool)).keys()]).toEqual([processId])
  await expireDeadProcess(pool, processId, (deviceId) => offline.add(deviceId))
  expect([...offline].sort((a, b) => a - b)).toEqual(deviceIds)
})

test('a process that is taken out while it lives notices it, and its connections stay once it has said so', async () => {
  const { processId, isOver } = await deadProcess(1200)
  await isOver()
  let renewal: Promise<boolean> | undefined
  const offline: DeviceId[] = []
  await expireDeadProcess(pool, processId, (deviceId) => {
    offline.push(deviceId)
    renewal ??= renewLease(pool, processId).then(async (isRenewed) => {
      if (!isRenewed) await beginProcess(pool, processId)
      return isRenewed
    })
  })
  expect(await renewal).toBe(false)
  const { rows } = await owner.query('select count(*)::int from device_connection where process_id = $1', [processId])
  expect(rows[0]?.count).toBe(1200 - offline.length)
  expect(await renewLease(pool, processId)).toBe(true)
  await expireDeadProcess(pool, processId, () => expect.unreachable('It lives.'))
})
