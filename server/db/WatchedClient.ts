import type { Socket } from 'node:net'
import pg from 'pg'
import type { SpanAttributes } from '#server/metrics/Span.ts'
import { type OpenSpan, openSpan } from '#server/metrics/tracing.ts'

const CONNECT_WITHIN_MS = 4_000
/** A farewell that nobody answers. */
const END_WITHIN_MS = 1_000

/** A statement whose answer never came; what became of it is not known. */
class DatabaseSilent extends Error {
  override readonly name = 'DatabaseSilent'
  /** To everybody else a connection that timed out. */
  readonly code = 'ETIMEDOUT'
}

/**
 * A connection of which one can tell whether it waits for the database, and since when nothing was heard. `pg` has a
 * time limit of its own, after which the connection goes on waiting for the old answer and whoever comes next with it.
 */
export class WatchedClient extends pg.Client {
  /** Of its backend; `pg` has it and does not declare it. */
  declare readonly processID: number | null
  /** Lies in its pool, for nobody in particular. */
  isResting = false
  /** It is looked at again then, because its backend was found at work. */
  trustedUntilMs = 0
  readonly #askedWithinMs: number
  readonly #about: SpanAttributes
  #isOver = false
  /** Cuts the connection off where nobody answers the farewell. */
  #farewell: NodeJS.Timeout | undefined
  #askedAtMs: number | undefined
  #heardAtMs = 0
  #heardBytes = 0
  /** From what was asked first until everything is answered. */
  #exchange: OpenSpan | undefined

  /** @param askedWithinMs how long anything may take; 0: as long as its backend is at work */
  constructor(config: pg.ClientConfig, askedWithinMs = 0) {
    super({ keepAlive: true, connectionTimeoutMillis: CONNECT_WITHIN_MS, ...config })
    this.#about = { 'db.system.name': 'postgresql', 'wayside.pool': config.application_name ?? '' }
    this.#askedWithinMs = askedWithinMs
    const { query, end } = this
    this.query = ((...given: unknown[]) => {
      // Of the newest: under load one statement follows the other and the connection is never at rest.
      this.#askedAtMs = performance.now()
      this.#exchange ??= openSpan('database', { kind: 'client', attributes: this.#about })
      return Reflect.apply(query, this, given)
    }) as typeof query
    this.end = ((...given: unknown[]) => {
      // Said once: whoever waits for the database to come back says farewell to the same dead connection again and again.
      this.#farewell ??= setTimeout(() => this.connection.stream.destroy(), END_WITHIN_MS).unref()
      return Reflect.apply(end, this, given)
    }) as typeof end
    this.on('drain', () => {
      this.#askedAtMs = undefined
      this.#endExchange()
    })
    // Without a listener a connection that breaks would end the process; whoever asked it something is told.
    this.on('error', () => {
      this.#isOver = true
    })
    this.on('end', () => {
      clearTimeout(this.#farewell)
      this.#isOver = true
      this.#endExchange({ code: 'connection lost' })
    })
  }

  #endExchange(fault?: { readonly code: string }): void {
    this.#exchange?.end({}, fault)
    this.#exchange = undefined
  }

  /** Nothing can be asked of it any more. */
  get isOver(): boolean {
    return this.#isOver
  }

  get heardBytes(): number {
    return this.#heardBytes
  }

  /** @returns for how long it waits without a byte; 0 when it waits for nothing */
  silentMs(nowMs: number): number {
    const { bytesRead } = this.connection.stream as Socket
    if (bytesRead !== this.#heardBytes) {
      this.#heardBytes = bytesRead
      this.#heardAtMs = nowMs
    }
    return this.#askedAtMs === undefined ? 0 : nowMs - Math.max(this.#askedAtMs, this.#heardAtMs)
  }

  isOverdue(nowMs: number): boolean {
    return this.#askedWithinMs > 0 && this.#askedAtMs !== undefined && nowMs - this.#askedAtMs > this.#askedWithinMs
  }

  /** Whoever waits is told, and no pool takes it back. */
  giveUp(): void {
    this.connection.stream.destroy(new DatabaseSilent('The database did not answer.'))
  }
}
