import type { DeviceId } from '#domain/ids.ts'
import { type EventLayout, SLOTS } from './eventLayout.ts'
import type { CheckedReport } from './submission.ts'

/** For which readings a mark of the current state serves (StateMarks). */
export interface MarkCover {
  /** Of the connection that wrote it. */
  readonly session: number
  readonly round: number
  /** Beginning of the UTC hour. */
  readonly hourMs: number
  /** Device time of the oldest reading. */
  readonly fromMs: number
  /** By index of the field: 1 where a reading may have it. */
  readonly has: Uint8Array
}

/**
 * What this process knows to be stored of one component. Only hints: another process may have stored more, but time
 * only moves forwards, so what is older than a hint never has to be written again.
 */
export class SeenReports {
  readonly deviceId: DeviceId
  readonly layout: EventLayout
  readonly number: number
  /** Newest believed time that is committed; undefined until this process has stored one. */
  watermarkMs: number | undefined
  /** Of marks that are known to be stored, for some hours. */
  covers: MarkCover[] = []
  lastMarkedMs = 0
  /** What its newest readings say that a verdict turns by (server/telemetry/write/verdictSigns.ts). */
  signs = 0

  constructor(deviceId: DeviceId, layout: EventLayout, number: number) {
    this.deviceId = deviceId
    this.layout = layout
    this.number = number
  }

  /**
   * A moment for a report whose own is not believed. Devices report whole milliseconds, so a fraction never meets
   * one of their reports, and two marked ones of a millisecond do not meet each other.
   */
  nextMarkedMs(receivedAtMs: number): number {
    const wished = Math.max(receivedAtMs, Math.floor(this.lastMarkedMs)) * 1000
    const afterLast = Math.round(this.lastMarkedMs * 1000) + 1
    let microseconds = Math.max(wished + 1 + Math.floor(Math.random() * 500), afterLast)
    if (microseconds % 1000 === 0) microseconds++
    this.lastMarkedMs = microseconds / 1000
    return this.lastMarkedMs
  }
}

/** The tracks of all devices of a lane. */
export class DeviceSeenReports {
  readonly #byDevice = new Map<DeviceId, (SeenReports | undefined)[]>()

  of(report: CheckedReport): SeenReports {
    let tracks = this.#byDevice.get(report.deviceId)
    if (tracks === undefined) {
      tracks = new Array<SeenReports | undefined>(SLOTS).fill(undefined)
      this.#byDevice.set(report.deviceId, tracks)
    }
    const slot = report.layout.firstSlot + report.number - 1
    let track = tracks[slot]
    if (track === undefined) {
      track = new SeenReports(report.deviceId, report.layout, report.number)
      tracks[slot] = track
    }
    return track
  }

  /** Hints of a device that went away would only fill memory. */
  forget(deviceId: DeviceId): void {
    this.#byDevice.delete(deviceId)
  }
}
