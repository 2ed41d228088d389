import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Cluster, POSTGRES_ENVIRONMENT } from './cluster.ts'
import { isPostgresOf, postgresProcessesOf, waitUntilGone } from './processes.ts'

export type Postmaster = Readonly<{
  pid: number
  /** Resolves when PostgreSQL has ended, whoever ended it. */
  ended: Promise<void>
  stop: () => Promise<void>
}>

/** A fast shutdown may write its checkpoint for this long; the next start recovers what is missing. */
const FAST_SHUTDOWN_MS = 2_000
const STOP_WITHIN_MS = 2_900
const ORPHAN_SHUTDOWN_MS = 10_000
const MEMORY_RELEASE_MS = 10_000

/** Starts PostgreSQL and waits until it accepts connections. Throws the end of its log when it gives up. */
export async function startPostmaster(cluster: Cluster, signal?: AbortSignal): Promise<Postmaster> {
  const startedAt = performance.now()
  for (;;) {
    signal?.throwIfAborted()
    await endBackends(cluster.folder)
    const postmaster = spawnPostmaster(cluster)
    if (await becomesReady(cluster, postmaster, signal)) return postmaster
    const complaint = lastOutput(cluster.folder)
    // Some systems do not show us backends of a killed postmaster, which hold its shared memory until they notice.
    const isTemporary = complaint.includes('shared memory') && performance.now() - startedAt < MEMORY_RELEASE_MS
    if (!isTemporary) throw new Error(`PostgreSQL did not start: ${complaint}`)
    await sleep(200)
  }
}

/** Before its log collector runs, PostgreSQL writes here; without a collector it writes all of its log here. */
export const startLog = (folder: string) => join(folder, 'start.log')

function spawnPostmaster({ folder, binaries, account }: Cluster): Postmaster {
  const log = openSync(startLog(folder), 'w')
  const child = spawn(binaries.postgres, ['-D', folder], {
    cwd: '/',
    env: POSTGRES_ENVIRONMENT,
    stdio: ['ignore', log, log],
    // It gets a process group of its own: Ctrl-C must not end it before the server has drained.
    detached: true,
    ...account.ids,
  })
  closeSync(log)
  const ended = new Promise<void>((resolve, reject) => child.on('error', reject).on('exit', () => resolve()))
  // A caller that forgets to stop the database may still end; only waiting for its end keeps the process.
  child.unref()
  if (child.pid === undefined) return { pid: 0, ended, stop: () => Promise.resolve() }
  return { pid: child.pid, ended, stop: () => stopChild(child, ended) }
}

async function becomesReady({ folder }: Cluster, { pid, ended }: Postmaster, signal?: AbortSignal) {
  let hasEnded = false
  const end = ended.finally(() => {
    hasEnded = true
  })
  while (!hasEnded) {
    if (signal?.aborted) process.kill(pid, 'SIGINT')
    signal?.throwIfAborted()
    const file = readPidFile(folder)
    if (file?.pid === pid && file.status === 'ready') return true
    await Promise.race([end, sleep(20)])
  }
  return false
}

async function stopChild(child: ChildProcess, ended: Promise<void>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.ref()
  const forced = setTimeout(() => child.kill('SIGQUIT'), FAST_SHUTDOWN_MS)
  const givenUp = new AbortController()
  child.kill('SIGINT')
  await Promise.race([ended, sleep(STOP_WITHIN_MS, undefined, { signal: givenUp.signal }).catch(() => {})])
  clearTimeout(forced)
  givenUp.abort()
  child.unref()
}

/** Ends the PostgreSQL that a killed start left behind, and removes a stale pid file. */
export async function endOrphan(folder: string): Promise<'none' | 'ended'> {
  const file = readPidFile(folder)
  if (file === undefined) return 'none'
  if (!isPostgresOf(file.pid, folder)) {
    rmSync(pidFile(folder), { force: true })
    return 'none'
  }
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    process.kill(file.pid, signal)
    if (await waitUntilGone(file.pid, ORPHAN_SHUTDOWN_MS)) return 'ended'
  }
  throw new Error(`The PostgreSQL of an earlier start (process ${file.pid}) cannot be ended.`)
}

/**
 * Ends backends whose postmaster was killed. A backend at work does not notice that, and no new postmaster can start
 * before it has ended. The caller holds the lock of the data folder and has seen the last postmaster end, so every
 * backend here is such a one.
 */
async function endBackends(folder: string): Promise<void> {
  const backends = postgresProcessesOf(folder)
  for (const pid of backends) endAtOnce(pid)
  await Promise.all(backends.map((pid) => waitUntilGone(pid, ORPHAN_SHUTDOWN_MS)))
}

function endAtOnce(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

const pidFile = (folder: string) => join(folder, 'postmaster.pid')

function readPidFile(folder: string): { pid: number; status: string } | undefined {
  const lines = readIfThere(pidFile(folder)).split('\n')
  return lines[0] ? { pid: Number(lines[0]), status: lines[7]?.trim() ?? '' } : undefined
}

function readIfThere(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

/** PostgreSQL complains on its error output until its log collector runs, and in the log files from then on. */
function lastOutput(folder: string): string {
  const logs = join(folder, 'log')
  const newest = existsSync(logs)
    ? readdirSync(logs)
        .map((name) => join(logs, name))
        .sort((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs)[0]
    : undefined
  const early = readIfThere(startLog(folder))
  const words =
    early.includes('log collector') || early.includes('logging collector') ? readIfThere(newest ?? '') : early
  return words.trim().split('\n').slice(-5).join(' ') || 'it said nothing.'
}
