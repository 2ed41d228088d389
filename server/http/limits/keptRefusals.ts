import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Audit, AuditRow } from '#server/http/call/audit.store.ts'
import { loggable, refusalOf } from '#server/http/call/refusal.ts'

/** These take some megabytes; a flood of refusals while the database is away must not fill the memory. */
const MOST_KEPT = 10_000
const TRY_AGAIN_MS = 1000
/** A stop may take two seconds in all. */
const LAST_TRY_MS = 500

interface KeptRow {
  readonly row: AuditRow
  /** The moment on the monotonic clock of the process. */
  readonly atMs: number
}

export interface KeptRefusals extends Audit {
  /** Tries once more and logs what still cannot be written. */
  readonly stop: () => Promise<void>
}

/**
 * Wraps an audit log so that refusals wait for a database that is away; they are written when it is back, with the time
 * at which they happened. Rows of changes belong to their transaction and never wait: without the row there is no
 * change.
 */
export function keepRefusals(
  audit: Audit,
  { log, mostKept = MOST_KEPT }: { readonly log: Logger; readonly mostKept?: number },
): KeptRefusals {
  const kept: KeptRow[] = []
  const stopping = new AbortController()
  let lost = 0
  let trying: Promise<void> | undefined

  async function writeKept(): Promise<void> {
    while (kept.length > 0) {
      const [first] = kept as [KeptRow]
      try {
        await audit.write({ ...first.row, happenedAtMs: first.atMs })
      } catch (error) {
        if (isAway(error)) return
        log.error({ call: first.row.call, fault: loggable(error) }, 'an audit row was not written')
      }
      kept.shift()
    }
    if (lost > 0)
      log.error({ rows: lost }, 'audit rows of refused calls were lost: too many while the database was away')
    lost = 0
  }

  async function writeWhenBack(): Promise<void> {
    while (kept.length > 0 && !stopping.signal.aborted) {
      await sleep(TRY_AGAIN_MS, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined)
      await writeKept()
    }
    trying = undefined
  }

  function keep(row: AuditRow, atMs: number): void {
    // The first rows show how a flood began, so they are kept and the later ones only counted.
    if (kept.length < mostKept) kept.push({ row, atMs })
    else lost++
    trying ??= writeWhenBack()
  }

  return {
    write: async (row, transaction) => {
      if (transaction) return audit.write(row, transaction)
      const atMs = performance.now()
      try {
        return await audit.write(row)
      } catch (error) {
        if (!isAway(error)) throw error
        keep(row, atMs)
        return undefined
      }
    },
    outcomeOf: audit.outcomeOf,
    stop: async () => {
      stopping.abort()
      await Promise.race([trying, sleep(LAST_TRY_MS, undefined, { ref: false })])
      if (kept.length === 0) return
      // The log leaves out whose they were: names come from outside, and people type passwords where names belong.
      const calls = [...new Set(kept.map(({ row }) => row.call))]
      log.error({ rows: kept.length + lost, calls }, 'audit rows of refused calls could not be written before the stop')
    },
  }
}

const isAway = (error: unknown) => refusalOf(error).code === 'not_ready'
