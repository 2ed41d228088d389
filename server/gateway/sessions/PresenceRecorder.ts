import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { DeviceId } from '#domain/ids.ts'
import { isRefusalOfData } from '#server/db/queries/refusalOfData.ts'
import {
  beginProcess,
  endProcess,
  type PresenceChange,
  type PresenceReason,
  renewLease,
  storeChanges,
} from '../wire/presence.store.ts'
import type { DeviceSession } from './DeviceSession.ts'

/** Each change takes a lock, and a database with default settings has only some thousands. */
const STORED_AT_ONCE = 250
/** The wait while another process holds the lock of the same device. */
const MEANWHILE_MS = 20
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 2000

export interface PresenceDeps {
  readonly pool: pg.Pool
  readonly processId: string
  /** Whether devices connect to this process; true by default. */
  readonly listens?: boolean | undefined
  readonly onPresence: (deviceId: DeviceId) => void
  readonly log: (sentence: string, detail: object) => void
}

/** Changes of one device that are not stored yet, oldest first. */
interface Untold {
  readonly changes: PresenceChange[]
  /** The failed attempts of the oldest change. Whether a failed attempt was stored is not known. */
  failures: number
}

/**
 * Records in the database which connections this process holds. Changes of one device are stored in order, and each is
 * retried until it is stored, so that the truth is recorded even after a database outage. The oldest changes of many
 * devices are stored together.
 */
export class PresenceRecorder {
  readonly #deps: PresenceDeps
  readonly #stopping = new AbortController()
  readonly #untold = new Map<DeviceId, Untold>()
  readonly #ready = new Set<DeviceId>()
  #running: Promise<void> | undefined

  constructor(deps: PresenceDeps) {
    this.#deps = deps
  }

  begin(): Promise<void> {
    const { pool, processId, listens } = this.#deps
    return beginProcess(pool, processId, listens)
  }

  opened({ deviceId }: DeviceSession, connectionId: string): void {
    this.#tell({ kind: 'opened', deviceId, connectionId, isSilent: false, reason: 'connected' })
  }

  closed({ deviceId }: DeviceSession, connectionId: string, reason: PresenceReason): void {
    this.#tell({ kind: 'closed', deviceId, connectionId, reason })
  }

  silenceChanged({ deviceId, isSilent }: DeviceSession): void {
    this.#tell({ kind: 'silence', deviceId, isSilent, reason: isSilent ? 'silent' : 'heard_again' })
  }

  /** Renews the lease. It must be called every few seconds with all sessions. */
  async renew(sessions: Iterable<DeviceSession>): Promise<void> {
    if (await renewLease(this.#deps.pool, this.#deps.processId)) return
    // Other processes took this one for dead and removed its rows.
    await this.begin()
    for (const { deviceId, isSilent, links, ended } of sessions) {
      for (const { id } of ended ? [ended] : links) {
        this.#tell({ kind: 'opened', deviceId, connectionId: id, isSilent, reason: 'connected' })
      }
    }
  }

  /** Removes everything of this process from the database. */
  async end(): Promise<void> {
    this.#stopping.abort()
    await this.#running
    const { pool, processId, onPresence } = this.#deps
    await endProcess(pool, processId, onPresence)
  }

  #tell(change: PresenceChange): void {
    if (this.#stopping.signal.aborted) return
    const untold = this.#untold.get(change.deviceId)
    if (untold !== undefined) {
      untold.changes.push(change)
      return
    }
    this.#untold.set(change.deviceId, { changes: [change], failures: 0 })
    this.#letGo([change.deviceId])
  }

  #letGo(deviceIds: readonly DeviceId[]): void {
    for (const deviceId of deviceIds) this.#ready.add(deviceId)
    // The recorder waits for the next event-loop turn, because changes of one turn belong in one batch.
    this.#running ??= new Promise((resolve) => setImmediate(resolve)).then(() => this.#run())
  }

  async #run(): Promise<void> {
    while (this.#ready.size > 0 && !this.#stopping.signal.aborted) {
      const deviceIds = [...this.#ready.values().take(STORED_AT_ONCE)]
      for (const deviceId of deviceIds) this.#ready.delete(deviceId)
      await this.#store(deviceIds)
    }
    this.#running = undefined
  }

  async #store(deviceIds: readonly DeviceId[]): Promise<void> {
    const changes = deviceIds.map((deviceId) => this.#untold.get(deviceId)?.changes[0] as PresenceChange)
    try {
      const { stored, moved } = await storeChanges(this.#deps.pool, this.#deps.processId, changes)
      const hasMoved = new Set(moved)
      for (const deviceId of stored) this.#stored(deviceId, hasMoved.has(deviceId))
      const others = deviceIds.filter((deviceId) => !stored.has(deviceId))
      if (others.length > 0) this.#letGoAfter(others, MEANWHILE_MS)
    } catch (error) {
      if (deviceIds.length > 1 && isRefusalOfData(error)) {
        // The batch is halved until the change that the database refuses is alone.
        const middle = Math.ceil(deviceIds.length / 2)
        await this.#store(deviceIds.slice(0, middle))
        await this.#store(deviceIds.slice(middle))
      } else await this.#failed(deviceIds, error)
    }
  }

  async #failed(deviceIds: readonly DeviceId[], error: unknown): Promise<void> {
    if (this.#stopping.signal.aborted) return
    const [deviceId] = deviceIds
    const detail = deviceIds.length > 1 ? { devices: deviceIds.length, error } : { deviceId, error }
    this.#deps.log('Presence of a device could not be stored; it is tried again.', detail)
    let failures = 0
    for (const each of deviceIds) {
      const untold = this.#untold.get(each) as Untold
      failures = Math.max(failures, untold.failures++)
    }
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** failures, LONGEST_PAUSE_MS)
    this.#letGoAfter(deviceIds, pauseMs)
    // When the database is down, no other change would succeed either. A refusal concerns one device only.
    if (!isRefusalOfData(error)) await this.#sleep(pauseMs)
  }

  #stored(deviceId: DeviceId, hasMoved: boolean): void {
    const untold = this.#untold.get(deviceId) as Untold
    // An earlier attempt may have been stored although it seemed to fail.
    const isNews = hasMoved || untold.failures > 0
    untold.failures = 0
    untold.changes.shift()
    if (untold.changes.length === 0) this.#untold.delete(deviceId)
    else this.#letGo([deviceId])
    if (isNews) this.#deps.onPresence(deviceId)
  }

  #letGoAfter(deviceIds: readonly DeviceId[], ms: number): void {
    void this.#sleep(ms).then(() => this.#letGo(deviceIds))
  }

  async #sleep(ms: number): Promise<void> {
    await sleep(ms, undefined, { signal: this.#stopping.signal }).catch(() => undefined)
  }
}
