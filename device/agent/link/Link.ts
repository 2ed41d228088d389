import { randomBytes } from 'node:crypto'
import { Socket } from 'node:net'
import { connect, type MqttClient } from 'mqtt'
import { backOffMs } from './backOff.ts'

const CONNECT_TIMEOUT_MS = 15_000
const KEEP_ALIVE_SECONDS = 30
/** The next failure counts as the first after a connection that lasted this long. */
const GOOD_AFTER_MS = 20_000

export interface LinkOptions {
  /** The scheme is `mqtt:`, `mqtts:`, `ws:` or `wss:`. */
  readonly url: string
  readonly guid: string
  readonly key: string
  readonly filters: readonly string[]
  readonly onUp: () => void
  /** Called only after an `onUp`. */
  readonly onDown: (reason: string) => void
  readonly onMessage: (topic: string, payload: Buffer, isRetained: boolean) => void
  readonly onFailed: (reason: string, retryInMs: number) => void
  /** Returns at least 0 and less than 1. */
  readonly random: () => number
}

/** One connection of the transport, from its first packet to its end. */
interface Attempt {
  readonly client: MqttClient
  endReason: string
  upSinceMs: number
}

/** The connection to the server. It resends nothing: the outbox keeps what is not acknowledged. */
export class Link {
  readonly #options: LinkOptions
  /** The id survives reconnects, so that a server which missed the end of the last connection drops it. */
  readonly #clientId = `agent-${randomBytes(6).toString('hex')}`
  readonly #unacknowledged = new Set<(error: Error) => void>()
  #client: MqttClient | undefined
  #retry: NodeJS.Timeout | undefined
  #isUp = false
  #isWanted = false
  #failures = 0

  constructor(options: LinkOptions) {
    this.#options = options
  }

  get isUp(): boolean {
    return this.#isUp
  }

  /** Resolves at the PUBACK; rejects when the connection ends before. */
  publish(topic: string, payload: string): Promise<void> {
    return new Promise((resolve, reject) => {
      if (!this.#client || !this.#isUp) return reject(new Error('not connected'))
      this.#unacknowledged.add(reject)
      this.#client.publish(topic, payload, { qos: 1, retain: false }, (error) => {
        this.#unacknowledged.delete(reject)
        if (error) reject(error)
        else resolve()
      })
    })
  }

  /** Subscribes again, because the server answers each subscription; does nothing without a connection. */
  subscribe(filter: string): void {
    if (this.#isUp) this.#client?.subscribe(filter, { qos: 1 })
  }

  /** Connects after `afterMs` and stays connected. */
  start(afterMs = 0): void {
    if (this.#isWanted) return
    this.#isWanted = true
    this.#failures = 0
    this.#retry = setTimeout(() => this.#open(), afterMs)
  }

  /** Ends the connection and stays away until started again. */
  async stop(): Promise<void> {
    this.#isWanted = false
    clearTimeout(this.#retry)
    const closing = this.#client
    if (!closing) return
    this.#client = undefined
    this.#goDown('stopped')
    // DISCONNECT spares the server a wait for silence, but must not delay the end by more than half a second.
    await Promise.race([
      closing.endAsync(false).catch(() => undefined),
      new Promise((resolve) => setTimeout(resolve, 500)),
    ])
    closing.end(true)
  }

  #open(): void {
    this.#retry = undefined
    const { url, guid, key, onMessage } = this.#options
    const client = connect(url, {
      clientId: this.#clientId,
      username: guid,
      password: key,
      protocolVersion: 4,
      clean: true,
      keepalive: KEEP_ALIVE_SECONDS,
      connectTimeout: CONNECT_TIMEOUT_MS,
      reconnectPeriod: 0,
      resubscribe: false,
      queueQoSZero: false,
    })
    const attempt: Attempt = { client, endReason: 'the connection ended', upSinceMs: 0 }
    this.#client = client
    client.on('message', (topic, payload, { retain }) => onMessage(topic, payload, retain))
    client.on('error', (error) => {
      attempt.endReason = error.message || (error as NodeJS.ErrnoException).code || 'unknown error'
      client.end(true)
    })
    client.on('connect', () => this.#subscribeAll(attempt))
    client.once('close', () => this.#close(attempt))
  }

  #subscribeAll(attempt: Attempt): void {
    const { client } = attempt
    // Otherwise a command's reply can wait 40 ms for the acknowledgement of the packet before it.
    if (client.stream instanceof Socket) client.stream.setNoDelay(true)
    client.subscribe([...this.#options.filters], { qos: 1 }, (error) => {
      if (error || this.#client !== client) {
        client.end(true)
        return
      }
      attempt.upSinceMs = performance.now()
      this.#isUp = true
      this.#options.onUp()
    })
  }

  #close({ client, endReason, upSinceMs }: Attempt): void {
    client.end(true)
    if (this.#client !== client) return
    this.#client = undefined
    this.#goDown(endReason)
    if (!this.#isWanted) return
    this.#failures = upSinceMs > 0 && performance.now() - upSinceMs > GOOD_AFTER_MS ? 1 : this.#failures + 1
    const retryInMs = backOffMs(this.#failures, this.#options.random())
    this.#options.onFailed(endReason, retryInMs)
    this.#retry = setTimeout(() => this.#open(), retryInMs)
  }

  #goDown(reason: string): void {
    if (!this.#isUp) return
    this.#isUp = false
    for (const reject of this.#unacknowledged) reject(new Error('connection lost'))
    this.#unacknowledged.clear()
    this.#options.onDown(reason)
  }
}
