import type { DeviceId } from '#domain/ids.ts'
import type { CheckedReport, Submission } from '#server/telemetry/ingress/submission.ts'

/** More than this at once would only make everybody wait for one long transaction. */
const MAXIMUM_BATCH = 5000
/** Whoever waits for an alert waits for a batch: beyond this a larger one saves little. */
const MAXIMUM_DEVICES = 1000
/** With less waiting, order is not worth a thought. */
const CROWDED = 16
/** Share of what waits that may be stored before the rest. */
const MOST_AHEAD = 0.2

/** What waits for a lane. Of one device everything stays in order. */
export class IngestQueue {
  readonly #isUrgent: (report: CheckedReport) => boolean
  #waiting: Submission[] = []
  /** Devices with something urgent among what waits, as far as could be told when it came. */
  readonly #urgent = new Set<DeviceId>()
  /** Whether the last batch went before others that waited longer. */
  #wentAhead = false

  constructor(isUrgent: (report: CheckedReport) => boolean) {
    this.#isUrgent = isUrgent
  }

  get length(): number {
    return this.#waiting.length
  }

  /** When the first that waits arrived; infinity when none does. */
  get oldestMs(): number {
    return this.#waiting[0]?.arrivedAtMs ?? Number.POSITIVE_INFINITY
  }

  push(submission: Submission): void {
    this.#waiting.push(submission)
    if (submission.reports.some(this.#isUrgent)) this.#urgent.add(submission.deviceId)
  }

  clear(): void {
    this.#waiting = []
    this.#urgent.clear()
  }

  /**
   * The next batch: what waits of devices with something urgent when there is much else, because nobody hears of an
   * alert before the batch that raises it is stored. Not twice in a row, so that the others never wait for long.
   */
  take(): Submission[] {
    const mayGoAhead = this.#urgent.size > 0 && this.#waiting.length >= CROWDED && !this.#wentAhead
    const ahead = mayGoAhead ? this.#waiting.filter(({ deviceId }) => this.#urgent.has(deviceId)) : []
    this.#wentAhead = ahead.length > 0 && ahead.length <= this.#waiting.length * MOST_AHEAD
    if (!this.#wentAhead) return this.#takeInOrder()
    this.#waiting = this.#waiting.filter(({ deviceId }) => !this.#urgent.has(deviceId))
    this.#urgent.clear()
    return ahead
  }

  /** Everything, up to about as much as a transaction should hold. */
  #takeInOrder(): Submission[] {
    const devices = new Set<DeviceId>()
    let reports = 0
    let packets = 0
    for (const submission of this.#waiting) {
      if (reports >= MAXIMUM_BATCH || packets >= MAXIMUM_BATCH) break
      devices.add(submission.deviceId)
      if (devices.size > MAXIMUM_DEVICES) break
      reports += submission.reports.length
      packets++
    }
    const taken = this.#waiting.slice(0, packets)
    this.#waiting = packets === this.#waiting.length ? [] : this.#waiting.slice(packets)
    for (const deviceId of devices) this.#urgent.delete(deviceId)
    return taken
  }
}
