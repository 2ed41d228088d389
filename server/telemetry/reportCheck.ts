import { isUtf8 } from 'node:buffer'
import { MAXIMUM_FIELDS, MAXIMUM_PAYLOAD_BYTES, MAXIMUM_REPORTS } from '#contract/mqtt/report.ts'
import { MAXIMUM_TEXT_LENGTH } from '#domain/catalogue/field.ts'
import type { DeviceId } from '#domain/ids.ts'
import { readDeviceTimeFast } from './deviceTime.ts'
import type { EventLayout } from './eventLayout.ts'
import { type CheckedReport, KEPT_PAYLOAD_BYTES, type Rejection, type RejectionReason } from './submission.ts'

/** A report from further ahead is stored at receive time and marked (design: Telemetry, At the door). */
export const BELIEVED_AHEAD_MS = 5 * 60_000
const MAXIMUM_NAME_LENGTH = 64
const MAXIMUM_REAL = 3.4028234663852886e38
const MAXIMUM_INTEGER = 2_147_483_647

/** Where a payload came from and what may be stored of it. */
export interface Door {
  readonly deviceId: DeviceId
  /** Topic below the root of the device. */
  readonly topic: string
  readonly nowMs: number
  /** Begin of retention. */
  readonly oldestMs: number
}

export interface CheckedPayload {
  readonly reports: CheckedReport[]
  readonly rejections: Rejection[]
}

/** Why an element is refused; thrown and caught within this file. */
class Refusal extends Error {
  readonly reason: RejectionReason

  constructor(reason: RejectionReason, detail: string) {
    super(detail)
    this.reason = reason
  }
}

/**
 * One report or an array of them, each element judged alone. Nothing is thrown: what cannot be stored is among the
 * rejections, with a reason that names the field.
 */
export function checkReports(door: Door, layout: EventLayout, number: number, payload: Buffer): CheckedPayload {
  const checked: CheckedPayload = { reports: [], rejections: [] }
  try {
    const parsed = parsePayload(payload)
    if (!Array.isArray(parsed)) {
      checked.reports.push(checkReport(door, layout, number, parsed))
      return checked
    }
    if (parsed.length > MAXIMUM_REPORTS) {
      throw new Refusal(
        'too_many_reports',
        `${parsed.length} reports in one array, at most ${MAXIMUM_REPORTS} are read.`,
      )
    }
    for (const element of parsed) checkElement(door, layout, number, element, checked)
  } catch (error) {
    checked.rejections.push(rejection(door, error, payload))
  }
  return checked
}

function checkElement(door: Door, layout: EventLayout, number: number, element: unknown, checked: CheckedPayload) {
  try {
    checked.reports.push(checkReport(door, layout, number, element))
  } catch (error) {
    checked.rejections.push(rejection(door, error, Buffer.from(JSON.stringify(element) ?? '')))
  }
}

/** Anything but a refusal is a mistake of ours, which must not take the connection with it. */
function rejection(door: Door, error: unknown, payload: Buffer): Rejection {
  const refusal = error instanceof Refusal ? error : new Refusal('bad_shape', String(error))
  return rejected(door, refusal.reason, refusal.message, payload)
}

export function rejected(door: Door, reason: RejectionReason, detail: string, payload: Buffer): Rejection {
  return {
    deviceId: door.deviceId,
    reason,
    detail,
    topic: door.topic,
    // A copy: a slice would keep the whole read buffer of the socket alive.
    payload: Buffer.from(payload.subarray(0, KEPT_PAYLOAD_BYTES)),
    receivedAtMs: door.nowMs,
  }
}

/** Parses JSON of at most 64 KB of UTF-8. */
function parsePayload(payload: Buffer): unknown {
  if (payload.length > MAXIMUM_PAYLOAD_BYTES) {
    throw new Refusal('too_large', `${payload.length} bytes, at most ${MAXIMUM_PAYLOAD_BYTES} are read.`)
  }
  const text = payload.toString('utf8')
  if (text.includes('\ufffd') && !isUtf8(payload)) throw new Refusal('not_json', 'The payload is not UTF-8.')
  try {
    return JSON.parse(text)
  } catch (error) {
    const repaired = text.replace(BARE_TOKENS, (token) => (token.startsWith('"') ? token : '1e999'))
    if (repaired !== text) {
      // Then only the element with the token is refused, and its neighbours are kept.
      try {
        return JSON.parse(repaired)
      } catch {}
    }
    throw new Refusal('not_json', error instanceof Error ? error.message : 'The payload is not JSON.')
  }
}

