import type { DeviceId } from '#domain/ids.ts'
import { type EventLayout, SLOTS } from './eventLayout.ts'
import type { CheckedReport } from './submission.ts'

/** The readings that a dirty range of the current state already covers (StateMarks). */
export interface MarkCover {
  readonly session: number
  readonly round: number
  /** The beginning of the UTC hour, in milliseconds. */
  readonly hourMs: number
  /** The device time of the oldest reading. */
  readonly fromMs: number
  /** Holds 1 at the index of each field that a covered reading may have. */
  readonly has: Uint8Array
}

/**
 * What this process knows to be stored of one component. These are only hints: another process may have stored more,
 * but times only move forward, so what is older than a hint never has to be written again.
 */
export class SeenReports {
  readonly deviceId: DeviceId
  readonly layout: EventLayout
  readonly number: number
  /** The newest believed time that is committed; undefined until this process has stored one. */
  watermarkMs: number | undefined
  covers: MarkCover[] = []
  /** What the newest readings signal for the verdict (server/telemetry/write/verdictSigns.ts). */
  signs = 0

  constructor(deviceId: DeviceId, layout: EventLayout, number: number) {
    this.deviceId = deviceId
    this.layout = layout
    this.number = number
  }
}

/** What this process knows to be stored of a device. */
class SeenDevice {
  readonly components = new Array<SeenReports | undefined>(SLOTS).fill(undefined)
  /** The newest believed look that is committed; undefined until this process has stored one. */
  newestLookMs: number | undefined
  #lastMarkedMs = 0

  rememberLook({ atMs, isBelieved }: Pick<CheckedReport, 'atMs' | 'isBelieved'>): void {
    if (isBelieved) this.newestLookMs = Math.max(this.newestLookMs ?? atMs, atMs)
  }

  /**
   * Finds a moment for a report whose own time is not believed. Devices report whole milliseconds, so a fraction of one
   * never collides with their reports, and two such reports in a millisecond do not collide with each other.
   */
  nextMarkedMs(receivedAtMs: number): number {
    const wished = Math.max(receivedAtMs, Math.floor(this.#lastMarkedMs)) * 1000
    const afterLast = Math.round(this.#lastMarkedMs * 1000) + 1
    let microseconds = Math.max(wished + 1 + Math.floor(Math.random() * 500), afterLast)
    if (microseconds % 1000 === 0) microseconds++
    this.#lastMarkedMs = microseconds / 1000
    return this.#lastMarkedMs
  }
}

export class DeviceSeenReports {
  readonly #devices = new Map<DeviceId, SeenDevice>()

  device(deviceId: DeviceId): SeenDevice {
    let device = this.#devices.get(deviceId)
    if (device === undefined) {
      device = new SeenDevice()
      this.#devices.set(deviceId, device)
    }
    return device
  }

  of(report: CheckedReport): SeenReports {
    const { components } = this.device(report.deviceId)
    const slot = report.layout.firstSlot + report.number - 1
    let track = components[slot]
    if (track === undefined) {
      track = new SeenReports(report.deviceId, report.layout, report.number)
      components[slot] = track
    }
    return track
  }

  /** Hints about a device that is gone would only fill memory. */
  forget(deviceId: DeviceId): void {
    this.#devices.delete(deviceId)
  }
}
