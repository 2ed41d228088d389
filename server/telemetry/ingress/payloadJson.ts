import { isUtf8 } from 'node:buffer'
import type { z } from 'zod'
import { boundedParse } from '#contract/boundedParse.ts'
import { MAXIMUM_FIELDS, MAXIMUM_PAYLOAD_BYTES } from '#contract/mqtt/report.ts'
import type { DeviceId } from '#domain/ids.ts'
import { countKeys, DEEPEST_NESTING, type JsonShape, jsonShape, keyGivenTwice } from '#domain/validation/jsonShape.ts'
import { givenTwice } from '#domain/validation/messages.ts'
import { KEPT_PAYLOAD_BYTES, type Rejection, type RejectionReason } from './submission.ts'

const LONGEST_DETAIL = 300
const LONGEST_NAME = 64

/** The origin of a payload, and the bounds that its times are checked against. */
export interface CheckContext {
  readonly deviceId: DeviceId
  /** The topic below the root of the device. */
  readonly topic: string
  readonly nowMs: number
  /** The beginning of retention. Older times are not believed. */
  readonly oldestMs: number
}

export class Refusal extends Error {
  readonly reason: RejectionReason

  constructor(reason: RejectionReason, detail: string) {
    super(detail)
    this.reason = reason
  }
}

/** Anything but a refusal is a bug of ours, which must not close the device's connection. */
export function rejection(door: CheckContext, error: unknown, payload: Buffer): Rejection {
  const refusal = error instanceof Refusal ? error : new Refusal('bad_shape', String(error))
  return rejected(door, refusal.reason, refusal.message, payload)
}

export function rejected(door: CheckContext, reason: RejectionReason, detail: string, payload: Buffer): Rejection {
  return {
    deviceId: door.deviceId,
    reason,
    detail: cut(detail, LONGEST_DETAIL),
    topic: door.topic,
    // The payload is copied, because a slice would keep the whole read buffer of the socket alive.
    payload: Buffer.from(payload.subarray(0, KEPT_PAYLOAD_BYTES)),
    receivedAtMs: door.nowMs,
  }
}

export const tooLarge = (bytes: number) =>
  new Refusal('too_large', `${bytes} bytes, at most ${MAXIMUM_PAYLOAD_BYTES} are read.`)

export function refuseTooLarge(payload: Buffer): void {
  if (payload.length > MAXIMUM_PAYLOAD_BYTES) throw tooLarge(payload.length)
}

/** Refuses by its counts what would cost too much memory to build. */
export function harmOf({ keysOfOne, depth }: JsonShape, what: string): Refusal | undefined {
  if (keysOfOne > MAXIMUM_FIELDS) {
    const detail = `${keysOfOne} fields in one ${what}, at most ${MAXIMUM_FIELDS} are read.`
    return new Refusal('too_many_fields', detail)
  }
  if (depth <= DEEPEST_NESTING) return undefined
  return new Refusal('bad_shape', `nested ${depth} levels deep, at most ${DEEPEST_NESTING} are read.`)
}

/** @param keys the number of keys in the parsed value, which is smaller than in the text where one was given twice */
export function refuseGivenTwice(payload: Buffer, shape: JsonShape, keys: number): void {
  if (keys === shape.keys) return
  const name = keyGivenTwice(payload.subarray(shape.from, shape.to)) ?? 'a field'
  throw new Refusal('bad_shape', `${givenTwice(cutName(name))}.`)
}

function textOf(payload: Buffer): string {
  const text = payload.toString('utf8')
  if (text.includes('\ufffd') && !isUtf8(payload)) throw new Refusal('not_json', notUtf8(payload, text))
  return text
}

export function parseText(payload: Buffer): unknown {
  const text = textOf(payload)
  try {
    return JSON.parse(text)
  } catch (error) {
    const repaired = text.replace(BARE_TOKENS, (token) => (token.startsWith('"') ? token : '1e999'))
    if (repaired !== text) {
      // A bare NaN or Infinity then fails only its own element, and its neighbours are kept.
      try {
        return JSON.parse(repaired)
      } catch {}
    }
    throw new Refusal('not_json', error instanceof Error ? error.message : 'The payload is not JSON.')
  }
}

/** Refuses what programs send by mistake around or instead of JSON, by the name that its author will look for. */
export function refuseForeignBytes(payload: Buffer): void {
  const [first, second] = payload
  let fault: string | undefined
  if (first === undefined) fault = 'The payload is empty.'
  else if (first === 0xef && second === 0xbb) {
    fault = 'The payload begins with a byte order mark (BOM, the bytes EF BB BF). Send the JSON without it.'
  } else if (first === 0xff || first === 0xfe || (second !== undefined && (first === 0 || second === 0))) {
    fault = 'The payload is UTF-16. Send UTF-8.'
  } else if (payload.at(-1) === 0) {
    fault = 'The payload ends with a NUL byte, the end of a text in C. Send one byte less.'
  }
  if (fault !== undefined) throw new Refusal('not_json', fault)
}

/** Names the first byte that is not UTF-8, and the Latin-1 letter that it most often is. */
function notUtf8(payload: Buffer, text: string): string {
  let at = 0
  for (const letter of text) {
    // The device may have sent the replacement character itself.
    if (letter === '\ufffd' && !payload.subarray(at, at + 3).equals(REPLACEMENT)) break
    at += Buffer.byteLength(letter)
  }
  const byte = payload[at] ?? 0
  const asLatin1 = byte >= 0xa0 ? `, which would be "${String.fromCharCode(byte)}" in Latin-1` : ''
  return `The payload is not UTF-8: byte ${at + 1} is 0x${byte.toString(16).toUpperCase()}${asLatin1}. Send UTF-8.`
}

const REPLACEMENT = Buffer.from('\ufffd')

/**
 * Matches whole texts, which are left as they are, and how JavaScript, Python and C write a number that is not finite.
 * An unclosed text ends with the payload; otherwise a match could begin at each of its quotes.
 */
export const BARE_TOKENS = /"(?:[^"\\]|\\[\s\S]?)*"?|-?\b(?:nan|inf(?:inity)?)\b/gi

/** Reads a payload that is no report by its schema. Returns the value, or the rejection that stands for it. */
export function readBySchema<Schema extends z.ZodType>(
  door: CheckContext,
  schema: Schema,
  payload: Buffer,
): { readonly value: z.output<Schema> } | { readonly rejection: Rejection } {
  try {
    const parsed = boundedParse(schema, readJson(payload))
    if ('data' in parsed) return { value: parsed.data }
    const [issue] = parsed.issues
    // The schema's message about `at` already names the field.
    if (issue?.path[0] === 'at') throw new Refusal('bad_time', issue.message)
    throw new Refusal('bad_shape', `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`)
  } catch (error) {
    return { rejection: rejection(door, error, payload) }
  }
}

function readJson(payload: Buffer): unknown {
  refuseTooLarge(payload)
  refuseForeignBytes(payload)
  const shape = jsonShape(payload)
  const harm = harmOf(shape, 'object')
  if (harm) throw harm
  const value = parseText(payload)
  refuseGivenTwice(payload, shape, countKeys(value))
  return value
}

/** PostgreSQL takes neither NUL nor half a surrogate pair. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed()
}

const cut = (text: string, longest: number) => (text.length > longest ? `${text.slice(0, longest)}…` : text)

export const cutName = (name: string) => cut(name, LONGEST_NAME)
