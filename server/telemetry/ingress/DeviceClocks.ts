import { OFFLINE_AFTER_MS } from '#domain/devices/presence.ts'
import type { DeviceId } from '#domain/ids.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#domain/units/time.ts'
import type { CheckedReport } from './submission.ts'

/** A clock this near to the server's counts as right, because a report takes time on a bad line. */
const RIGHT_WITHIN_MS = MINUTE_MS
/** Reports of one clock differ by the time that each of them took to arrive. */
const SAME_WITHIN_MS = 5 * SECOND_MS
const STEADY_REPORTS = 3
const STEADY_FOR_MS = 5 * SECOND_MS
/** Reports closer together count as one, because a device that was offline sends everything it kept at once. */
const APART_MS = SECOND_MS
/** A measurement that nothing was added to for so long starts again. Firmware may report only once a day. */
const GIVEN_UP_AFTER_MS = 25 * HOUR_MS
/** A device that pauses this long between two reports may send what it kept no faster than it was measured. */
const PAUSE_MS = 10 * MINUTE_MS
const STEADY_PAUSES = STEADY_REPORTS - 1
/** This limits memory. Devices beyond it keep their times as they are. */
const MOST_DEVICES = 10_000

/** How far a clock is ahead of the server's, by reports that agree. */
interface Measurement {
  aheadMs: number
  /** The first report's value: reports of a backlog each come a little nearer, and would otherwise seem to agree. */
  readonly firstAheadMs: number
  readonly sinceMs: number
  lastMs: number
  reports: number
  /** The number of pauses between them, and the length of the newest one. */
  pauses: number
  pauseMs: number
  /** How long the device was silent before the first of them. */
  readonly silentMs: number
  /** Whether some arrived together with older ones, which shows that the device keeps reports. */
  cameWithOlder: boolean
}

interface Heard {
  lastMs: number
  silentMs: number
}

interface Said {
  readonly aheadMs: number
  readonly nowMs: number
  readonly silentMs: number
  readonly cameWithOlder: boolean
}

interface Clock {
  /** The value that enough reports agreed on. */
  knownAheadMs: number | undefined
  measured: Measurement | undefined
  lastMs: number
}

/**
 * Finds devices with a wrong clock, and by how much. A late report is as far behind as one of a slow clock. But a
 * device sends a backlog faster than it was measured, so only a wrong clock stays the same distance away. For devices
 * with long pauses between reports not even that is proof, see `mayBeKept`.
 */
export class DeviceClocks {
  /** Only clocks that were seen wrong are in here. */
  readonly #clocks = new Map<DeviceId, Clock>()
  /** Every device is in here, because one with a right clock that sends a backlog looks as if its clock were wrong. */
  readonly #heard = new Map<DeviceId, Heard>()

  /** Judges one packet's reports. The last one tells the clock; then all get the times they are stored at. */
  judge(reports: readonly CheckedReport[]): void {
    const last = reports.at(-1)
    if (last === undefined) return
    const aheadMs = clockOf(last) - last.receivedAtMs
    const silentMs = this.#silenceBefore(last)
    const clock = this.#clockOf(last.deviceId, aheadMs)
    if (clock === undefined) {
      if (isRight(aheadMs)) last.clockErrorMs = 0
      return
    }
    const cameWithOlder = reports.some((report) => clockOf(last) - clockOf(report) > SAME_WITHIN_MS)
    this.#measure(clock, { aheadMs, nowMs: last.receivedAtMs, silentMs, cameWithOlder })
    if (clock.knownAheadMs !== undefined && isRight(clock.knownAheadMs)) this.#clocks.delete(last.deviceId)
    for (const report of reports) correct(report, clock)
    last.clockErrorMs = errorOf(last, clock, aheadMs)
  }

