import { CLIENT_EVENT_TYPE_ID } from '#domain/catalogue/eventTypes.ts'
import { MINUTE_MS, SECOND_MS } from '#domain/units/time.ts'
import { layoutByTypeId } from '#server/telemetry/ingress/eventLayout.ts'
import type { CheckedReport } from '#server/telemetry/ingress/submission.ts'

const DEVICE = layoutByTypeId(CLIENT_EVENT_TYPE_ID)
const UPTIME = DEVICE?.indexByName.get('uptime') ?? -1

/** An older report was kept or has a wrong clock, and neither shows when the computer started. */
const FRESH_WITHIN_MS = MINUTE_MS
/** Starts of one computer differ by no more than this, even if its clock is corrected now and then. */
const SAME_WITHIN_MS = MINUTE_MS
/** Firmware that rounds its uptime makes a start seem to move by less than this. */
const EARLIER_BY_MS = 5 * MINUTE_MS
const MOST_STARTS = 4

/**
 * Tracks when the computers that report as one device were started, by their uptime. One computer can only start later
 * than before, so a report that goes back to an earlier start comes from another computer.
 */
export class ComputerStarts {
  /** The `performance.now()` of the last report that showed a start. */
  heardMs = 0
  /** The newest one heard is the last. */
  #startsMs: readonly number[] = []
  #uptimeSeconds = Number.NaN

  /** Takes in what a device just reported. @returns whether it goes back to an earlier start */
  goesBack(reports: readonly CheckedReport[], nowMs: number): boolean {
    let isBack = false
    for (const report of reports) if (this.#isBack(report, nowMs)) isBack = true
    return isBack
  }

  #isBack({ numbers, atMs, receivedAtMs, isBelieved }: CheckedReport, nowMs: number): boolean {
    const uptimeSeconds = numbers[UPTIME] ?? Number.NaN
    if (Number.isNaN(uptimeSeconds) || !isBelieved || Math.abs(receivedAtMs - atMs) > FRESH_WITHIN_MS) return false
    // Firmware that reads its uptime rarely repeats a value, and would seem to start later and later.
    if (uptimeSeconds === this.#uptimeSeconds) return false
    this.#uptimeSeconds = uptimeSeconds
    this.heardMs = nowMs
    const startMs = atMs - uptimeSeconds * SECOND_MS
    const known = this.#startsMs.find((other) => Math.abs(other - startMs) <= SAME_WITHIN_MS)
    const lastMs = this.#startsMs.at(-1) ?? startMs
    this.#startsMs = [...this.#startsMs.filter((other) => other !== known), startMs].slice(-MOST_STARTS)
    return known !== undefined && lastMs - startMs > EARLIER_BY_MS
  }
}

export const mayTellStart = ([first]: readonly CheckedReport[]): boolean =>
  first !== undefined && first.layout === DEVICE
