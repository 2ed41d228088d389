import { OFFLINE_AFTER_MS } from '#domain/devices/presence.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { DeviceIdentity } from '../wire/credentials.ts'
import { keyName } from '../wire/credentials.ts'
import type { DeviceLink } from '../wire/DeviceLink.ts'
import type { PresenceReason } from '../wire/presence.store.ts'
import { NO_SUBSCRIPTIONS } from '../wire/subscriptions.ts'
import { TokenBucket } from '../wire/TokenBucket.ts'
import { DeviceSession, type EndedConnection } from './DeviceSession.ts'
import { endAndHear } from './endAndHear.ts'
import type { PresenceRecorder } from './PresenceRecorder.ts'

/** A reconnecting device may still have its dead connection. No device needs more than these two. */
const CONNECTIONS_PER_DEVICE = 2

export interface SessionsDeps {
  readonly presence: PresenceRecorder
  readonly messagesPerSecond: number
  readonly offlineAfterMs?: number
  /** This is called when a newer connection ended one whose client was still alive. */
  readonly onReplacedAlive: (deviceId: DeviceId) => void
  readonly onGone: (deviceId: DeviceId) => void
}

/**
 * The devices that are connected to this process. One that reconnects for each report and subscribes to nothing stays
 * online as long as a connected device would without a report.
 */
export class DeviceSessions {
  readonly #deps: SessionsDeps
  readonly #byDevice = new Map<DeviceId, DeviceSession>()
  /** The buckets of devices that went away are kept until they are full, so that reconnecting does not refill them. */
  readonly #buckets = new Map<DeviceId, TokenBucket>()

  constructor(deps: SessionsDeps) {
    this.#deps = deps
  }

  all(): IterableIterator<DeviceSession> {
    return this.#byDevice.values()
  }

  of(deviceId: DeviceId): DeviceSession | undefined {
    return this.#byDevice.get(deviceId)
  }

  /**
   * Takes in an authenticated connection. It ends the one with the same client id (MQTT 3.1.1, 3.1.4-2), those with an
   * older key when this key is used for the first time, and the oldest beyond two, because the newest is surely alive.
   */
  open({ deviceId, guid, keyHash, isFirstUse }: DeviceIdentity, link: DeviceLink, nowMs: number): DeviceSession {
    let session = this.#byDevice.get(deviceId)
    if (session === undefined) {
      const bucket = this.#buckets.get(deviceId) ?? new TokenBucket(this.#deps.messagesPerSecond, nowMs)
      session = new DeviceSession(deviceId, guid, bucket, nowMs)
      this.#byDevice.set(deviceId, session)
    }
    // The new connection is recorded before the others close, so that the device is never offline in between.
    this.#deps.presence.opened(session, link.id)
    if (session.ended) this.#deps.presence.closed(session, session.ended.id, 'replaced')
    session.ended = undefined
    for (const other of [...session.links]) {
      if (other.clientId === link.clientId && link.clientId !== '') this.#replace(deviceId, other)
      else if (isFirstUse && other.keyHash !== keyHash) other.close('revoked')
    }
    session.links.push(link)
    this.#byDevice.set(deviceId, session)
    const [oldest] = session.links
    if (oldest && session.links.length > CONNECTIONS_PER_DEVICE) this.#replace(deviceId, oldest)
    this.heard(deviceId, nowMs)
    return session
  }

  #replace(deviceId: DeviceId, link: DeviceLink): void {
    link.close('replaced', (socket) => endAndHear(socket, () => this.#deps.onReplacedAlive(deviceId)))
  }

  closed(link: DeviceLink, reason: PresenceReason): void {
    const session = link.session && this.#byDevice.get(link.session.deviceId)
    const index = session?.links.indexOf(link) ?? -1
    if (session === undefined || index < 0) return
    session.links.splice(index, 1)
    if (session.links.length === 0 && onlyReports(link) && !session.isSilent) {
      session.ended = { id: link.id, keyHash: link.keyHash }
      return
    }
    this.#deps.presence.closed(session, link.id, reason)
    if (session.links.length === 0) this.#forget(session)
  }

  #forget(session: DeviceSession): void {
    this.#byDevice.delete(session.deviceId)
    this.#buckets.set(session.deviceId, session.bucket)
    this.#deps.onGone(session.deviceId)
  }

  #end(session: DeviceSession, { id }: EndedConnection, reason: PresenceReason): void {
    session.ended = undefined
    this.#deps.presence.closed(session, id, reason)
    this.#forget(session)
  }

  heard(deviceId: DeviceId, nowMs: number): void {
    const session = this.#byDevice.get(deviceId)
    if (session === undefined) return
    session.lastHeardMs = nowMs
    if (!session.isSilent) return
    session.isSilent = false
    this.#deps.presence.silenceChanged(session)
  }

  /** Ends dead connections and marks silent devices. It must be called every second. */
  sweep(nowMs: number): void {
    for (const [deviceId, bucket] of this.#buckets) if (bucket.isFull(nowMs)) this.#buckets.delete(deviceId)
    const offlineAfterMs = this.#deps.offlineAfterMs ?? OFFLINE_AFTER_MS
    for (const session of this.#byDevice.values()) {
      for (const link of [...session.links]) if (link.hasMissedKeepAlive(nowMs)) link.close('keep_alive_missed')
      const isOverdue = nowMs - session.lastHeardMs > offlineAfterMs
      if (isOverdue && session.ended) this.#end(session, session.ended, 'silent')
      else if (isOverdue && !session.isSilent) {
        session.isSilent = true
        this.#deps.presence.silenceChanged(session)
      }
    }
  }

  closeRevoked(valid: ReadonlySet<string>, checked: readonly DeviceId[]): void {
    for (const deviceId of checked) {
      const session = this.#byDevice.get(deviceId)
      if (session?.ended && !valid.has(keyName(deviceId, session.ended.keyHash))) {
        this.#end(session, session.ended, 'revoked')
      }
      for (const link of [...(this.#byDevice.get(deviceId)?.links ?? [])]) {
        if (!valid.has(keyName(deviceId, link.keyHash))) link.close('revoked')
      }
    }
  }
}

/** The end of a connection that only reported and closed properly does not mean that the device is offline. */
const onlyReports = ({ hasReported, hasTakenLeave, subscriptions }: DeviceLink): boolean =>
  hasReported && hasTakenLeave && subscriptions === NO_SUBSCRIPTIONS
