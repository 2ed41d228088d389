/** Connections between their first byte and their CONNACK at once; the database judges about as many together. */
const MOST_AT_ONCE = 200
/** Who says nothing keeps no place that others wait for. */
const SILENT_MS = 250
/** Soon before our agents give up and come again later. */
const WAITED_MS = 14_000

export interface Entering {
  readonly hasConnect: boolean
  readonly isClosed: boolean
  /** Reads what it says, from now on. */
  begin(): void
  close(reason: 'disconnected'): void
}

interface Waiting {
  readonly entering: Entering
  readonly sinceMs: number
}

/**
 * Lets connections in some at a time, in their order. When a whole fleet comes back in the same second the others wait
 * unread in their sockets: what is read of them at once would keep everybody else from being heard.
 */
export class Admission {
  readonly #inside = new Map<Entering, number>()
  readonly #waiting: Waiting[] = []
  /** How many of them were let in. */
  #taken = 0
  #timer: NodeJS.Timeout | undefined

  enter(entering: Entering): void {
    this.#waiting.push({ entering, sinceMs: performance.now() })
    this.#letNext()
    this.#timer ??= setInterval(() => this.#sweep(performance.now()), SILENT_MS).unref()
  }

  /** It was let in, or has ended. */
  leave(entering: Entering): void {
    if (this.#inside.delete(entering)) this.#letNext()
  }

  #letNext(): void {
    while (this.#inside.size < MOST_AT_ONCE && this.#taken < this.#waiting.length) {
      const next = this.#waiting[this.#taken++]?.entering
      if (next === undefined || next.isClosed) continue
      this.#inside.set(next, performance.now())
      next.begin()
    }
    // Not each time: all who wait would be moved for every one.
    if (this.#taken * 2 < this.#waiting.length) return
    this.#waiting.splice(0, this.#taken)
    this.#taken = 0
  }

  #sweep(nowMs: number): void {
    for (const [entering, sinceMs] of this.#inside) {
      if (!entering.hasConnect && nowMs - sinceMs > SILENT_MS) this.leave(entering)
    }
    for (let at = this.#taken; at < this.#waiting.length; at++) {
      const { entering, sinceMs } = this.#waiting[at] as Waiting
      if (nowMs - sinceMs <= WAITED_MS) break
      // It comes again later.
      entering.close('disconnected')
    }
    this.#letNext()
    if (this.#inside.size + this.#waiting.length > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}
