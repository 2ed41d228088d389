import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

const RECONNECT_AFTER_MS = 1_000
/** A connection that only listens is asked nothing, so without these beats nobody would know that it is dead. */
const BEAT_EVERY_MS = 2_000

export interface ListenerDeps {
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
export function startListener(deps: ListenerDeps): { stop(): Promise<void> } {
  let listener: pg.Client | undefined
  let reconnectTimer: NodeJS.Timeout | undefined
  let isStopped = false

  async function listen() {
    const client = await deps.connect()
    listener = client
    client.on('error', () => undefined)
    client.on('end', reconnectLater)
    client.on('notification', ({ channel, payload = '' }) => deps.onNotice(channel, payload))
    await client.query(deps.channels.map((channel) => `listen ${channel}`).join('; '))
    // When a beat fails the connection ends, and the end is handled.
    beat(client).catch(() => undefined)
    await deps.onListening()
    if (isStopped) await client.end()
  }

  function reconnectLater() {
    if (isStopped) return
    clearTimeout(reconnectTimer)
    reconnectTimer = setTimeout(() => listen().catch(reconnectAfterFailure), RECONNECT_AFTER_MS)
  }
  function reconnectAfterFailure(error: unknown) {
    if (!isStopped) deps.onFailure(error)
    // A connection that was made before the failure ends here, and its end leads to the next try.
    if (listener) listener.end().catch(() => undefined)
    reconnectLater()
  }
  listen().catch(reconnectAfterFailure)

  return {
    async stop() {
      isStopped = true
      clearTimeout(reconnectTimer)
      await listener?.end().catch(() => undefined)
    },
  }
}

/** Asks until the connection ends: the watch ends one that stays silent. */
async function beat(client: pg.Client): Promise<never> {
  for (;;) {
    await sleep(BEAT_EVERY_MS, undefined, { ref: false })
    await client.query('select 1')
  }
}
