import { MAXIMUM_FIELDS, MAXIMUM_REPORTS } from '#contract/mqtt/report.ts'
import { MAXIMUM_TEXT_LENGTH } from '#domain/catalogue/field.ts'
import { LARGEST_INTEGER, SMALLEST_INTEGER } from '#domain/units/numbers.ts'
import { momentFault } from '#domain/units/rfc3339.ts'
import { elementShapes, type JsonShape } from '#domain/validation/jsonShape.ts'
import { readDeviceTimeFast } from './deviceTime.ts'
import type { EventLayout } from './eventLayout.ts'
import {
  type CheckContext,
  cutName,
  harmOf,
  isStorable,
  parseText,
  Refusal,
  refuseForeignBytes,
  refuseGivenTwice,
  refuseTooLarge,
  rejection,
  textOf,
} from './payloadJson.ts'
import type { CheckedReport, Rejection } from './submission.ts'

/** A report from further ahead, or from before retention, is stored at receive time and marked (decision 254). */
const BELIEVED_AHEAD_MS = 5 * 60_000

export const isBelievable = ({ nowMs, oldestMs }: CheckContext, atMs: number): boolean =>
  atMs >= oldestMs && atMs <= nowMs + BELIEVED_AHEAD_MS

const REPORT = 'report'
const OWN_KEYS = 2
/** A shorter text cannot hold too many fields, because the shortest field is `"":0,`. */
const HARMLESS_BYTES = 5 * MAXIMUM_FIELDS
const OPENING_BRACE = 0x7b
const MAXIMUM_NAME_LENGTH = 64
const MAXIMUM_REAL = 3.4028234663852886e38

export interface CheckedPayload {
  readonly reports: CheckedReport[]
  readonly rejections: Rejection[]
}

/** Checks each element alone. It never throws: what cannot be stored is a rejection that names the field. */
export function checkReports(door: CheckContext, layout: EventLayout, number: number, payload: Buffer): CheckedPayload {
  const plain = plainReport(door, layout, number, payload)
  if (plain) return { reports: [plain], rejections: [] }
  const checked: CheckedPayload = { reports: [], rejections: [] }
  try {
    refuseTooLarge(payload)
    refuseForeignBytes(payload)
    const { shapes, count } = elementShapes(payload, MAXIMUM_REPORTS)
    if (count > MAXIMUM_REPORTS) {
      throw new Refusal('too_many_reports', `${count} reports in one array, at most ${MAXIMUM_REPORTS} are read.`)
    }
    const parsed = parseText(withoutHarmful(payload, shapes))
    const elements = Array.isArray(parsed) ? parsed : [parsed]
    for (const [index, shape] of shapes.entries()) {
      checkElement({ door, layout, number, payload, shape }, elements[index], checked)
    }
  } catch (error) {
    checked.rejections.push(rejection(door, error, payload))
  }
  return checked
}

/**
 * Reads what devices nearly always send, one small report, without counting its parts first. Each key has a colon, so
 * there are at least as many colons as keys, and exactly as many only when no key was given twice. Returns undefined
 * for anything else and anything refused, which `checkReports` then reads the slow way.
 */
function plainReport(
  door: CheckContext,
  layout: EventLayout,
  number: number,
  payload: Buffer,
): CheckedReport | undefined {
  if (payload.length > HARMLESS_BYTES || payload[0] !== OPENING_BRACE) return undefined
  try {
    const text = textOf(payload)
    const element: { at?: unknown } = JSON.parse(text)
    if (typeof element.at !== 'string') return undefined
    const keys = colonsOf(text) - colonsOf(element.at)
    const shape = { from: 0, to: payload.length, keys, keysOfOne: keys, depth: OWN_KEYS }
    return checkReport({ door, layout, number, payload, shape }, element)
  } catch {
    return undefined
  }
}

function colonsOf(text: string): number {
  let count = 0
  for (let at = text.indexOf(':'); at !== -1; at = text.indexOf(':', at + 1)) count++
  return count
}

interface Place {
  readonly door: CheckContext
  readonly layout: EventLayout
  readonly number: number
  readonly payload: Buffer
  readonly shape: JsonShape
}

/** Blanks out elements that would be too large to build, so that their neighbours can be read. */
function withoutHarmful(payload: Buffer, shapes: readonly JsonShape[]): Buffer {
  const harmful = shapes.filter((shape) => harmOf(shape, REPORT))
  if (harmful.length === 0) return payload
  const copy = Buffer.from(payload)
  for (const { from, to } of harmful) copy.fill(' ', from, to).write('0', from)
  return copy
}