  /** Silence before this process started is unknown and counts as none. */
  #silenceBefore({ deviceId, receivedAtMs }: CheckedReport): number {
    const heard = this.#heard.get(deviceId)
    if (heard === undefined) {
      this.#heard.set(deviceId, { lastMs: receivedAtMs, silentMs: 0 })
      return 0
    }
    const pauseMs = receivedAtMs - heard.lastMs
    if (pauseMs >= PAUSE_MS) heard.silentMs = pauseMs
    heard.lastMs = receivedAtMs
    return heard.silentMs
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
      if (newestMs - lastMs > PAUSE_MS) this.#clocks.delete(deviceId)
    }
    return this.#clocks.size < MOST_DEVICES
  }

  #measure(clock: Clock, { aheadMs, nowMs, silentMs, cameWithOlder }: Said): void {
    clock.lastMs = nowMs
    const isSame = (other: number | undefined) => other !== undefined && Math.abs(aheadMs - other) <= SAME_WITHIN_MS
    if (isSame(clock.knownAheadMs)) {
      clock.measured = undefined
      return
    }
    const { measured } = clock
    if (measured === undefined || !isSame(measured.firstAheadMs) || nowMs - measured.lastMs > GIVEN_UP_AFTER_MS) {
      const begun = { sinceMs: nowMs, lastMs: nowMs, reports: 1, pauses: 0, pauseMs: 0 }
      clock.measured = { aheadMs, firstAheadMs: aheadMs, ...begun, silentMs, cameWithOlder }
      return
    }
    const pauseMs = nowMs - measured.lastMs
    if (pauseMs >= PAUSE_MS) {
      measured.pauses++
      measured.pauseMs = pauseMs
    }
    if (pauseMs >= APART_MS) {
      measured.lastMs = nowMs
      measured.reports++
    }
    // The report that travelled fastest measures the clock best.
    measured.aheadMs = Math.max(measured.aheadMs, aheadMs)
    measured.cameWithOlder ||= cameWithOlder
    if (measured.reports < STEADY_REPORTS || nowMs - measured.sinceMs < STEADY_FOR_MS) return
    if (measured.pauses > 0 && (measured.pauses < STEADY_PAUSES || mayBeKept(measured))) return
    clock.knownAheadMs = measured.aheadMs
    clock.measured = undefined
  }
}

/**
 * Whether a device with long pauses could have sent these reports with a right clock. Firmware that sends one report
 * each time may stay behind for ever, by one pause or by a whole outage. A report that arrived with older ones was
 * kept.
 */
function mayBeKept({ aheadMs, pauseMs, silentMs, cameWithOlder }: Measurement): boolean {
  const behindMs = -aheadMs
  const isOfSilence = behindMs >= pauseMs - SAME_WITHIN_MS && behindMs <= Math.max(pauseMs, silentMs) + SAME_WITHIN_MS
  return cameWithOlder || isOfSilence
}

const isRight = (aheadMs: number) => Math.abs(aheadMs) <= RIGHT_WITHIN_MS

const clockOf = ({ claimedAtMs, atMs }: CheckedReport) => claimedAtMs ?? atMs

/** Gives a report that a known wrong clock stamped just now the time that it would have by the server's clock. */
function correct(report: CheckedReport, { knownAheadMs }: Clock): void {
  if (knownAheadMs === undefined || isRight(knownAheadMs)) return
  const atMs = clockOf(report) - knownAheadMs
  if (Math.abs(atMs - report.receivedAtMs) > OFFLINE_AFTER_MS) return
  report.claimedAtMs = clockOf(report)
  report.atMs = atMs
  report.isBelieved = true
}

/** Undefined when this report says nothing about the clock. A time in the future shows at once that it is wrong. */
function errorOf(report: CheckedReport, { knownAheadMs }: Clock, aheadMs: number): number | undefined {
  if (knownAheadMs !== undefined) return isRight(knownAheadMs) ? 0 : knownAheadMs
  return report.isBelieved ? undefined : aheadMs
}
