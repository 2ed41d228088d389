import type { Duplex } from 'node:stream'

/** An office or a fleet behind one router leaves fewer connections silent at once. */
const MOST_OF_ADDRESS = 1000
/** Each takes a file descriptor and some kilobytes. */
const MOST = 5000

interface Ends {
  readonly onSpoken: () => void
  /** Runs when the connection has ended without a word. */
  readonly onEnded?: () => void
}

interface Silent {
  readonly limitKey: string
  readonly sinceMs: number
}

/**
 * Limits connections that have said nothing yet, for each address and together. A new one beyond the limit ends the
 * oldest, which had the most time to speak.
 */
export class SilentConnections<Connection extends object> {
  /** The oldest come first, here as in each address. */
  readonly #all = new Map<Connection, Silent>()
  readonly #byAddress = new Map<string, Set<Connection>>()
  readonly #withinMs: number
  readonly #end: (connection: Connection) => void

  /** @param withinMs longest silence, where `sweep` is called */
  constructor(withinMs: number, end: (connection: Connection) => void) {
    this.#withinMs = withinMs
    this.#end = end
  }

  /** @param limitKey its address as limits know it (`limitKeyOf`) */
  add(connection: Connection, limitKey: string, nowMs = performance.now()): void {
    const ofAddress = this.#byAddress.get(limitKey) ?? new Set()
    this.#byAddress.set(limitKey, ofAddress.add(connection))
    this.#all.set(connection, { limitKey, sinceMs: nowMs })
    if (ofAddress.size > MOST_OF_ADDRESS) this.#endFirst(ofAddress)
    else if (this.#all.size > MOST) this.#endFirst(this.#all.keys())
  }

  /** Call it when the connection has spoken or ended. */
  remove(connection: Connection): void {
    const { limitKey } = this.#all.get(connection) ?? {}
    if (limitKey === undefined) return
    this.#all.delete(connection)
    const ofAddress = this.#byAddress.get(limitKey)
    if (ofAddress?.delete(connection) && ofAddress.size === 0) this.#byAddress.delete(limitKey)
  }

  /** Ends those that were silent for too long; call it every second. */
  sweep(nowMs: number): void {
    for (const [connection, { sinceMs }] of this.#all) {
      if (nowMs - sinceMs <= this.#withinMs) return
      this.#endFirst([connection])
    }
  }

  endAll(): void {
    for (const connection of [...this.#all.keys()]) this.#endFirst([connection])
  }

  /** Keeps a connection among the silent ones until its first bytes, which are left unread. */
  awaitWord<Stream extends Connection & Duplex>(stream: Stream, limitKey: string, { onSpoken, onEnded }: Ends): void {
    let isSilent = true
    // The receiver adds a listener of its own once the connection has spoken.
    stream.on('error', () => undefined)
    stream.once('readable', () => {
      // The connection ends without having said anything.
      if (stream.readableLength === 0) return void stream.destroy()
      isSilent = false
      this.remove(stream)
      onSpoken()
    })
    stream.once('close', () => {
      this.remove(stream)
      if (isSilent) onEnded?.()
    })
    this.add(stream, limitKey)
  }

  #endFirst(connections: Iterable<Connection>): void {
    const [oldest] = connections
    if (oldest === undefined) return
    this.remove(oldest)
    this.#end(oldest)
  }
}
