import type { DatabaseSync } from 'node:sqlite'

/** While the disk refuses, this many writes wait in memory; then the oldest are dropped. */
const MOST_WAITING = 50_000
const RETRY_MS = 1000

export interface Write {
  run(): void
  /** Called after the commit, or with an error when the write was dropped. */
  done(error?: Error): void
  /** The disk refuses writes, so this one waits in memory. */
  refused?(): void
}

/** Writes everything that arrives within a moment in one transaction: one wait for the disk instead of many. */
export interface GroupCommit {
  add(write: Write): void
  withdraw(write: Write): void
  /** Writes what waits and refuses everything later. */
  close(): void
}

function inTransaction(database: DatabaseSync, work: () => void): void {
  database.exec('begin immediate')
  try {
    work()
    database.exec('commit')
  } catch (error) {
    // SQLite may have rolled back already after a full disk.
    if (database.isTransaction) database.exec('rollback')
    throw error
  }
}

export function createGroupCommit(options: {
  readonly database: DatabaseSync
  readonly groupMs: number
  readonly afterCommit: () => void
  /** Called once when the disk begins to refuse writes. */
  readonly onFailed: (error: Error) => void
  /** Called when the disk accepts writes again. */
  readonly onRecovered: () => void
}): GroupCommit {
  let waiting: Write[] = []
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  let isFailing = false
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
      for (const write of writes.splice(0, Math.max(0, writes.length - MOST_WAITING))) write.done(failure)
      waiting = [...writes, ...waiting]
      if (!isClosed) timer ??= setTimeout(flush, RETRY_MS)
      if (isFailing) return
      isFailing = true
      for (const write of writes) write.refused?.()
      options.onFailed(failure)
      return
    }
    for (const write of writes) write.done()
    if (isFailing) options.onRecovered()
    isFailing = false
    options.afterCommit()
  }
  return {
    add: (write) => {
      if (isClosed) return write.done(new Error('the store is closed'))
      waiting.push(write)
      timer ??= setTimeout(flush, options.groupMs)
      if (isFailing) write.refused?.()
    },
    withdraw: (write) => {
      waiting = waiting.filter((one) => one !== write)
    },
    close: () => {
      isClosed = true
      flush()
    },
  }
}
