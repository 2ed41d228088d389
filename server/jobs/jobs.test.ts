import pg from 'pg'
import { expect, test, vi } from 'vitest'
import type { DeviceId } from '#domain/ids.ts'
import { mergeMarks } from '#server/telemetry/state/mergeState.ts'
import { jobsAreDone } from '../app/healthChecks.ts'
import { ConnectionWatch } from '../db/connect/ConnectionWatch.ts'
import { dropOldPartitions } from '../db/partitions/oldPartitions.ts'
import { makePartitions, partitionName } from '../db/partitions/partitions.ts'
import { databaseTest } from '../testing/database/databaseTest.ts'
import { createJobRinger } from './JobBells.ts'
import { type AnyJob, type Job, JobRunner } from './JobRunner.ts'
import { pause } from './pause.ts'

const { database, owner } = await databaseTest()

const quiet = { error: () => undefined }
const until = (holds: () => boolean) => vi.waitUntil(holds, { timeout: 30_000, interval: 20 })

test('one process of two leads, and the other takes over when it stops', async () => {
  const ran: string[] = []
  const jobOf = (process: string): Job => ({ name: 'note', everyMs: 20, run: async () => void ran.push(process) })
  const first = new JobRunner({ watch: new ConnectionWatch(database.ownerUrl), jobs: [jobOf('first')], log: quiet })
  await until(() => ran.length > 2)
  const second = new JobRunner({ watch: new ConnectionWatch(database.ownerUrl), jobs: [jobOf('second')], log: quiet })
  // The process has requested the lead, and waits.
  const leaders =
    "select from pg_stat_activity where datname = current_database() and application_name = 'wayside lead'"
  await vi.waitUntil(async () => (await owner.query(leaders)).rowCount === 2, { timeout: 30_000 })
  const before = ran.length
  await until(() => ran.length > before + 5)
  expect(new Set(ran)).toEqual(new Set(['first']))
  await first.stop()
  await until(() => ran.includes('second'))
  await second.stop()
})

test('a job that fails is logged and comes again, and keeps no other from running', async () => {
  const tries: string[] = []
  const logged: object[] = []
  const jobs: Job[] = [
    { name: 'bad', everyMs: 20, run: async () => Promise.reject(new Error(`try ${tries.push('bad')}`)) },
    { name: 'good', everyMs: 20, run: async () => void tries.push('good') },
  ]
  const log = { error: (details: object) => void logged.push(details) }
  const running = new JobRunner({ watch: new ConnectionWatch(database.ownerUrl), jobs, log })
  await until(() => tries.filter((name) => name === 'bad').length > 2)
  const goodOnes = () => tries.filter((name) => name === 'good').length
  const before = goodOnes()
  await until(() => goodOnes() > before + 2)
  await running.stop()
  expect(new Set(logged.map((details) => Reflect.get(details, 'job')))).toEqual(new Set(['bad']))
  expect(logged.length).toBeGreaterThan(2)
})

/** The work ends with the signal alone. */
const stoppedBy = (signal: AbortSignal) =>
  new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))

test('a job that never ends delays no other, does not overlap with itself, and ends with the process', async () => {
  const runs: string[] = []
  const jobs: Job[] = [
    {
      name: 'endless',
      everyMs: 20,
      run: async (_owner, _now, stopped) => {
        runs.push('endless begins')
        await stoppedBy(stopped)
        runs.push('endless ends')
      },
    },
    { name: 'good', everyMs: 20, run: async () => void runs.push('good') },
  ]
  const running = new JobRunner({ watch: new ConnectionWatch(database.ownerUrl), jobs, log: quiet })
  await until(() => runs.includes('endless begins') && runs.filter((name) => name === 'good').length > 5)
  await running.stop()
  const atEnd = runs.length
  expect(runs.filter((name) => name.startsWith('endless'))).toEqual(['endless begins', 'endless ends'])
  // The wait has as many periods as the job had before.
  await pause(5 * 50, new AbortController().signal)
  expect(runs).toHaveLength(atEnd)
})