function checkElement(place: Place, element: unknown, checked: CheckedPayload) {
  const { door, payload, shape } = place
  try {
    const harm = harmOf(shape, REPORT)
    if (harm) throw harm
    checked.reports.push(checkReport(place, element))
  } catch (error) {
    checked.rejections.push(rejection(door, error, payload.subarray(shape.from, shape.to)))
  }
}

function checkReport({ door, layout, number, payload, shape }: Place, element: unknown): CheckedReport {
  if (!isObject(element) || !isObject(element.values)) {
    throw new Refusal('bad_shape', 'A report is an object with "at" and "values".')
  }
  for (const key of Object.keys(element)) {
    if (key !== 'at' && key !== 'values') throw new Refusal('bad_shape', `A report has no "${cutName(key)}".`)
  }
  const atMs = readMoment(element.at)
  const isBelieved = isBelievable(door, atMs)
  const report: CheckedReport = {
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
  const count = readValues(report, element.values)
  refuseGivenTwice(payload, shape, OWN_KEYS + count)
  return report
}

function readMoment(at: unknown): number {
  const atMs = typeof at === 'string' ? readDeviceTimeFast(at) : Number.NaN
  if (Number.isNaN(atMs)) throw new Refusal('bad_time', momentFault(at))
  return atMs
}

/**
 * `Object.keys` and not `for … in`, which takes several times as long for objects of many shapes.
 *
 * @returns the number of fields, including those that are null
 */
function readValues(report: CheckedReport, values: Record<string, unknown>): number {
  const { layout, numbers } = report
  let count = 0
  let extra: [string, number | string | boolean][] | undefined
  for (const name of Object.keys(values)) {
    count++
    const value = values[name]
    if (value === null) continue
    const index = layout.indexByName.get(name)
    if (index === undefined) {
      extra ??= []
      extra.push([name, unknownValue(name, value)])
      continue
    }
    report.valueCount++
    if (layout.fields[index]?.storage === 'text') {
      report.texts ??= new Array(numbers.length)
      report.texts[index] = knownText(name, value)
    } else {
      numbers[index] = knownNumber(name, value, layout.fields[index]?.storage === 'integer')
    }
  }
  // A field named `__proto__` must become an own property too.
  if (extra !== undefined) report.extra = Object.fromEntries(extra)
  return count
}

function knownNumber(name: string, value: unknown, isInteger: boolean): number {
  if (typeof value !== 'number') throw new Refusal('bad_value', notANumber(name, value))
  if (isInteger) {
    if (!Number.isInteger(value)) throw new Refusal('bad_value', `${name} is not a whole number.`)
    if (value > LARGEST_INTEGER || value < SMALLEST_INTEGER) {
      throw new Refusal('bad_value', `${name} does not fit into 32 bits.`)
    }
    return value
  }
  if (!(Math.abs(value) <= MAXIMUM_REAL)) throw new Refusal('bad_value', `${name} ${NOT_FINITE}`)
  return value
}

/** The message does not say which it was, because NaN was replaced in the text by a number that is too large. */
const NOT_FINITE = 'is not a finite number. JSON has no NaN and no Infinity: send null, or leave the field out.'

const JSON_NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i

function notANumber(name: string, value: unknown): string {
  if (typeof value === 'boolean') return `${name} is ${value}, not a number.`
  if (typeof value !== 'string') return `${name} is ${Array.isArray(value) ? 'a list' : 'an object'}, not a number.`
  const hint = JSON_NUMBER.test(value.trim()) ? ' Send it without quotes.' : ''
  return `${name} is the text "${cutName(value)}", not a number.${hint}`
}

function knownText(name: string, value: unknown): string {
  if (typeof value !== 'string') throw new Refusal('bad_value', `${name} is not a text.`)
  if (value.length > MAXIMUM_TEXT_LENGTH) {
    throw new Refusal('bad_value', `${name} is longer than ${MAXIMUM_TEXT_LENGTH} characters.`)
  }
  if (!isStorable(value)) throw new Refusal('bad_value', `${name} holds characters that are no text.`)
  return value
}

function unknownValue(name: string, value: unknown): number | string | boolean {
  if (name.length > MAXIMUM_NAME_LENGTH || !isStorable(name)) {
    throw new Refusal('bad_value', `${cutName(name)} is no name of a field.`)
  }
  if (typeof value === 'string') return knownText(name, value)
  if (typeof value === 'boolean') return value
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return value
    throw new Refusal('bad_value', `${name} ${NOT_FINITE}`)
  }
  throw new Refusal('bad_value', `${name} is neither a number nor a text nor true or false.`)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
