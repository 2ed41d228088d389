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

/**
 * Wraps an audit log so that refusals wait for a database that is away; they are written when it is back, with the time
 * at which they happened. Rows of changes belong to their transaction and never wait: without the row there is no
 * change.
 */
export class KeptRefusals implements Audit {
  readonly #audit: Audit
  readonly #log: Logger
  readonly #mostKept: number
  readonly #kept: KeptRow[] = []
  readonly #stopping = new AbortController()
  #lost = 0
  #trying: Promise<void> | undefined

  constructor(audit: Audit, { log, mostKept = MOST_KEPT }: { readonly log: Logger; readonly mostKept?: number }) {
    this.#audit = audit
    this.#log = log
    this.#mostKept = mostKept
  }

  readonly write: Audit['write'] = async (row, transaction) => {
    if (transaction) return this.#audit.write(row, transaction)
    const atMs = performance.now()
    try {
      return await this.#audit.write(row)
    } catch (error) {
      if (!isAway(error)) throw error
      this.#keep(row, atMs)
      return undefined
    }
  }

  readonly outcomeOf: Audit['outcomeOf'] = (...of) => this.#audit.outcomeOf(...of)

  /** Tries once more and logs what still cannot be written. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    await Promise.race([this.#trying, sleep(LAST_TRY_MS, undefined, { ref: false })])
    if (this.#kept.length === 0) return
    // The log leaves out whose they were: names come from outside, and people type passwords where names belong.
    const calls = [...new Set(this.#kept.map(({ row }) => row.call))]
    this.#log.error(
      { rows: this.#kept.length + this.#lost, calls },
      'audit rows of refused calls could not be written before the stop',
    )
  }

  #keep(row: AuditRow, atMs: number): void {
    // The first rows show how a flood began, so they are kept and the later ones only counted.
    if (this.#kept.length < this.#mostKept) this.#kept.push({ row, atMs })
    else this.#lost++
    this.#trying ??= this.#writeWhenBack()
  }

  async #writeWhenBack(): Promise<void> {
    const { signal } = this.#stopping
    while (this.#kept.length > 0 && !signal.aborted) {
      await sleep(TRY_AGAIN_MS, undefined, { signal, ref: false }).catch(() => undefined)
      await this.#writeKept()
    }
    this.#trying = undefined
  }

  async #writeKept(): Promise<void> {
    while (this.#kept.length > 0) {
      const [first] = this.#kept as [KeptRow]
      try {
        await this.#audit.write({ ...first.row, happenedAtMs: first.atMs })
      } catch (error) {
        if (isAway(error)) return
        this.#log.error({ call: first.row.call, fault: loggable(error) }, 'an audit row was not written')
      }
      this.#kept.shift()
    }
    if (this.#lost > 0) {
      this.#log.error(
        { rows: this.#lost },
        'audit rows of refused calls were lost: too many while the database was away',
      )
    }
    this.#lost = 0
  }
}

const isAway = (error: unknown) => refusalOf(error).code === 'not_ready'
