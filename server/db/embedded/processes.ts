import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !isZombie(pid)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** A zombie is a dead child that nobody has waited for; in a container without an init process it stays for ever. */
function isZombie(pid: number): boolean {
  return statFields(pid)?.[0] === 'Z'
}

/** Returns what distinguishes this process from a later one with the same id; undefined without such a process. */
export function identityOf(pid: number): string | undefined {
  if (!isAlive(pid)) return undefined
  if (process.platform !== 'linux') return psColumn(pid, 'lstart')
  const startedAtTicks = statFields(pid)?.[19]
  return startedAtTicks === undefined ? undefined : `${bootId()}/${startedAtTicks}`
}

/** Returns true for a PostgreSQL that works in `folder`: its id alone may have gone to another program. */
export function isPostgresOf(pid: number, folder: string): boolean {
  if (!isAlive(pid)) return false
  if (process.platform !== 'linux') return psColumn(pid, 'command')?.includes(folder) ?? false
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(folder)
  } catch {
    return false
  }
}

/**
 * Returns every PostgreSQL process that works in `folder`. Its program is checked too, because a shell may stand in
 * that folder. Only Linux shows both; elsewhere none is found.
 */
export function postgresProcessesOf(folder: string): readonly number[] {
  if (process.platform !== 'linux') return []
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => runsPostgres(pid) && isPostgresOf(pid, folder))
}

function runsPostgres(pid: number): boolean {
  try {
    // The file may have been replaced by an upgrade since.
    return basename(readlinkSync(`/proc/${pid}/exe`).replace(/ \(deleted\)$/, '')) === 'postgres'
  } catch {
    return false
  }
}

/** @returns true when the process ended in time */
export async function waitUntilGone(pid: number, atMostMs: number): Promise<boolean> {
  for (const startedAt = performance.now(); performance.now() - startedAt < atMostMs; ) {
    if (!isAlive(pid)) return true
    await sleep(20)
  }
  return !isAlive(pid)
}

/** Returns the fields of /proc/pid/stat from the third (the state) on; the second may itself contain spaces. */
function statFields(pid: number): string[] | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return undefined
  }
}

const bootId = () => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()

function psColumn(pid: number, column: string): string | undefined {
  const { status, stdout } = spawnSync('ps', ['-o', `${column}=`, '-p', `${pid}`], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}
