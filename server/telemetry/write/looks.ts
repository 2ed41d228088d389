import type { DeviceId } from '#domain/ids.ts'
import { LOOK_LAYOUT, placeInLook } from '#server/telemetry/ingress/rowLayout.ts'
import type { CheckedReport } from '#server/telemetry/ingress/submission.ts'
import type { ReadingRow } from './readingRows.ts'

const NO_NUMBERS: readonly number[] = LOOK_LAYOUT.fields.map(() => Number.NaN)
const NOTHING = {}

interface Look extends ReadingRow {
  receivedAtMs: number
  readonly texts: (string | undefined)[]
  readonly extras: ReadingRow['extras'][number][]
}

/** Puts what a device told of its parts at one moment into one row, whatever packets it came in. */
export class Looks {
  readonly #byDevice = new Map<DeviceId, Map<number, Look>>()

  /** @returns false for a report that has a row of its own */
  add(report: CheckedReport): boolean {
    const place = placeInLook(report.layout, report.number)
    if (place === undefined) return false
    const look = this.#lookOf(report)
    look.receivedAtMs = Math.min(look.receivedAtMs, report.receivedAtMs)
    const { numbers, texts = [], extra, valueCount } = report
    for (let index = 0; index < numbers.length; index++) {
      const value = numbers[index] ?? Number.NaN
      if (!Number.isNaN(value)) look.numbers[place.firstField + index] = value
    }
    for (let index = 0; index < texts.length; index++) {
      if (texts[index] !== undefined) look.texts[place.firstField + index] = texts[index]
    }
    // A part without any value was heard all the same.
    look.extras[place.extra] = extra ?? (valueCount === 0 ? NOTHING : undefined)
    return true
  }

  /** Returns the rows by device and time, so that two processes never wait for each other's in a circle. */
  rows(): readonly ReadingRow[] {
    return [...this.#byDevice.values()].flatMap((looks) => [...looks.values()].sort((a, b) => a.atMs - b.atMs))
  }

  #lookOf({ deviceId, atMs, receivedAtMs, claimedAtMs, isBelieved }: CheckedReport): Look {
    let looks = this.#byDevice.get(deviceId)
    if (looks === undefined) {
      looks = new Map()
      this.#byDevice.set(deviceId, looks)
    }
    let look = looks.get(atMs)
    if (look === undefined) {
      const numbers = NO_NUMBERS.slice()
      look = { deviceId, atMs, receivedAtMs, claimedAtMs, isBelieved, numbers, texts: [], extras: [] }
      looks.set(atMs, look)
    }
    return look
  }
}
