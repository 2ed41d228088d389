import type { Duplex } from 'node:stream'
import { limitKeyOf } from '#domain/network/ipAddress.ts'
import { ConnectionQueue } from '#server/network/ConnectionQueue.ts'
import { SilentConnections } from '#server/network/SilentConnections.ts'
import type { DeviceLink } from './DeviceLink.ts'
import type { GatewayCounters } from './gatewayCounters.ts'

const FIRST_BYTE_WITHIN_MS = 10_000
const MOST_ADDRESSES_REMEMBERED = 20_000

/** Handles connections before their CONNECT. Only the first byte makes a link, so that a silent client costs little. */
export class ConnectionIngress {
  /** The addresses that devices have signed in from, the newest last. */
  readonly #known = new Set<string>()
  readonly #queue = new ConnectionQueue((limitKey) => this.isKnown(limitKey))
  readonly #silent = new SilentConnections<Duplex>(FIRST_BYTE_WITHIN_MS, (stream) => stream.destroy())
  readonly #counters: GatewayCounters
  readonly #begin: (stream: Duplex, address: string) => DeviceLink

  constructor(counters: GatewayCounters, begin: (stream: Duplex, address: string) => DeviceLink) {
    this.#counters = counters
    this.#begin = begin
  }

  take(stream: Duplex, address: string): void {
    this.#counters.connectionsOpened++
    const limitKey = limitKeyOf(address)
    this.#silent.awaitWord(stream, limitKey, {
      onSpoken: () => this.#queue.enter(this.#begin(stream, address)),
      onEnded: () => this.#counters.connectionsClosed++,
    })
  }

  isKnown = (limitKey: string): boolean => this.#known.has(limitKey)

  /** Remembers the address of a link that has signed in. */
  signedIn(link: DeviceLink): void {
    this.left(link)
    const limitKey = limitKeyOf(link.address)
    this.#known.delete(limitKey)
    this.#known.add(limitKey)
    const [oldest] = this.#known.size > MOST_ADDRESSES_REMEMBERED ? this.#known : []
    if (oldest !== undefined) this.#known.delete(oldest)
  }

  left(link: DeviceLink): void {
    this.#queue.leave(link)
  }

  /** The gateway must call this every second. */
  sweep(nowMs: number): void {
    this.#silent.sweep(nowMs)
  }

  close(): void {
    this.#silent.endAll()
  }
}
