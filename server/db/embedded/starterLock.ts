import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { identityOf } from './processes.ts'

/**
 * Keeps two servers from one database: the second would otherwise take the running PostgreSQL for an orphan.
 *
 * @returns a function that releases the lock
 */
export function takeStarterLock(folder: string): () => void {
  const inUse = (pid: string) => `The data folder ${folder} is in use by another Wayside (process ${pid}).`
  return takeLock(join(folder, 'postgres.starter'), inUse)
}

/**
 * Takes a lock that is a file. A lock whose process is dead counts as free.
 *
 * @param inUse makes the sentence that is thrown when the holder lives
 * @returns a function that releases the lock
 */
export function takeLock(file: string, inUse: (pid: string) => string): () => void {
  const mine = `${process.pid} ${identityOf(process.pid)}`
  for (let attempts = 0; attempts < 10; attempts += 1) {
    try {
      writeFileSync(file, mine, { flag: 'wx', mode: 0o600 })
      return () => rmSync(file, { force: true })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      refuseLivingHolder(file, inUse)
      rmSync(file, { force: true })
    }
  }
  throw new Error(`The lock ${file} changes faster than it can be read; start only one Wayside on this data folder.`)
}

function refuseLivingHolder(file: string, inUse: (pid: string) => string): void {
  const [pid = '', ...identity] = readFileSync(file, 'utf8').split(' ')
  const present = identityOf(Number(pid))
  if (present === undefined || present !== identity.join(' ')) return
  throw new Error(inUse(pid))
}
