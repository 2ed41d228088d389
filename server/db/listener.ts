import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

const RECONNECT_AFTER_MS = 1_000
/** Nobody asks a connection that only listens anything; without this it could be dead and never known. */
const BEAT_EVERY_MS = 2_000

export interface ListenerDeps {
  /** A watched connection of its own, because listening outlives every request. */
  connect(): Promise<pg.Client>
  /** Names of ours, never from outside. */
  readonly channels: readonly string[]
  onNotice(channel: string, payload: string): void
  /** After every LISTEN: notices may have been lost before it, so what is behind them is to be read again. */
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
    // Its failure is the end of the connection, which is heard.
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
    // A connection that was made before the failure ends, and its end brings us back here.
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

/** Until the connection ends: one that is silent meanwhile is ended by its watch. */
async function beat(client: pg.Client): Promise<never> {
  for (;;) {
    await sleep(BEAT_EVERY_MS, undefined, { ref: false })
    await client.query('select 1')
  }
}
