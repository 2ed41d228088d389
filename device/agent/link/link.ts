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

/** The connection to the server. It resends nothing: the outbox keeps what is not acknowledged. */
export interface Link {
  readonly isUp: boolean
  /** Resolves at the PUBACK; rejects when the connection ends before. */
  publish(topic: string, payload: string): Promise<void>
  /** Subscribes again, because the server answers each subscription; does nothing without a connection. */
  subscribe(filter: string): void
  /** Connects after `afterMs` and stays connected. */
  start(afterMs?: number): void
  /** Ends the connection and stays away until started again. */
  stop(): Promise<void>
}

export function createLink(options: LinkOptions): Link {
  // The id survives reconnects, so that a server which missed the end of the last connection drops it.
  const clientId = `agent-${randomBytes(6).toString('hex')}`
  let client: MqttClient | undefined
  let retry: NodeJS.Timeout | undefined
  let isUp = false
  let isWanted = false
  let failures = 0
  const unacknowledged = new Set<(error: Error) => void>()
  const down = (reason: string) => {
    if (!isUp) return
    isUp = false
    for (const reject of unacknowledged) reject(new Error('connection lost'))
    unacknowledged.clear()
    options.onDown(reason)
  }

  const open = () => {
    retry = undefined
    let reason = 'the connection ended'
    let upSinceMs = 0
    const opened = connect(options.url, {
      clientId,
      username: options.guid,
      password: options.key,
      protocolVersion: 4,
      clean: true,
      keepalive: KEEP_ALIVE_SECONDS,
      connectTimeout: CONNECT_TIMEOUT_MS,
      reconnectPeriod: 0,
      resubscribe: false,
      queueQoSZero: false,
    })
    client = opened
    opened.on('message', (topic, payload, { retain }) => options.onMessage(topic, payload, retain))
    opened.on('error', (error) => {
      reason = error.message || (error as NodeJS.ErrnoException).code || 'unknown error'
      opened.end(true)
    })
    opened.on('connect', () => {
      // Otherwise a command's reply can wait 40 ms for the acknowledgement of the packet before it.
      if (opened.stream instanceof Socket) opened.stream.setNoDelay(true)
      opened.subscribe([...options.filters], { qos: 1 }, (error) => {
        if (error || client !== opened) {
          opened.end(true)
          return
        }
        upSinceMs = performance.now()
        isUp = true
        options.onUp()
      })
    })
    opened.once('close', () => {
      opened.end(true)
      if (client !== opened) return
      client = undefined
      down(reason)
      if (!isWanted) return
      failures = upSinceMs > 0 && performance.now() - upSinceMs > GOOD_AFTER_MS ? 1 : failures + 1
      const retryInMs = backOffMs(failures, options.random())
      options.onFailed(reason, retryInMs)
      retry = setTimeout(open, retryInMs)
    })
  }

  return {
    get isUp() {
      return isUp
    },
    publish: (topic, payload) =>
      new Promise((resolve, reject) => {
        if (!client || !isUp) return reject(new Error('not connected'))
        unacknowledged.add(reject)
        client.publish(topic, payload, { qos: 1, retain: false }, (error) => {
          unacknowledged.delete(reject)
          if (error) reject(error)
          else resolve()
        })
      }),
    subscribe: (filter) => {
      if (isUp) client?.subscribe(filter, { qos: 1 })
    },
    start: (afterMs = 0) => {
      if (isWanted) return
      isWanted = true
      failures = 0
      retry = setTimeout(open, afterMs)
    },
    stop: async () => {
      isWanted = false
      clearTimeout(retry)
      const closing = client
      if (!closing) return
      client = undefined
      down('stopped')
      // DISCONNECT spares the server a wait for silence, but must not delay the end by more than half a second.
      await Promise.race([
        closing.endAsync(false).catch(() => undefined),
        new Promise((resolve) => setTimeout(resolve, 500)),
      ])
      closing.end(true)
    },
  }
}
