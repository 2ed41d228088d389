import { limitKeyOf } from '#domain/network/ipAddress.ts'

/** So many connections set up at once; the database authenticates about as many devices together. */
const MOST_AT_ONCE = 200
/** A connection that says nothing must not keep a place that others wait for. */
const SILENT_MS = 250
/** A connection that has waited had time to speak, and its bytes are read at once. */
const SILENT_AFTER_WAITING_MS = 50
const SWEEP_MS = 50
/** Our agents give up shortly after this, and come again later. */
const WAITED_MS = 14_000
/** One place in so many is for unknown addresses, so that a new device gets in behind a known fleet. */
const STRANGER_EVERY = 4

export interface Entering {
  readonly address: string
  /** It has sent its CONNECT, and is answered as soon as that is authenticated. */
  readonly hasConnect: boolean
  begin(): void
  close(reason: 'disconnected'): void
}

/** The connections of one address in order, each with when it began to wait. */
type Line = Map<Entering, number>

/**
 * Admits some connections at a time. When a whole fleet returns in one second the others wait unread in their sockets,
 * because reading them at once would keep everybody else from being heard. Addresses take turns, so that one with
 * thousands of connections delays no other, and those of known devices come first.
 */
export class ConnectionQueue {
  /** Holds until when each keeps its place without a word. */
  readonly #inside = new Map<Entering, number>()
  readonly #known = new Map<string, Line>()
  readonly #strangers = new Map<string, Line>()
  readonly #isKnown: (limitKey: string) => boolean
  #letIn = 0
  #timer: NodeJS.Timeout | undefined

  /** @param isKnown true when a device has signed in from this address before */
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

  /** The connection is set up, or has ended. */
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

/** Takes the first connection of the first address, and puts that address last, so that none goes first for long. */
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

/** Closes those that waited too long; they come again later. */
function closeLate(line: Line, nowMs: number): void {
  for (const [entering, sinceMs] of line) {
    if (nowMs - sinceMs <= WAITED_MS) return
    entering.close('disconnected')
  }
}
