import type { DatabaseSync } from 'node:sqlite'

/** While the disk refuses, this many writes wait in memory; then the oldest are given up. */
const MOST_WAITING = 50_000
const RETRY_MS = 1000

export interface Write {
  run(): void
  /** After the commit; with an error when the write was given up. */
  done(error?: Error): void
}

/** One transaction for all that came within a moment: one wait for the disk instead of many. */
export interface GroupCommit {
  add(write: Write): void
  /** Writes what waits; whatever comes later is refused. */
  close(): void
}

function inTransaction(database: DatabaseSync, work: () => void): void {
  database.exec('begin immediate')
  try {
    work()
    database.exec('commit')
  } catch (error) {
    // After a full disk SQLite may have rolled back by itself.
    if (database.isTransaction) database.exec('rollback')
    throw error
  }
}

export function createGroupCommit(options: {
  readonly database: DatabaseSync
  readonly groupMs: number
  readonly afterCommit: () => void
  readonly onFailed: (error: Error) => void
}): GroupCommit {
  let waiting: Write[] = []
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  const flush = () => {
    clearTimeout(timer)
    timer = undefined
    if (waiting.length === 0) return
    const writes = waiting
    waiting = []
    try {
      inTransaction(options.database, () => {
        for (const write of writes) write.run()
      })
    } catch (error) {
      const failure = error instanceof Error ? error : new Error(String(error))
      options.onFailed(failure)
      for (const write of writes.splice(0, Math.max(0, writes.length - MOST_WAITING))) write.done(failure)
      waiting = [...writes, ...waiting]
      if (!isClosed) timer = setTimeout(flush, RETRY_MS)
      return
    }
    for (const write of writes) write.done()
    options.afterCommit()
  }
  return {
    add: (write) => {
      if (isClosed) return write.done(new Error('the store is closed'))
      waiting.push(write)
      timer ??= setTimeout(flush, options.groupMs)
    },
    close: () => {
      isClosed = true
      flush()
    },
  }
}
