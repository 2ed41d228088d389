import type pg from 'pg'
import type { DeviceId } from '#domain/ids.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import type { CheckedReport } from '#server/telemetry/ingress/submission.ts'
import { ComputerStarts, mayTellStart } from './ComputerStarts.ts'
import { noteConflict, readLastingConflicts, readNewerElsewhere } from './identityConflicts.store.ts'

/** Bytes sent before a connection was replaced may still be read this much later. */
const SETTLED_AFTER_MS = 5_000
/** Bytes waiting in a socket are read at once, so a connection heard again after this time has sent since. */
const HEARD_AGAIN_AFTER_MS = 2_000
/** Our clients are never silent for longer than this. */
const ALIVE_WITHIN_MS = 90_000
/** One machine alone does not cause this many signs within the time. */
const MOST_SIGNS = 5
const SIGNS_WITHIN_MS = 10 * MINUTE_MS
const WRITTEN_EVERY_MS = 30_000

/** What shows whether the other end is alive. Times are `performance.now()`. */
export interface HeardLink {
  readonly openedMs: number
  readonly heardMs: number
}

interface HeardSession {
  readonly deviceId: DeviceId
  /** The oldest connection is the first. */
  readonly links: readonly HeardLink[]
}

export interface IdentityConflictsDeps {
  readonly pool: pg.Pool
  readonly processId: string
  readonly keptDays: number
  /** This is called when a conflict begins or ends. */
  readonly onChanged: (deviceId: DeviceId) => void
  /** This is called for a conflict that no process knew of before. */
  readonly onBegun: (deviceId: DeviceId) => void
  readonly log: (sentence: string, detail: object) => void
}

/**
 * Detects two machines that report as one device, because the configuration of one was copied to the other. A client
 * that reconnects has given up its earlier connection, so an earlier connection that is still heard after a newer one
 * means two machines. So do living connections that keep replacing each other, or reports that go back to a computer
 * started earlier (docs/decisions/0251).
 */
export class IdentityConflicts {
  readonly #deps: IdentityConflictsDeps
  /** The conflicts that the database knows, and those found here since. */
  #lasting = new Set<DeviceId>()
  readonly #writtenMs = new Map<DeviceId, number>()
  readonly #firstHeardMs = new WeakMap<HeardLink, number>()
  readonly #signsMs = new Map<DeviceId, readonly number[]>()
  readonly #starts = new Map<DeviceId, ComputerStarts>()
  /** When a newer connection of a device was opened at another process. */
  #newerElsewhereMs: ReadonlyMap<DeviceId, number> = new Map()

  constructor(deps: IdentityConflictsDeps) {
    this.#deps = deps
  }

  lasts = (deviceId: DeviceId): boolean => this.#lasting.has(deviceId)

  get count(): number {
    return this.#lasting.size
  }

  /** Notes something that one machine does by chance and two do all the time. */
  noteSign(deviceId: DeviceId, nowMs: number): void {
    const moments = [...(this.#signsMs.get(deviceId) ?? []), nowMs].slice(-MOST_SIGNS)
    this.#signsMs.set(deviceId, moments)
    const [firstMs = nowMs] = moments
    if (moments.length === MOST_SIGNS && nowMs - firstMs <= SIGNS_WITHIN_MS) this.#found(deviceId, firstMs, nowMs)
  }

  /** Looks at starts, because two machines that connect only for each report never meet; their reports do. */
  reported(deviceId: DeviceId, reports: readonly CheckedReport[], nowMs: number): void {
    if (!mayTellStart(reports)) return
    const starts = this.#starts.get(deviceId) ?? new ComputerStarts()
    this.#starts.set(deviceId, starts)
    if (starts.goesBack(reports, nowMs)) this.noteSign(deviceId, nowMs)
  }

  /** Looks at all sessions of this process. It must be called every second. */
  look(sessions: Iterable<HeardSession>, nowMs: number): void {
    for (const { deviceId, links } of sessions) {
      const sinceMs = this.#overlapSince(deviceId, links, nowMs)
      if (sinceMs !== undefined) this.#found(deviceId, sinceMs, nowMs)
    }
    for (const [deviceId, moments] of this.#signsMs) {
      if (nowMs - (moments.at(-1) ?? 0) > SIGNS_WITHIN_MS) this.#signsMs.delete(deviceId)
    }
    for (const [deviceId, { heardMs }] of this.#starts) {
      if (nowMs - heardMs > SIGNS_WITHIN_MS) this.#starts.delete(deviceId)
    }
  }

  /** Returns the moment since which two connections have been alive side by side; undefined when they are not. */
  #overlapSince(deviceId: DeviceId, links: readonly HeardLink[], nowMs: number): number | undefined {
    const [older, newer] = links.slice(-2)
    const elsewhereMs = this.#newerElsewhereMs.get(deviceId)
    if (older && newer) {
      if (newer.heardMs > nowMs - ALIVE_WITHIN_MS && this.#isHeardBehind(older, newer.openedMs, nowMs)) {
        return newer.openedMs
      }
    }
    const own = links.at(-1)
    if (own && elsewhereMs !== undefined && this.#isHeardBehind(own, elsewhereMs, nowMs)) return elsewhereMs
    return undefined
  }

  #isHeardBehind(link: HeardLink, newerMs: number, nowMs: number): boolean {
    const { heardMs } = link
    if (heardMs < newerMs + SETTLED_AFTER_MS || nowMs - heardMs > ALIVE_WITHIN_MS) return false
    const firstMs = this.#firstHeardMs.get(link) ?? heardMs
    this.#firstHeardMs.set(link, firstMs)
    return heardMs - firstMs >= HEARD_AGAIN_AFTER_MS
  }

  #found(deviceId: DeviceId, sinceMs: number, nowMs: number): void {
    const writtenMs = this.#writtenMs.get(deviceId) ?? Number.NEGATIVE_INFINITY
    if (nowMs - writtenMs < WRITTEN_EVERY_MS) return
    this.#writtenMs.set(deviceId, nowMs)
    this.#lasting.add(deviceId)
    this.#write(deviceId, nowMs - sinceMs).catch((error: unknown) => {
      this.#writtenMs.delete(deviceId)
      this.#deps.log('That two machines report as one device could not be stored; it is tried again.', { error })
    })
  }

  async #write(deviceId: DeviceId, sinceMs: number): Promise<void> {
    const { pool, keptDays, log, onBegun, onChanged } = this.#deps
    if (!(await noteConflict(pool, deviceId, { sinceMs, keptDays }))) return
    log('Two machines report as one device.', { deviceId })
    onBegun(deviceId)
    onChanged(deviceId)
  }

  async refresh(nowMs = performance.now()): Promise<void> {
    const { pool, processId, onChanged } = this.#deps
    const lasting = new Set(await readLastingConflicts(pool))
    const elsewhere = await readNewerElsewhere(pool, processId)
    this.#newerElsewhereMs = new Map([...elsewhere].map(([deviceId, ageMs]) => [deviceId, nowMs - ageMs]))
    const before = this.#lasting
    this.#lasting = lasting
    for (const deviceId of before.symmetricDifference(lasting)) onChanged(deviceId)
    for (const deviceId of this.#writtenMs.keys()) if (!lasting.has(deviceId)) this.#writtenMs.delete(deviceId)
  }
}
