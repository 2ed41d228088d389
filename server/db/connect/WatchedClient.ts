import type { Socket } from 'node:net'
import pg from 'pg'
import type { SpanAttributes } from '#server/metrics/Span.ts'
import { type OpenSpan, openSpan } from '#server/metrics/tracing.ts'

const CONNECT_WITHIN_MS = 4_000
/** A dead connection never answers the terminate message, so it is cut off after this time. */
const END_WITHIN_MS = 1_000

/** The answer to a statement never came, so it is unknown what became of it. */
class DatabaseSilent extends Error {
  override readonly name = 'DatabaseSilent'
  /** Everybody else treats it as a connection that timed out. */
  readonly code = 'ETIMEDOUT'
}

/**
 * A connection that knows whether it waits for the database, and since when nothing arrived. The time limit of `pg` is
 * of no use here: after it the connection goes on waiting for the old answer, and so does whoever uses it next.
 */
export class WatchedClient extends pg.Client {
  /** `pg` has the id of the backend and does not declare it. */
  declare readonly processID: number | null
  /** The connection lies unused in its pool. */
  isResting = false
  /** The watch checks the connection again only then, because its backend was found at work. */
  trustedUntilMs = 0
  readonly #askedWithinMs: number
  readonly #about: SpanAttributes
  #isOver = false
  #farewell: NodeJS.Timeout | undefined
  #askedAtMs: number | undefined
  #heardAtMs = 0
  #heardBytes = 0
  /** The span lasts from the first question until everything is answered. */
  #exchange: OpenSpan | undefined

  /** @param askedWithinMs how long any statement may take; 0 means as long as its backend is at work */
  constructor(config: pg.ClientConfig, askedWithinMs = 0) {
    super({ keepAlive: true, connectionTimeoutMillis: CONNECT_WITHIN_MS, ...config })
    this.#about = { 'db.system.name': 'postgresql', 'wayside.pool': config.application_name ?? '' }
    this.#askedWithinMs = askedWithinMs
    const { query, end } = this
    this.query = ((...given: unknown[]) => {
      // The time counts from the newest statement: under load one follows the other and the connection is never idle.
      this.#askedAtMs = performance.now()
      this.#exchange ??= openSpan('database', { kind: 'client', attributes: this.#about })
      return Reflect.apply(query, this, given)
    }) as typeof query
    this.end = ((...given: unknown[]) => {
      // The timer is set once, because `end` is called again and again while the database is away.
      this.#farewell ??= setTimeout(() => this.connection.stream.destroy(), END_WITHIN_MS).unref()
      return Reflect.apply(end, this, given)
    }) as typeof end
    this.on('drain', () => {
      this.#askedAtMs = undefined
      this.#endExchange()
    })
    // A broken connection without a listener would end the process; its statements are rejected anyway.
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

  /** The connection has ended and takes no more statements. */
  get isOver(): boolean {
    return this.#isOver
  }

  get heardBytes(): number {
    return this.#heardBytes
  }

  /** @returns the milliseconds it has waited without receiving a byte; 0 when it waits for nothing */
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

  /** Rejects what waits on the connection, and keeps its pool from taking it back. */
  giveUp(): void {
    this.connection.stream.destroy(new DatabaseSilent('The database did not answer.'))
  }
}
