import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { isHeldLock } from '../db/advisoryLocks.ts'
import { askOnce } from '../db/connect/askOnce.ts'
import { PATIENCE } from '../db/connect/patience.ts'
import { patienceOf } from '../db/connect/pool.ts'
import { countWorkers, readWorkers, type Worker } from '../db/distribute/workers.ts'
import type { HealthCheck } from '../http/pages/operations.ts'
import type { JobRunner } from '../jobs/JobRunner.ts'
import { failingJobs } from '../jobs/jobRuns.ts'

const FEWEST_FREE_BYTES = 64 * 1024 * 1024
/** The partitions of a single day need some hundred files. */
const FEWEST_FREE_INODES = 1000

/** Opens a new connection, as a server that starts now would. */
export const databaseAnswers = (url: string, { healthWithinMs } = PATIENCE): HealthCheck => {
  const config = { connectionString: url, application_name: 'wayside health' }
  return () => troubleOf(askOnce(config, healthWithinMs, 'select 1'), 'The database does not answer.')
}

/** Uses one of the existing connections: they may be half-open although a new one would work. */
export const poolAnswers = (pool: pg.Pool, whom: string): HealthCheck => {
  return () =>
    troubleOf(
      within(pool, pool.query('select 1')),
      `The database does not answer ${whom}: their connections are dead, or all in use.`,
    )
}

const WORKERS_ASKED_EVERY_MS = 15_000

/** A worker may take half a minute not to answer, so all ask once for it, and hear what was found last. */
export const workersAnswer = (pool: pg.Pool): HealthCheck => {
  let found: readonly Worker[] = []
  let askedAt = Number.NEGATIVE_INFINITY
  return async () => {
    if (performance.now() - askedAt > WORKERS_ASKED_EVERY_MS) {
      askedAt = performance.now()
      const asked = readWorkers(pool).then((workers) => {
        found = workers
      })
      await within(pool, asked).catch(() => undefined)
    }
    const missing = found.filter(({ bytes }) => bytes === null).map(({ name }) => name)
    return missing.length === 0 ? undefined : `Workers of the database cannot be reached: ${missing.join(', ')}.`
  }
}

/** Notices that the folder of backups has nothing of the workers. */
export const workersAreNotCopied = (pool: pg.Pool, backupFolder: string | undefined): HealthCheck => {
  return async () => {
    const workers = backupFolder === undefined ? 0 : await countWorkers(pool)
    if (workers === 0) return undefined
    return `Backups hold the coordinator alone: the ${workers} workers of the database need their own.`
  }
}

/**
 * Writes something, and makes the database use new disk space: reserved space can be written even when the disk is
 * full.
 *
 * @param folder of the database, where it is on this machine
 */
export const databaseStores = (pool: pg.Pool, processId: string, folder?: string): HealthCheck => {
  const store = async () => {
    await pool.query('update server_process set lease_until = lease_until where id = $1', [processId])
    await pool.query(SPILL_SQL)
  }
  return () => troubleOf(within(pool, store()), 'Nothing can be stored in time: the database does not answer.', folder)
}

/** The sort must not fit into the allowed memory. */
const SPILL_SQL = `
  set work_mem = '64kB';
  select count(*) from (select repeat(encode(sha256(n::text::bytea), 'hex'), 4) as text from generate_series(1, 4000) n order by 1 offset 0) big;
  reset work_mem`

/** A second machine means that a configuration was copied. */
export const oneMachinePerDevice = (devicesWithTwoMachines: () => number): HealthCheck => {
  return () => {
    const count = devicesWithTwoMachines()
    if (count === 0) return undefined
    const devices = count === 1 ? '1 device' : `${count} devices`
    return `Two machines report as ${devices}: Devices, "Two machines report as one", names which.`
  }
}

export interface StoringTrouble {
  readonly sinceMs: number
  readonly error: Error
}

/** Reports may wait because the database does not take them. */
export const reportsAreStored = (
  trouble: () => StoringTrouble | undefined,
  { unstoredMs } = PATIENCE,
  folder?: string,
): HealthCheck => {
  return async () => {
    const found = trouble()
    const forMs = found === undefined ? 0 : performance.now() - found.sinceMs
    if (found === undefined || forMs < unstoredMs) return undefined
    const why = (await describeError(found.error, folder)) ?? 'The database does not take them.'
    return `Reports of devices have not been stored for ${Math.round(forMs / 1000)} s. ${why}`
  }
}

