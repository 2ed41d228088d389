import { MAXIMUM_REPORTS } from '#contract/mqtt/report.ts'
import { MAXIMUM_TEXT_LENGTH } from '#domain/catalogue/field.ts'
import { LARGEST_INTEGER, MAXIMUM_REAL, SMALLEST_INTEGER } from '#domain/units/numbers.ts'
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
} from './payloadJson.ts'
import { plainReport, reportAt } from './plainReport.ts'
import { type CheckedReport, NO_REJECTIONS, type Rejection } from './submission.ts'

const REPORT = 'report'
const OWN_KEYS = 2
const MAXIMUM_NAME_LENGTH = 64

export interface CheckedPayload {
  readonly reports: readonly CheckedReport[]
  readonly rejections: readonly Rejection[]
}

/** Checks each element alone. It never throws: what cannot be stored is a rejection that names the field. */
export function checkReports(door: CheckContext, layout: EventLayout, number: number, payload: Buffer): CheckedPayload {
  const plain = plainReport(door, layout, number, payload)
  if (plain) return { reports: [plain], rejections: NO_REJECTIONS }
  const reports: CheckedReport[] = []
  const rejections: Rejection[] = []
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
      const checked = checkElement({ door, layout, number, payload, shape }, elements[index])
      if ('reason' in checked) rejections.push(checked)
      else reports.push(checked)
    }
  } catch (error) {
    rejections.push(rejection(door, error, payload))
  }
  return { reports, rejections }
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

function checkElement(place: Place, element: unknown): CheckedReport | Rejection {
  const { door, payload, shape } = place
  try {
    const harm = harmOf(shape, REPORT)
    if (harm) throw harm
    return checkReport(place, element)
  } catch (error) {
    return rejection(door, error, payload.subarray(shape.from, shape.to))
  }
}

function checkReport({ door, layout, number, payload, shape }: Place, element: unknown): CheckedReport {
  if (!isObject(element) || !isObject(element.values)) {
    throw new Refusal('bad_shape', 'A report is an object with "at" and "values".')
  }
  for (const key of Object.keys(element)) {
    if (key !== 'at' && key !== 'values') throw new Refusal('bad_shape', `A report has no "${cutName(key)}".`)
  }
  const report = reportAt(door, layout, number, readMoment(element.at))
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
