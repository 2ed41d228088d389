import { DAY_MS } from '#domain/units/time.ts'

/** What the database says of its boundary holds for a minute (decision 314). */
const HOLDS_MS = 10_000
/** Earlier times are asked for seldom, and are closed one day. */
const LATELY_MS = 1.5 * DAY_MS

/**
 * Remembers for some seconds from when on days are open, because most questions are about the last day. The clock of
 * this process alone would not do: it may be years behind the database's.
 */
export class KnownBoundary {
  #openFromMs = Number.POSITIVE_INFINITY
  #notedAtMs = Number.NEGATIVE_INFINITY

  note(openFromMs: number): void {
    this.#openFromMs = openFromMs
    this.#notedAtMs = Date.now()
  }

  /** Whatever is not older needs no question to the database. */
  surelyOpenFromMs(): number {
    const nowMs = Date.now()
    if (!(Math.abs(nowMs - this.#notedAtMs) < HOLDS_MS)) return Number.POSITIVE_INFINITY
    return Math.max(this.#openFromMs, nowMs - LATELY_MS)
  }
}