test('a statement that is waited for delays no other, and its connection is no other job’s', async () => {
  const blocker = new pg.Client({ connectionString: database.ownerUrl })
  await blocker.connect()
  await blocker.query('begin; lock table customer')
  const ran: string[] = []
  const pids = new Set<number>()
  const jobs: Job[] = [
    {
      name: 'held up',
      everyMs: 20,
      run: async (owner) => {
        await owner.query('select from customer')
        ran.push('held up')
      },
    },
    {
      name: 'good',
      everyMs: 20,
      run: async (owner) => {
        const { rows } = await owner.query<{ pid: number }>('select pg_backend_pid() as pid')
        pids.add(rows[0]?.pid ?? 0)
        ran.push('good')
      },
    },
  ]
  const running = new JobRunner({ watch: new ConnectionWatch(database.ownerUrl), jobs, log: quiet })
  await until(() => ran.length > 5)
  expect(new Set(ran)).toEqual(new Set(['good']))
  // The connection was returned and lent again.
  expect(pids.size).toBe(1)
  await blocker.end()
  await until(() => ran.includes('held up'))
  await running.stop()
})

test('jobs share four connections, and one that needs none waits for none', async () => {
  const ends: (() => void)[] = []
  const ran: string[] = []
  const endless: Job[] = Array.from({ length: 4 }, (_, index) => ({
    name: `endless ${index}`,
    everyMs: 20,
    run: (_owner, _now, stopped) =>
      new Promise((resolve) => {
        ends.push(resolve)
        stopped.addEventListener('abort', () => resolve())
      }),
  }))
  const jobs: AnyJob[] = [
    ...endless,
    { name: 'waiting', everyMs: 20, run: async () => void ran.push('waiting') },
    { name: 'good', everyMs: 20, runUnfenced: async () => void ran.push('good') },
  ]
  const running = new JobRunner({ watch: new ConnectionWatch(database.ownerUrl), jobs, log: quiet })
  await until(() => ends.length === 4 && ran.length > 5)
  expect(new Set(ran)).toEqual(new Set(['good']))
  const connections = async () =>
    (
      await owner.query(
        `select from pg_stat_activity where datname = current_database() and application_name = 'wayside jobs'`,
      )
    ).rowCount
  expect(await connections()).toBe(4)
  ends[0]?.()
  await until(() => ran.includes('waiting'))
  await running.stop()
  await vi.waitUntil(async () => (await connections()) === 0, { timeout: 30_000 })
})

test('a job that goes on after the lead was lost delays no other when the process leads again, and comes again itself', async () => {
  const runs: string[] = []
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const jobs: Job[] = [
    {
      name: 'deaf',
      everyMs: 20,
      run: async () => {
        runs.push('deaf')
        await ended
      },
    },
    { name: 'good', everyMs: 20, run: async () => void runs.push('good') },
  ]
  const running = new JobRunner({ watch: new ConnectionWatch(database.ownerUrl), jobs, log: quiet })
  await until(() => runs.includes('deaf') && runs.includes('good'))
  await owner.query(
    `select pg_terminate_backend(pid, 2000) from pg_stat_activity
     where datname = current_database() and application_name = 'wayside lead'`,
  )
  const before = runs.length
  await until(() => runs.length > before + 10)
  expect(runs.filter((name) => name === 'deaf')).toHaveLength(1)
  end()
  await until(() => runs.filter((name) => name === 'deaf').length > 2)
  await running.stop()
})

/** Starts jobs of these names that look on their own only after a minute. */
async function listening(names: readonly string[]) {
  const ran: string[] = []
  const jobs = names.map(
    (name): AnyJob => ({
      name,
      everyMs: 60_000,
      runUnfenced: async () => void ran.push(name),
    }),
  )
  const running = new JobRunner({ watch: new ConnectionWatch(database.ownerUrl), jobs, log: quiet })
  await until(() => ran.length === names.length)
  ran.length = 0
  return { ran, stop: () => running.stop() }
}

test('a job that is told of something to do does it at once, however seldom it looks, and no other is woken', async () => {
  const { ran, stop } = await listening(['told', 'other'])
  const ring = createJobRinger(owner, 'told')
  for (let turn = 1; turn <= 2; turn++) {
    ring()
    await until(() => ran.length === turn)
  }
  expect(ran).toEqual(['told', 'told'])
  await stop()
})

