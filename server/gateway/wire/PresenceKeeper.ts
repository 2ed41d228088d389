import type pg from 'pg'
import type { DeviceId } from '#domain/ids.ts'
import { untilStored } from '#server/db/untilStored.ts'
import type { DeviceSession } from './DeviceSession.ts'
import {
  addConnection,
  beginProcess,
  endProcess,
  type PresenceReason,
  removeConnection,
  renewLease,
  setSilent,
} from './presence.store.ts'

export interface PresenceNeeds {
  readonly pool: pg.Pool
  readonly processId: string
  /** After each change of online or offline is stored. */
  readonly onPresence: (deviceId: DeviceId) => void
  readonly log: (sentence: string, detail: object) => void
}

/**
 * Tells the database which connections this process holds. Changes of one device are stored in order, and each is
 * tried until it is stored, so a database that was away ends up knowing the truth.
 */
export class PresenceKeeper {
  readonly #needs: PresenceNeeds
  readonly #stopping = new AbortController()
  /** Last change under way, by device. */
  readonly #pending = new Map<DeviceId, Promise<void>>()

  constructor(needs: PresenceNeeds) {
    this.#needs = needs
  }

  begin(): Promise<void> {
    return beginProcess(this.#needs.pool, this.#needs.processId)
  }

  opened(session: DeviceSession, connectionId: string): void {
    this.#change(session.deviceId, () =>
      addConnection(this.#needs.pool, this.#key(session, connectionId), false, 'connected'),
    )
  }

  closed(session: DeviceSession, connectionId: string, reason: PresenceReason): void {
    this.#change(session.deviceId, () => removeConnection(this.#needs.pool, this.#key(session, connectionId), reason))
  }

  silenceChanged(session: DeviceSession): void {
    const { isSilent, deviceId } = session
    this.#change(deviceId, () => setSilent(this.#needs.pool, deviceId, this.#needs.processId, isSilent))
  }

  /** To be called every few seconds with everybody who is connected. */
  async renew(sessions: Iterable<DeviceSession>): Promise<void> {
    const { pool, processId } = this.#needs
    if (await renewLease(pool, processId)) return
    // Others took this process for dead and its rows away.
    await beginProcess(pool, processId)
    for (const session of sessions) {
      for (const { id } of session.links) {
        const key = this.#key(session, id)
        this.#change(session.deviceId, () => addConnection(pool, key, session.isSilent, 'connected'))
      }
    }
  }

  /** Takes everything of this process out of the database. */
  async end(): Promise<void> {
    this.#stopping.abort()
    await Promise.all(this.#pending.values())
    const { pool, processId, onPresence } = this.#needs
    for (const deviceId of await endProcess(pool, processId)) onPresence(deviceId)
  }

  #key(session: DeviceSession, connectionId: string) {
    return { deviceId: session.deviceId, connectionId, processId: this.#needs.processId }
  }

  #change(deviceId: DeviceId, change: () => Promise<boolean>): void {
    const before = this.#pending.get(deviceId) ?? Promise.resolve()
    const own = before.then(() => this.#untilStored(deviceId, change))
    this.#pending.set(deviceId, own)
    own.finally(() => {
      if (this.#pending.get(deviceId) === own) this.#pending.delete(deviceId)
    })
  }

  async #untilStored(deviceId: DeviceId, change: () => Promise<boolean>): Promise<void> {
    const hasChanged = await untilStored(change, {
      signal: this.#stopping.signal,
      onFailure: (error) =>
        this.#needs.log('Presence of a device could not be stored; it is tried again.', { deviceId, error }),
    })
    if (hasChanged) this.#needs.onPresence(deviceId)
  }
}
