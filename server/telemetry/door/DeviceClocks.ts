import { OFFLINE_AFTER_MS } from '#domain/devices/presence.ts'
import type { DeviceId } from '#domain/ids.ts'
import { MINUTE_MS, SECOND_MS } from '#domain/units/time.ts'
import type { CheckedReport } from './submission.ts'

/** Nearer to the server's than this, a clock is right: a report takes its time on a bad line. */
const RIGHT_WITHIN_MS = MINUTE_MS
/** Reports of one clock differ by the time that each of them took. */
const SAME_WITHIN_MS = 5 * SECOND_MS
const STEADY_REPORTS = 3
const STEADY_FOR_MS = 5 * SECOND_MS
/** A measurement that nothing was added to for so long is begun anew. */
const GIVEN_UP_AFTER_MS = 10 * MINUTE_MS
/** Devices whose clocks are looked at; more of them at once are left as they are. */
const MOST_DEVICES = 10_000

/** How far a clock is ahead of the server's, by reports that say the same of it. */
interface Measurement {
  aheadMs: number
  readonly sinceMs: number
  lastMs: number
  reports: number
}

interface Clock {
  /** What a row of reports said alike. */
  knownAheadMs: number | undefined
  measured: Measurement | undefined
  lastMs: number
}

/**
 * Which devices have a wrong clock, and by how much. A report that comes late is as far behind as one of a clock that is
 * behind; but what a device kept is sent faster than it was measured, so only a wrong clock stays the same time away.
 */
export class DeviceClocks {
  /** Nothing is kept of a clock that was never seen wrong. */
  readonly #clocks = new Map<DeviceId, Clock>()

  /** Of one packet, in their order: the last one tells the clock, and then all get the times by which they are stored. */
  judge(reports: readonly CheckedReport[]): void {
    const last = reports.at(-1)
    if (last === undefined) return
    const aheadMs = clockOf(last) - last.receivedAtMs
    const clock = this.#clockOf(last.deviceId, aheadMs)
    if (clock === undefined) {
      if (isRight(aheadMs)) last.clockErrorMs = 0
      return
    }
    this.#measure(clock, aheadMs, last.receivedAtMs)
    if (clock.knownAheadMs !== undefined && isRight(clock.knownAheadMs)) this.#clocks.delete(last.deviceId)
    for (const report of reports) correct(report, clock)
    last.clockErrorMs = errorOf(last, clock, aheadMs)
  }

  #clockOf(deviceId: DeviceId, aheadMs: number): Clock | undefined {
    let clock = this.#clocks.get(deviceId)
    if (clock === undefined && !isRight(aheadMs) && this.#hasRoom()) {
      clock = { knownAheadMs: undefined, measured: undefined, lastMs: 0 }
      this.#clocks.set(deviceId, clock)
    }
    return clock
  }

  #hasRoom(): boolean {
    if (this.#clocks.size < MOST_DEVICES) return true
    const newestMs = Math.max(...this.#clocks.values().map(({ lastMs }) => lastMs))
    for (const [deviceId, { lastMs }] of this.#clocks) {
      if (newestMs - lastMs > GIVEN_UP_AFTER_MS) this.#clocks.delete(deviceId)
    }
    return this.#clocks.size < MOST_DEVICES
  }

  #measure(clock: Clock, aheadMs: number, nowMs: number): void {
    clock.lastMs = nowMs
    const isSame = (other: number | undefined) => other !== undefined && Math.abs(aheadMs - other) <= SAME_WITHIN_MS
    if (isSame(clock.knownAheadMs)) {
      clock.measured = undefined
      return
    }
    const { measured } = clock
    if (measured === undefined || !isSame(measured.aheadMs) || nowMs - measured.lastMs > GIVEN_UP_AFTER_MS) {
      clock.measured = { aheadMs, sinceMs: nowMs, lastMs: nowMs, reports: 1 }
      return
    }
    measured.lastMs = nowMs
    measured.reports++
    // What was under way for the shortest time tells it best.
    measured.aheadMs = Math.max(measured.aheadMs, aheadMs)
    if (measured.reports < STEADY_REPORTS || nowMs - measured.sinceMs < STEADY_FOR_MS) return
    clock.knownAheadMs = measured.aheadMs
    clock.measured = undefined
  }
}

const isRight = (aheadMs: number) => Math.abs(aheadMs) <= RIGHT_WITHIN_MS

const clockOf = ({ claimedAtMs, atMs }: CheckedReport) => claimedAtMs ?? atMs

/** What was measured just now by a clock whose error is known gets the time that it would have by the server's. */
function correct(report: CheckedReport, { knownAheadMs }: Clock): void {
  if (knownAheadMs === undefined || isRight(knownAheadMs)) return
  const atMs = clockOf(report) - knownAheadMs
  if (Math.abs(atMs - report.receivedAtMs) > OFFLINE_AFTER_MS) return
  report.claimedAtMs = clockOf(report)
  report.atMs = atMs
  report.isBelieved = true
}

/** Undefined: this report says nothing of the clock. What lies in the future says it at once. */
function errorOf(report: CheckedReport, { knownAheadMs }: Clock, aheadMs: number): number | undefined {
  if (knownAheadMs !== undefined) return isRight(knownAheadMs) ? 0 : knownAheadMs
  return report.isBelieved ? undefined : aheadMs
}
