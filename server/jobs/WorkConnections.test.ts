import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { lockUntilDisconnected, tryShareUntilDisconnected } from '../db/advisoryLocks.ts'
import { ConnectionWatch } from '../db/connect/ConnectionWatch.ts'
import type { WatchedClient } from '../db/connect/WatchedClient.ts'
import { databaseTest } from '../testing/database/databaseTest.ts'
import { eventually } from '../testing/devices/gatewayFixture.ts'
import { WorkConnections } from './WorkConnections.ts'

const { database, owner } = await databaseTest()

const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

/** Stands for a process that learns neither that its lead is lost nor that it must stop. */
async function lead() {
  const watch = new ConnectionWatch(database.ownerUrl)
  const session = await watch.connect({ application_name: 'wayside lead' })
  await session.query(`select ${lockUntilDisconnected('lead')}`)
  const never = new AbortController().signal
  const connections = new WorkConnections({ watch, leader: session, over: never, lost: never })
  ends.push(
    () => session.end(),
    () => connections.end(),
  )
  const lose = () => owner.query('select pg_terminate_backend($1::integer, 2000)', [session.processID])
  return { connections, lose }
}

const note = (connection: pg.ClientBase, name: string) =>
  connection.query('insert into customer (name) values ($1)', [name])
const isNoted = async (name: string) =>
  (await owner.query('select from customer where name = $1', [name])).rowCount === 1
const isAlive = async ({ processID }: WatchedClient) =>
  (await owner.query('select from pg_stat_activity where pid = $1', [processID])).rowCount === 1

/** Begins a job that has written and not committed yet. */
function begin(connections: WorkConnections, name: string) {
  const { promise: begun, resolve: tell, reject: fail } = Promise.withResolvers<WatchedClient>()
  const { promise: goesOn, resolve: commit } = Promise.withResolvers<void>()
  const ended = connections.lend(async (connection) => {
    await connection.query('begin')
    await note(connection, name)
    tell(connection)
    await goesOn
    await connection.query('commit')
  })
  // A caller that waits for the beginning gets the error.
  ended.catch(fail)
  begun.catch(() => undefined)
  return { begun, commit, ended }
}

test('jobs of one leader work side by side, and a connection that was given back is lent again', async () => {
  const { connections } = await lead()
  const jobs = ['one', 'two', 'three'].map((name) => begin(connections, name))
  const used = await Promise.all(jobs.map(({ begun }) => begun))
  for (const { commit } of jobs) commit()
  await Promise.all(jobs.map(({ ended }) => ended))
  expect(await Promise.all(['one', 'two', 'three'].map(isNoted))).toEqual([true, true, true])
  await connections.lend(async (connection) => {
    expect(used).toContain(connection)
    expect(await isAlive(connection)).toBe(true)
  })
})

test('all that a former leader has begun is undone before another works', async () => {
  const former = await lead()
  const jobs = ['of the former', 'and one more'].map((name) => begin(former.connections, name))
  await Promise.all(jobs.map(({ begun }) => begun))
  await former.lose()
  const next = await lead()
  await next.connections.lend(async (connection) => void (await note(connection, 'of the next')))
  for (const { commit } of jobs) commit()
  for (const { ended } of jobs) await expect(ended).rejects.toThrow()
  expect(await Promise.all(['of the former', 'and one more', 'of the next'].map(isNoted))).toEqual([false, false, true])
})

test('who leads no more is lent nothing, and ends nobody’s work', async () => {
  const former = await lead()
  await former.connections.lend(async () => undefined)
  await former.lose()
  await expect(former.connections.lend(async (connection) => void (await note(connection, 'late')))).rejects.toThrow()
  const next = await lead()
  const job = begin(next.connections, 'undisturbed')
  await job.begun
  await expect(former.connections.lend(async (connection) => void (await note(connection, 'later')))).rejects.toThrow()
  job.commit()
  await job.ended
  expect(await Promise.all(['late', 'later', 'undisturbed'].map(isNoted))).toEqual([false, false, true])
})

async function blocked(connections: WorkConnections) {
  const blocker = new pg.Client({ connectionString: database.ownerUrl })
  await blocker.connect()
  ends.push(() => blocker.end())
  await blocker.query('begin; lock table customer')
  const { promise: asked, resolve: tell } = Promise.withResolvers<WatchedClient>()
  const ended = connections.lend(async (connection) => {
    tell(connection)
    await note(connection, 'of nobody')
  })
  ended.catch(() => undefined)
  const connection = await asked
  await eventually(
    () => waitingFor('Lock', connection.processID),
    (waits) => waits,
  )
  return { connection, ended, release: () => blocker.query('commit') }
}

const waitingFor = async (type: 'Lock' | 'IPC', processId: number | null) =>
  (await owner.query('select from pg_stat_activity where pid = $1 and wait_event_type = $2', [processId, type]))
    .rowCount === 1

test('what goes on in the database for a connection that broke is ended before the next run', async () => {
  const { connections } = await lead()
  const { connection, ended, release } = await blocked(connections)
  connection.giveUp()
  await expect(ended).rejects.toThrow()
  expect(await isAlive(connection)).toBe(true)
  await connections.lend(async () => undefined)
  expect(await isAlive(connection)).toBe(false)
  await release()
  expect(await isNoted('of nobody')).toBe(false)
})

test('a connection that breaks while another is lent is ended too, and the other works', async () => {
  const { connections } = await lead()
  const { connection, ended, release } = await blocked(connections)
  const stranger = new pg.Client({ connectionString: database.ownerUrl })
  stranger.on('error', () => undefined)
  await stranger.connect()
  const { rows } = await stranger.query(`select pg_backend_pid() as pid, ${tryShareUntilDisconnected('jobs')}`)
  // The backend must be ended for the job that begins now, which takes a while.
  process.kill(rows[0].pid, 'SIGSTOP')
  const other = begin(connections, 'of the other')
  const ending = `select pid from pg_stat_activity where query like '%pg_terminate_backend(work.pid%' and pid <> pg_backend_pid()`
  await eventually(
    async () => (await owner.query(ending)).rowCount,
    (count) => count === 1,
  )
  connection.giveUp()
  await expect(ended).rejects.toThrow()
  process.kill(rows[0].pid, 'SIGCONT')
  await eventually(
    () => Promise.race([isAlive(connection), other.ended.then(() => true)]),
    (lives) => !lives,
  )
  await release()
  await other.begun
  other.commit()
  await other.ended
  expect(await isNoted('of the other')).toBe(true)
})
