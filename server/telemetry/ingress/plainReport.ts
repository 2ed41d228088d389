import { MAXIMUM_TEXT_LENGTH } from '#domain/catalogue/field.ts'
import { LARGEST_INTEGER, MAXIMUM_REAL, SMALLEST_INTEGER } from '#domain/units/numbers.ts'
import { isBelievable, readDeviceTimeFast } from './deviceTime.ts'
import { EVENT_LAYOUTS, type EventLayout } from './eventLayout.ts'
import type { CheckContext } from './payloadJson.ts'
import type { CheckedReport } from './submission.ts'

const [SPACE, QUOTE, MINUS, POINT, ZERO, NINE, BACKSLASH, LAST_ASCII] = [0x20, 0x22, 0x2d, 0x2e, 0x30, 0x39, 0x5c, 0x7f]
/** An integer of so many digits and a power of ten are exact, and so is the rounding of their quotient. */
const EXACT_DIGITS = 15
const POWERS_OF_TEN = Array.from({ length: EXACT_DIGITS + 1 }, (_, power) => 10 ** power)

/** The report of a moment, without values. What is not believed is stored at receive time and marked (decision 254). */
export function reportAt(door: CheckContext, layout: EventLayout, number: number, atMs: number): CheckedReport {
  const isBelieved = isBelievable(door, atMs)
  return {
    deviceId: door.deviceId,
    layout,
    number,
    atMs: isBelieved ? atMs : door.nowMs,
    claimedAtMs: isBelieved ? undefined : atMs,
    isBelieved,
    clockErrorMs: undefined,
    receivedAtMs: door.nowMs,
    numbers: layout.noNumbers.slice(),
    texts: undefined,
    valueCount: 0,
    extra: undefined,
  }
}

/** The names of fields as they end in a text, and which field stood behind each last time. Place 0 is the beginning. */
interface FieldNames {
  readonly keys: readonly Buffer[]
  readonly next: number[]
}

const namesOf = new Map<EventLayout, FieldNames>(
  EVENT_LAYOUTS.map((layout) => [
    layout,
    { keys: layout.fields.map(({ name }) => Buffer.from(`${name}":`)), next: [0, ...layout.fields.map(() => 0)] },
  ]),
)

/**
 * Reads what devices nearly always send in one pass: a report of known fields, each given once, without an escape, a null
 * or any other character than ASCII. It is never too large. Whatever else comes is left to `checkReports`, which also
 * knows why to refuse it.
 */
class PlainReportReader {
  #bytes: Buffer = Buffer.alloc(0)
  #at = 0

  /** @returns undefined for anything else */
  read(door: CheckContext, layout: EventLayout, number: number, payload: Buffer): CheckedReport | undefined {
    this.#bytes = payload
    this.#at = 0
    const at = this.#passes('{"at":') ? this.#text() : undefined
    const atMs = at === undefined ? Number.NaN : readDeviceTimeFast(at)
    if (Number.isNaN(atMs) || !this.#passes(',') || !this.#passes('"values":') || !this.#passes('{')) return undefined
    const report = reportAt(door, layout, number, atMs)
    const isRead = this.#passes('}') || this.#fields(report)
    return isRead && this.#passes('}') && this.#at === payload.length ? report : undefined
  }

  /** Skips a word and a space before it. */
  #passes(word: string): boolean {
    this.#space()
    for (let index = 0; index < word.length; index++) {
      if (this.#bytes[this.#at] !== word.charCodeAt(index)) return false
      this.#at++
    }
    return true
  }

  #space(): void {
    if (this.#bytes[this.#at] === SPACE) this.#at++
  }

  #fields(report: CheckedReport): boolean {
    const names = namesOf.get(report.layout) as FieldNames
    let before = 0
    do {
      const index = this.#name(report.layout, names, before)
      if (index === undefined || !this.#value(report, index)) return false
      before = index + 1
    } while (this.#passes(','))
    return this.#passes('}')
  }

  /** @returns the index of a known field; the one that stood here last time is compared first */
  #name({ indexByName }: EventLayout, { keys, next }: FieldNames, before: number): number | undefined {
    if (!this.#passes('"')) return undefined
    const expected = next[before] as number
    if (this.#is(keys[expected] as Buffer)) return expected
    const end = this.#bytes.indexOf(QUOTE, this.#at)
    const index = end === -1 ? undefined : indexByName.get(this.#bytes.toString('latin1', this.#at, end))
    if (index === undefined || !this.#is(keys[index] as Buffer)) return undefined
    next[before] = index
    return index
  }

  #is(key: Buffer): boolean {
    const [bytes, at] = [this.#bytes, this.#at]
    for (let index = 0; index < key.length; index++) if (bytes[at + index] !== key[index]) return false
    this.#at = at + key.length
    return true
  }

  #value(report: CheckedReport, index: number): boolean {
    const { layout, numbers } = report
    const storage = layout.fields[index]?.storage
    // A field that is given twice is refused elsewhere.
    if (!Number.isNaN(numbers[index]) || report.texts?.[index] !== undefined) return false
    report.valueCount++
    if (storage === 'text') {
      const text = this.#text()
      if (text === undefined || text.length > MAXIMUM_TEXT_LENGTH) return false
      report.texts ??= new Array(numbers.length)
      report.texts[index] = text
      return true
    }
    const value = this.#number()
    numbers[index] = value
    return storage === 'integer'
      ? Number.isInteger(value) && value >= SMALLEST_INTEGER && value <= LARGEST_INTEGER
      : Math.abs(value) <= MAXIMUM_REAL
  }

  #text(): string | undefined {
    if (!this.#passes('"')) return undefined
    const from = this.#at
    for (;;) {
      const byte = this.#bytes[this.#at++]
      if (byte === QUOTE) return this.#bytes.toString('latin1', from, this.#at - 1)
      if (byte === undefined || byte < SPACE || byte > LAST_ASCII || byte === BACKSLASH) return undefined
    }
  }

  /** Reads a number without an exponent. NaN for anything else. */
  #number(): number {
    this.#space()
    const from = this.#at
    const isNegative = this.#bytes[from] === MINUS
    if (isNegative) this.#at++
    const first = this.#bytes[this.#at]
    const whole = this.#digits(0)
    const wholeDigits = this.#at - from - (isNegative ? 1 : 0)
    if (wholeDigits === 0 || (wholeDigits > 1 && first === ZERO)) return Number.NaN
    let [all, decimals] = [whole, 0]
    if (this.#bytes[this.#at] === POINT) {
      const behindPoint = ++this.#at
      all = this.#digits(whole)
      decimals = this.#at - behindPoint
      if (decimals === 0) return Number.NaN
    }
    if (wholeDigits + decimals > EXACT_DIGITS) return Number(this.#bytes.toString('latin1', from, this.#at))
    const value = all / (POWERS_OF_TEN[decimals] as number)
    return isNegative ? -value : value
  }

  #digits(before: number): number {
    const bytes = this.#bytes
    let [value, at] = [before, this.#at]
    for (; ; at++) {
      const byte = bytes[at]
      if (byte === undefined || byte < ZERO || byte > NINE) break
      value = value * 10 + byte - ZERO
    }
    this.#at = at
    return value
  }
}

const reader = new PlainReportReader()

export const plainReport: PlainReportReader['read'] = (door, layout, number, payload) =>
  reader.read(door, layout, number, payload)
