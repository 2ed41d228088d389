import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

const RECONNECT_AFTER_MS = 1_000
/** A connection that only listens is asked nothing, so without these beats nobody would know that it is dead. */
const BEAT_EVERY_MS = 2_000

export interface ChannelListenerDeps {
  /** Opens a watched connection; listening outlives every request, so it takes none of a pool. */
  connect(): Promise<pg.Client>
  /** The names are ours and never come from outside, because LISTEN takes no parameters. */
  readonly channels: readonly string[]
  onNotice(channel: string, payload: string): void
  /** Runs after every LISTEN: notices may have been lost before it, so what they announced is read again. */
  onListening(): Promise<void>
  onFailure(error: unknown): void
}

/** Hears notices of other processes, and connects again whenever the connection ends or is found dead. */
export class ChannelListener {
  readonly #deps: ChannelListenerDeps
  #client: pg.Client | undefined
  #reconnectTimer: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(deps: ChannelListenerDeps) {
    this.#deps = deps
    this.#begin()
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#reconnectTimer)
    await this.#client?.end().catch(() => undefined)
  }

  #begin(): void {
    this.#listen().catch((error: unknown) => this.#reconnectAfterFailure(error))
  }

  async #listen(): Promise<void> {
    const { channels, connect, onListening, onNotice } = this.#deps
    const client = await connect()
    this.#client = client
    client.on('error', () => undefined)
    client.on('end', () => this.#reconnectLater())
    client.on('notification', ({ channel, payload = '' }) => onNotice(channel, payload))
    await client.query(channels.map((channel) => `listen ${channel}`).join('; '))
    // When a beat fails the connection ends, and the end is handled.
    beat(client).catch(() => undefined)
    await onListening()
    if (this.#isStopped) await client.end()
  }

  #reconnectLater(): void {
    if (this.#isStopped) return
    clearTimeout(this.#reconnectTimer)
    this.#reconnectTimer = setTimeout(() => this.#begin(), RECONNECT_AFTER_MS)
  }

  #reconnectAfterFailure(error: unknown): void {
    if (!this.#isStopped) this.#deps.onFailure(error)
    // A connection that was made before the failure ends here, and its end leads to the next try.
    if (this.#client) this.#client.end().catch(() => undefined)
    this.#reconnectLater()
  }
}

/** Asks until the connection ends: the watch ends one that stays silent. */
async function beat(client: pg.Client): Promise<never> {
  for (;;) {
    await sleep(BEAT_EVERY_MS, undefined, { ref: false })
    await client.query('select 1')
  }
}