test('what is told while the job runs is seen by the next run, and a burst by one', async () => {
  let runs = 0
  let runsOfNext = 0
  const { promise: goesOn, resolve: goOn } = Promise.withResolvers<void>()
  const job: AnyJob = {
    name: 'told',
    everyMs: 60_000,
    runUnfenced: async () => {
      runs++
      if (runs === 1) await goesOn
    },
  }
  const next: AnyJob = { name: 'next', everyMs: 60_000, runUnfenced: async () => void runsOfNext++ }
  const running = new JobRunner({ watch: new ConnectionWatch(database.ownerUrl), jobs: [job, next], log: quiet })
  await until(() => runs === 1 && runsOfNext === 1)
  for (const name of [...Array(20).fill('told'), 'next']) {
    await owner.query(`select pg_notify('wayside_jobs', $1)`, [name])
  }
  await until(() => runsOfNext === 2)
  goOn()
  await until(() => runs === 2)
  await running.stop()
  expect(runs).toBe(2)
})

test('health tells of a job that fails, when it should have been done', async () => {
  let now = new Date()
  const ran: string[] = []
  const jobs: AnyJob[] = [
    { name: 'fails', everyMs: 20, runUnfenced: async () => Promise.reject(new Error(`try ${ran.push('fails')}`)) },
    { name: 'good', everyMs: 20, runUnfenced: async () => void ran.push('good') },
  ]
  const deps = { watch: new ConnectionWatch(database.ownerUrl), jobs, log: quiet, now: () => now }
  const running = new JobRunner(deps)
  const trouble = jobsAreDone({ jobs: running }, () => now)
  await until(() => ran.includes('good') && ran.filter((name) => name === 'fails').length > 1)
  expect(await trouble()).toBeUndefined()
  now = new Date(now.getTime() + 10 * 60_000)
  const before = ran.length
  await until(() => ran.slice(before).includes('good') && ran.slice(before).includes('fails'))
  expect(await trouble()).toBe('There are scheduled jobs that fail each time they run: fails.')
  await running.stop()
  expect(await trouble()).toBeUndefined()
})

test('a job that knows when it has something to do comes then, and after a failure as soon as it said', async () => {
  const ran: string[] = []
  const jobs: AnyJob[] = [
    { name: 'knows', everyMs: 60_000, runUnfenced: async () => ({ againInMs: 20 * Math.min(1, ran.push('knows')) }) },
    {
      name: 'fails',
      everyMs: 60_000,
      retryMs: 20,
      runUnfenced: async () => Promise.reject(new Error(`try ${ran.push('fails')}`)),
    },
  ]
  const running = new JobRunner({ watch: new ConnectionWatch(database.ownerUrl), jobs, log: quiet })
  await until(() => ['knows', 'fails'].every((name) => ran.filter((one) => one === name).length > 2))
  await running.stop()
})

const MARK = { device_id: 1 as DeviceId, event_type_id: 5, number: 1, from_at: new Date(), fields: [4] }
test.each([
  ['mails', () => owner.query(`insert into password_reset_request (username) values ('somebody')`)],
  ['roll-ups', () => mergeMarks(owner, [MARK])],
])('with the commit of what waits for it the job of %s is told', async (name, leaveWork) => {
  const { ran, stop } = await listening([name])
  await owner.query('begin')
  await leaveWork()
  await owner.query('commit')
  await until(() => ran.length === 1)
  await stop()
})

test('days ahead are made once, and days beyond retention go with their readings', async () => {
  const inAWeek = new Date(Date.now() + 7 * 86_400_000)
  expect(await makePartitions(owner, inAWeek, 5)).toBeGreaterThan(0)
  expect(await makePartitions(owner, inAWeek, 5)).toBe(0)
  const told: string[] = []
  const onDropped = (table: string) => told.push(table)
  const dropped = await dropOldPartitions(owner, { now: inAWeek, retentionDays: 5, onDropped })
  expect(dropped).toBeGreaterThan(0)
  expect(told).toHaveLength(dropped)
  const { rows } = await owner.query<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'reading_display'::regclass order by 1`,
  )
  const firstDay = Math.floor(inAWeek.getTime() / 86_400_000) * 86_400_000 - 5 * 86_400_000
  expect(rows[0]?.name).toBe(partitionName('reading_display', firstDay))
  expect(rows).toHaveLength(5 + 1 + 7)
})