/** Releases, mails that are not sent by SMTP, and the embedded database lie there. */
export const dataFolderHasRoom = (folder: string): HealthCheck => {
  return async () => {
    // Nothing is stored before the folder is made.
    if (!existsSync(folder)) return undefined
    const { freeBytes, freeInodes } = await roomOf(folder)
    if (freeBytes < FEWEST_FREE_BYTES)
      return `The disk of the data folder is full: ${megabytes(freeBytes)} MB are free.`
    if (freeInodes >= FEWEST_FREE_INODES) return undefined
    return `The disk of the data folder has only ${freeInodes} inodes left, although ${megabytes(freeBytes)} MB are free.`
  }
}

export const somebodyLeads = (leaderSeenAtMs: () => number, { withoutLeaderMs } = PATIENCE): HealthCheck => {
  return () => leaderTrouble(performance.now() - leaderSeenAtMs(), withoutLeaderMs)
}

/** A process that cannot lead asks who does. */
export const somebodyElseLeads = (pool: pg.Pool, { withoutLeaderMs } = PATIENCE): HealthCheck => {
  let missingSinceMs: number | undefined
  return async () => {
    const { rows } = await pool.query<{ is: boolean }>(
      `select exists (select from pg_locks l where ${isHeldLock('l', 'lead')}) as is`,
    )
    missingSinceMs = rows[0]?.is ? undefined : (missingSinceMs ?? performance.now())
    return missingSinceMs === undefined ? undefined : leaderTrouble(performance.now() - missingSinceMs, withoutLeaderMs)
  }
}

/** Checks the process that leads, which runs the scheduled jobs. */
export const jobsAreDone = (background: { readonly jobs: JobRunner | undefined }, now: () => Date): HealthCheck => {
  return async () => {
    const { jobs } = background
    const failing = jobs?.isLeading() ? failingJobs(jobs.runs, now()) : []
    if (failing.length === 0) return undefined
    return `There are scheduled jobs that fail each time they run: ${failing.join(', ')}.`
  }
}

function leaderTrouble(forMs: number, withoutLeaderMs: number): string | undefined {
  if (forMs < withoutLeaderMs) return undefined
  return `No process has led for ${Math.round(forMs / 1000)} s: no mails, roll-ups or updates of clients meanwhile.`
}

async function troubleOf(work: Promise<unknown>, unknownTrouble: string, folder?: string) {
  try {
    await work
    return undefined
  } catch (error) {
    return (await describeError(error, folder)) ?? unknownTrouble
  }
}

const DISK_FULL = '53100'
const WORDS: Readonly<Record<string, string>> = {
  [DISK_FULL]: 'The disk of the database is full.',
  '53200': 'The database has no memory left.',
  '53300': 'The database has no connection left.',
  '25006': 'The database takes no changes: it is read-only.',
  '58030': 'The database cannot read or write its files.',
  '57P03': 'The database is starting or stopping.',
  '28P01': 'The database refuses the password.',
  '3D000': 'The database does not exist.',
}

async function describeError(error: unknown, folder?: string): Promise<string | undefined> {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: string }
  // A file that cannot even be created gives an error without a code of its own.
  const isDiskFull = code === DISK_FULL || /No space left on device/.test(message ?? '')
  if (isDiskFull) return (folder && (await inodeTrouble(folder))) ?? WORDS[DISK_FULL]
  return typeof code === 'string' ? WORDS[code] : undefined
}

/** PostgreSQL also calls a disk full that has free bytes and no free inode. */
async function inodeTrouble(folder: string): Promise<string | undefined> {
  const { freeBytes, freeInodes } = await roomOf(folder)
  if (freeInodes > 0 || freeBytes < FEWEST_FREE_BYTES) return undefined
  return `The disk of the database has no inodes left: whatever needs another file fails, although ${megabytes(freeBytes)} MB are free.`
}

/** Some file systems count no inodes, and never lack one. */
async function roomOf(folder: string) {
  const { bavail, bsize, files, ffree } = await statfs(folder)
  return { freeBytes: bavail * bsize, freeInodes: files === 0 ? Number.POSITIVE_INFINITY : ffree }
}

const megabytes = (bytes: number) => Math.floor(bytes / 1024 / 1024)

async function within(pool: pg.Pool, work: Promise<unknown>): Promise<void> {
  const isLate = await Promise.race([
    work.then(() => false),
    sleep(patienceOf(pool).healthWithinMs, true, { ref: false }),
  ])
  if (isLate) throw new Error('It did not answer in time.')
}
