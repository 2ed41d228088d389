import { limitKeyOf } from '#domain/network/ipAddress.ts'

/** Connections that are setting themselves up at once; the database judges about as many devices together. */
const MOST_AT_ONCE = 200
/** Who says nothing keeps no place that others wait for. */
const SILENT_MS = 250
/** Who has waited for a place had the time to speak, and what was said then is read at once. */
const SILENT_AFTER_WAITING_MS = 50
const SWEEP_MS = 50
/** Soon before our agents give up and come again later. */
const WAITED_MS = 14_000
/** Of so many places one is for addresses that are not known, so that a new device comes in behind a known fleet. */
const STRANGER_EVERY = 4

export interface Entering {
  readonly address: string
  /** It has said who it is, and is answered as soon as that is judged. */
  readonly hasConnect: boolean
  /** Reads what it says, from now on. */
  begin(): void
  close(reason: 'disconnected'): void
}

/** The connections of one address in their order, and since when each waits. */
type Line = Map<Entering, number>

/**
 * Lets connections in some at a time. When a whole fleet comes back in the same second the others wait unread in their
 * sockets: what is read of them at once would keep everybody else from being heard. Addresses take turns, so that one that
 * opens thousands of connections keeps no other waiting, and those from which devices have signed in come first.
 */
export class ConnectionQueue {
  /** Until when each keeps its place without a word. */
  readonly #inside = new Map<Entering, number>()
  readonly #known = new Map<string, Line>()
  readonly #strangers = new Map<string, Line>()
  readonly #isKnown: (limitKey: string) => boolean
  #letIn = 0
  #timer: NodeJS.Timeout | undefined

  /** @param isKnown whether a device has signed in from this address before */
  constructor(isKnown: (limitKey: string) => boolean = () => false) {
    this.#isKnown = isKnown
  }

  enter(entering: Entering): void {
    const limitKey = limitKeyOf(entering.address)
    const lines = this.#isKnown(limitKey) ? this.#known : this.#strangers
    const line: Line = lines.get(limitKey) ?? new Map()
    lines.set(limitKey, line.set(entering, performance.now()))
    this.#letNext()
    this.#timer ??= setInterval(() => this.#sweep(performance.now()), SWEEP_MS).unref()
  }

  /** It is set up, or has ended. */
  leave(entering: Entering): void {
    if (this.#inside.delete(entering)) this.#letNext()
    else for (const lines of [this.#known, this.#strangers]) takeOut(lines, entering)
  }

  #letNext(): void {
    while (this.#inside.size < MOST_AT_ONCE) {
      const isForStrangers = this.#letIn % STRANGER_EVERY === 0
      const [first, second] = isForStrangers ? [this.#strangers, this.#known] : [this.#known, this.#strangers]
      const next = takeNext(first) ?? takeNext(second)
      if (next === undefined) return
      this.#letIn++
      const [entering, sinceMs] = next
      const nowMs = performance.now()
      this.#inside.set(entering, Math.max(sinceMs + SILENT_MS, nowMs + SILENT_AFTER_WAITING_MS))
      entering.begin()
    }
  }

  #sweep(nowMs: number): void {
    for (const [entering, untilMs] of this.#inside) {
      if (!entering.hasConnect && nowMs > untilMs) this.#inside.delete(entering)
    }
    const lines = [...this.#known.values(), ...this.#strangers.values()]
    for (const line of lines) closeLate(line, nowMs)
    this.#letNext()
    if (this.#inside.size + this.#known.size + this.#strangers.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }
}

/** Takes the first connection of the first address, and puts that address behind the others: nobody's thousands go first. */
function takeNext(lines: Map<string, Line>): readonly [Entering, number] | undefined {
  const [first] = lines
  if (first === undefined) return undefined
  const [limitKey, line] = first
  const [next] = line
  lines.delete(limitKey)
  if (next !== undefined) line.delete(next[0])
  if (line.size > 0) lines.set(limitKey, line)
  return next
}

function takeOut(lines: Map<string, Line>, entering: Entering): void {
  const limitKey = limitKeyOf(entering.address)
  const line = lines.get(limitKey)
  if (line?.delete(entering) && line.size === 0) lines.delete(limitKey)
}

/** They come again later. */
function closeLate(line: Line, nowMs: number): void {
  for (const [entering, sinceMs] of line) {
    if (nowMs - sinceMs <= WAITED_MS) return
    entering.close('disconnected')
  }
}
