import type { DeviceId } from '#domain/ids.ts'
import type { CheckedReport, Submission } from '#server/telemetry/ingress/submission.ts'

/** A larger batch would make every device wait for one long transaction. */
const MAXIMUM_BATCH = 5000
/** An alert waits for its batch, and beyond this many devices a larger batch saves little. */
const MAXIMUM_DEVICES = 1000
/** A shorter queue is stored so soon that reordering it gains nothing. */
const CROWDED = 16
/** The share of the queue that may be stored before the rest. */
const MOST_AHEAD = 0.2

/** Holds what waits for an ingest shard. Submissions of one device are always taken in order. */
export class IngestQueue {
  readonly #isUrgent: (report: CheckedReport) => boolean
  #waiting: Submission[] = []
  /** The devices that had something urgent in the queue, as far as it could be judged on arrival. */
  readonly #urgent = new Set<DeviceId>()
  /** Whether the last batch overtook submissions that waited longer. */
  #wentAhead = false

  constructor(isUrgent: (report: CheckedReport) => boolean) {
    this.#isUrgent = isUrgent
  }

  get length(): number {
    return this.#waiting.length
  }

  /** Whether something waits that should be stored at once. */
  get hasUrgent(): boolean {
    return this.#urgent.size > 0
  }

  /** The `performance.now()` at which the first waiting submission arrived; infinity for an empty queue. */
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
   * Takes the next batch. In a long queue the devices with something urgent go first, because nobody is notified of an
   * alert before the batch that raises it is stored. This never happens twice in a row, so that the others do not wait
   * for long.
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