const BARE_TOKENS = /"(?:[^"\\]|\\.)*"|-?\b(?:NaN|Infinity)\b/g

/** Also for `messages`: the parsed payload, or the rejection that stands for it. */
export function readJson(door: Door, payload: Buffer): { value: unknown } | { rejection: Rejection } {
  try {
    return { value: parsePayload(payload) }
  } catch (error) {
    return { rejection: rejection(door, error, payload) }
  }
}

function checkReport(door: Door, layout: EventLayout, number: number, element: unknown): CheckedReport {
  if (!isObject(element) || !isObject(element.values)) {
    throw new Refusal('bad_shape', 'A report is an object with "at" and "values".')
  }
  for (const key in element) {
    if (key !== 'at' && key !== 'values') throw new Refusal('bad_shape', `A report has no "${cut(key)}".`)
  }
  const atMs = readMoment(door, element.at)
  const isBelieved = atMs <= door.nowMs + BELIEVED_AHEAD_MS
  const report: CheckedReport = {
    deviceId: door.deviceId,
    layout,
    number,
    atMs: isBelieved ? atMs : door.nowMs,
    claimedAtMs: isBelieved ? undefined : atMs,
    receivedAtMs: door.nowMs,
    numbers: layout.noNumbers.slice(),
    texts: undefined,
    extra: undefined,
  }
  readValues(report, element.values)
  return report
}

/** Milliseconds of a device time that is not older than retention; the future is the caller's matter. */
function readMoment(door: Door, at: unknown): number {
  const atMs = typeof at === 'string' ? readDeviceTimeFast(at) : Number.NaN
  if (Number.isNaN(atMs)) throw new Refusal('bad_time', '"at" is not a moment like 2026-11-20T10:00:00.000Z.')
  if (atMs < door.oldestMs) throw new Refusal('too_old', `${String(at)} is older than what is kept.`)
  return atMs
}

function readValues(report: CheckedReport, values: Record<string, unknown>) {
  const { layout, numbers } = report
  let count = 0
  let extra: [string, number | string | boolean][] | undefined
  for (const name in values) {
    count++
    const value = values[name]
    if (value === null) continue
    const index = layout.indexByName.get(name)
    if (index === undefined) {
      extra ??= []
      extra.push([name, unknownValue(name, value)])
    } else if (layout.fields[index]?.storage === 'text') {
      report.texts ??= new Array(numbers.length)
      report.texts[index] = knownText(name, value)
    } else {
      numbers[index] = knownNumber(name, value, layout.fields[index]?.storage === 'integer')
    }
  }
  if (count > MAXIMUM_FIELDS) {
    throw new Refusal('too_many_fields', `${count} fields in one report, at most ${MAXIMUM_FIELDS} are read.`)
  }
  // Own properties even for a field named __proto__.
  if (extra !== undefined) report.extra = Object.fromEntries(extra)
}

function knownNumber(name: string, value: unknown, isInteger: boolean): number {
  if (typeof value !== 'number') throw new Refusal('bad_value', `${name} is not a number.`)
  if (isInteger) {
    if (!Number.isInteger(value)) throw new Refusal('bad_value', `${name} is not a whole number.`)
    if (value > MAXIMUM_INTEGER || value < -MAXIMUM_INTEGER - 1) {
      throw new Refusal('bad_value', `${name} does not fit into 32 bits.`)
    }
    return value
  }
  if (!(Math.abs(value) <= MAXIMUM_REAL)) throw new Refusal('bad_value', `${name} is not a finite number.`)
  return value
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
    throw new Refusal('bad_value', `${cut(name)} is no name of a field.`)
  }
  if (typeof value === 'string') return knownText(name, value)
  if (typeof value === 'boolean') return value
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw new Refusal('bad_value', `${name} is neither a finite number nor a text nor true or false.`)
}

/** PostgreSQL takes neither NUL nor half a surrogate pair. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

const cut = (text: string) => (text.length > MAXIMUM_NAME_LENGTH ? `${text.slice(0, MAXIMUM_NAME_LENGTH)}…` : text)
