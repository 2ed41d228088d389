import type pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import { ConnectionWatch } from '../db/connect/ConnectionWatch.ts'
import { transactionOn } from '../db/transaction.ts'
import { databaseTest } from '../testing/database/databaseTest.ts'
import { SwallowingProxy } from '../testing/database/SwallowingProxy.ts'
import { eventually } from '../testing/devices/gatewayFixture.ts'
import { IMPATIENCE } from '../testing/impatience.ts'
import { type Job, JobRunner } from './JobRunner.ts'

const WITHIN_MS = 40_000

const { database, owner } = await databaseTest()

const leftovers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const clean of leftovers.splice(0)) await clean()
})

/** Starts what the database sees as a process of its own, behind its own proxy. */
async function start(job: Omit<Job, 'name'>): Promise<{ jobs: JobRunner; proxy: SwallowingProxy }> {
  const proxy = await SwallowingProxy.start(database.ownerUrl)
  const watch = new ConnectionWatch(proxy.through(database.ownerUrl), IMPATIENCE)
  const jobs = new JobRunner({ watch, jobs: [{ name: 'test', ...job }], log: { error: () => undefined } })
  leftovers.push(
    () => jobs.stop(),
    () => proxy.stop(),
  )
  return { jobs, proxy }
}
const noted = async () => (await owner.query<{ name: string }>('select name from customer order by id')).rows
const note = (client: pg.ClientBase, name: string) => client.query('insert into customer (name) values ($1)', [name])

test('what a leader has begun is undone when another leads before its commit', async () => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const { promise: goesOn, resolve: goOn } = Promise.withResolvers<void>()
  let failure: unknown
  const first = await start({
    everyMs: 60_000,
    run: (work) =>
      transactionOn(work, async () => {
        await note(work, 'of the first')
        begin()
        await goesOn
      }).catch((error: unknown) => {
        failure = error
      }),
  })
  await begun
  let turns = 0
  await start({ everyMs: 50, run: async (work) => void (await note(work, `of the second ${++turns}`)) })
  // The first process still reaches the database with everything but its lead.
  expect(first.proxy.swallow((name) => name === 'wayside lead')).toBe(1)
  const names = await eventually(noted, (rows) => rows.some(({ name }) => name.startsWith('of the second')), WITHIN_MS)
  expect(names.some(({ name }) => name.startsWith('of the second'))).toBe(true)
  goOn()
  await eventually(
    async () => failure,
    (error) => error !== undefined,
  )
  expect(failure).toBeInstanceOf(Error)
  expect((await noted()).some(({ name }) => name === 'of the first')).toBe(false)
}, 60_000)

test('a job that takes longer than the lead may be silent ends well', async () => {
  const { promise: ended, resolve: end } = Promise.withResolvers<string[]>()
  const states: string[] = []
  const { jobs } = await start({
    everyMs: 60_000,
    async run(work, _now, over) {
      const seenAtMs = jobs.leaderSeenAtMs()
      await work.query(`select pg_sleep(${(1.3 * IMPATIENCE.leaderSilentMs) / 1000})`)
      states.push(over.aborted ? 'the lead was lost' : 'still leads')
      // The leader beat meanwhile, and last when it would otherwise have counted as silent.
      states.push(jobs.leaderSeenAtMs() - seenAtMs > IMPATIENCE.beatEveryMs ? 'seen' : 'not seen')
      end(states)
    },
  })
  expect(await ended).toEqual(['still leads', 'seen'])
}, 40_000)

test('with the connection of its jobs half-open the leader goes on with another', async () => {
  const pids: number[] = []
  const { proxy } = await start({
    everyMs: 50,
    async run(work) {
      const { rows } = await work.query<{ pid: number }>('select pg_backend_pid() as pid')
      pids.push(rows[0]?.pid ?? 0)
    },
  })
  await eventually(
    async () => pids.length,
    (count) => count > 0,
  )
  expect(proxy.swallow((name) => name === 'wayside jobs')).toBe(1)
  const different = async () => new Set(pids).size
  expect(await eventually(different, (count) => count === 2, WITHIN_MS)).toBe(2)
}, 60_000)

test('a leader that says nothing is followed by another', async () => {
  const ran: string[] = []
  let lead: AbortSignal | undefined
  const first = await start({
    everyMs: 50,
    async run(_work, _now, over) {
      lead = over
      ran.push('first')
    },
  })
  await eventually(
    async () => ran.length,
    (count) => count > 0,
  )
  await start({ everyMs: 50, run: async () => void ran.push('second') })
  first.proxy.freeze()
  expect(
    await eventually(
      async () => ran.includes('second'),
      (is) => is,
      WITHIN_MS,
    ),
  ).toBe(true)
  await eventually(async () => lead?.aborted, Boolean, WITHIN_MS)
  expect(lead?.aborted).toBe(true)
  // Only the other process runs from now on.
  const lostAt = ran.length
  const runs = await eventually(
    async () => ran.slice(lostAt),
    ({ length }) => length >= 6,
    WITHIN_MS,
  )
  expect(runs.slice(0, 6)).toEqual(Array(6).fill('second'))
}, 60_000)
