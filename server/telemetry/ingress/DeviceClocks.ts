import { OFFLINE_AFTER_MS } from '#domain/devices/presence.ts'
import type { DeviceId } from '#domain/ids.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#domain/units/time.ts'
import type { CheckedReport } from './submission.ts'

/** Nearer to the server's than this, a clock is right: a report takes its time on a bad line. */
const RIGHT_WITHIN_MS = MINUTE_MS
/** Reports of one clock differ by the time that each of them took. */
const SAME_WITHIN_MS = 5 * SECOND_MS
const STEADY_REPORTS = 3
const STEADY_FOR_MS = 5 * SECOND_MS
/** Closer ones say one thing: after a pause in telling, what was kept comes at once. */
const APART_MS = SECOND_MS
/** A measurement that nothing was added to for so long is begun anew: firmware may report once a day. */
const GIVEN_UP_AFTER_MS = 25 * HOUR_MS
/** A device that says nothing for so long between two reports may send what it kept no faster than it was measured. */
const PAUSE_MS = 10 * MINUTE_MS
const STEADY_PAUSES = STEADY_REPORTS - 1
/** Devices whose clocks are looked at; more of them at once are left as they are. */
const MOST_DEVICES = 10_000

/** How far a clock is ahead of the server's, by reports that say the same of it. */
interface Measurement {
  aheadMs: number
  /** By the first of them: what is kept is told closer and closer to the present, each report a little nearer than the last. */
  readonly firstAheadMs: number
  readonly sinceMs: number
  lastMs: number
  reports: number
  /** Pauses between them, and how long the newest was. */
  pauses: number
  pauseMs: number
  /** How long the device was not heard before the first of them. */
  readonly silentMs: number
  /** Some came together with older ones, so that this device keeps reports. */
  cameWithOlder: boolean
}

/** When a device was heard, and how long it was silent before it came back the last time. */
interface Heard {
  lastMs: number
  silentMs: number
}

/** What a packet says of the clock of its device. */
interface Said {
  readonly aheadMs: number
  readonly nowMs: number
  readonly silentMs: number
  readonly cameWithOlder: boolean
}

interface Clock {
  /** What a row of reports said alike. */
  knownAheadMs: number | undefined
  measured: Measurement | undefined
  lastMs: number
}

/**
 * Which devices have a wrong clock, and by how much. A report that comes late is as far behind as one of a clock that is
 * behind; but what a device kept is sent faster than it was measured, so only a wrong clock stays the same time away. Of
 * devices that pause for long between reports even that does not tell, see `mayBeKept`.
 */
export class DeviceClocks {
  /** Nothing is kept of a clock that was never seen wrong. */
  readonly #clocks = new Map<DeviceId, Clock>()
  /** Of every device: one whose clock is right may keep reports, and then looks as if it was not. */
  readonly #heard = new Map<DeviceId, Heard>()

  /** Of one packet, in their order: the last one tells the clock, and then all get the times by which they are stored. */
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

  /** Silence that is not known of, as before this process began, is none. */
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
    // What was under way for the shortest time tells it best.
    measured.aheadMs = Math.max(measured.aheadMs, aheadMs)
    measured.cameWithOlder ||= cameWithOlder
    if (measured.reports < STEADY_REPORTS || nowMs - measured.sinceMs < STEADY_FOR_MS) return
    if (measured.pauses > 0 && (measured.pauses < STEADY_PAUSES || mayBeKept(measured))) return
    clock.knownAheadMs = measured.aheadMs
    clock.measured = undefined
  }
}

/**
 * Of a device that pauses for long between reports: whether a right clock could have said these, too. Firmware that sends
 * one report each time may be behind for ever, by one pause or by all of an outage. What came with older reports is kept.
 */
function mayBeKept({ aheadMs, pauseMs, silentMs, cameWithOlder }: Measurement): boolean {
  const behindMs = -aheadMs
  const isOfSilence = behindMs >= pauseMs - SAME_WITHIN_MS && behindMs <= Math.max(pauseMs, silentMs) + SAME_WITHIN_MS
  return cameWithOlder || isOfSilence
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
