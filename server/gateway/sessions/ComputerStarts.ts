import { CLIENT_EVENT_TYPE_ID } from '#domain/catalogue/eventTypes.ts'
import { MINUTE_MS, SECOND_MS } from '#domain/units/time.ts'
import { layoutByTypeId } from '#server/telemetry/ingress/eventLayout.ts'
import type { CheckedReport } from '#server/telemetry/ingress/submission.ts'

const DEVICE = layoutByTypeId(CLIENT_EVENT_TYPE_ID)
const UPTIME = DEVICE?.indexByName.get('uptime') ?? -1

/** An older report was kept, or the clock of the device is wrong: neither tells when its computer was started. */
const FRESH_WITHIN_MS = MINUTE_MS
/** The starts that one computer tells differ by no more, though its clock is corrected now and then. */
const SAME_WITHIN_MS = MINUTE_MS
/** A start seems to move by less where firmware rounds its uptime. */
const EARLIER_BY_MS = 5 * MINUTE_MS
const MOST_STARTS = 4

/**
 * When the computers that report as one device were started, by the uptime that they report. One computer is started
 * anew only later than before, so a report that goes back to an earlier start comes from another one.
 */
export class ComputerStarts {
  /** When a report told it last, by `performance.now()`. */
  heardMs = 0
  /** The newest one heard at the end. */
  #startsMs: readonly number[] = []
  #uptimeSeconds = Number.NaN

  /** Takes what a device reported just now. @returns whether it goes back to an earlier start that was heard before */
  goesBack(reports: readonly CheckedReport[], nowMs: number): boolean {
    let isBack = false
    for (const report of reports) if (this.#isBack(report, nowMs)) isBack = true
    return isBack
  }

  #isBack({ numbers, atMs, receivedAtMs, isBelieved }: CheckedReport, nowMs: number): boolean {
    const uptimeSeconds = numbers[UPTIME] ?? Number.NaN
    if (Number.isNaN(uptimeSeconds) || !isBelieved || Math.abs(receivedAtMs - atMs) > FRESH_WITHIN_MS) return false
    // Firmware that reads its uptime seldom says the same again, and by that seems to start later and later.
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

/** Whether reports are of the kind that tells an uptime. */
export const mayTellStart = ([first]: readonly CheckedReport[]): boolean =>
  first !== undefined && first.layout === DEVICE
