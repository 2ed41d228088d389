/** Size and structure of a JSON text, counted before anything is built from it. */
export interface JsonShape {
  /** The position in the bytes. */
  readonly from: number
  readonly to: number
  /** The keys of all its objects together. `JSON.parse` keeps fewer only if one was given twice. */
  readonly keys: number
  /** The keys of its largest object, without nested ones. */
  readonly keysOfOne: number
  readonly depth: number
}

/** Nobody sends deeper nesting without bad intent. */
export const DEEPEST_NESTING = 16

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPENING_BRACKET = 0x5b
const CLOSING_BRACKET = 0x5d
const OPENING_BRACE = 0x7b
const CLOSING_BRACE = 0x7d

/** Counts the whole text. The numbers mean nothing for a text that is no JSON. */
export function jsonShape(bytes: Uint8Array): JsonShape {
  let whole: JsonShape = { from: 0, to: 0, keys: 0, keysOfOne: 0, depth: 0 }
  scan(bytes, 0, (shape) => {
    whole = shape
  })
  return whole
}

/** Counts each element of a list, or the whole text. At most `most` shapes are created; `count` counts all. */
export function elementShapes(bytes: Uint8Array, most: number): { shapes: readonly JsonShape[]; count: number } {
  const shapes: JsonShape[] = []
  let count = 0
  scan(bytes, firstByte(bytes) === OPENING_BRACKET ? 1 : 0, (shape) => {
    count++
    if (count <= most) shapes.push(shape)
  })
  return { shapes, count }
}

/**
 * Returns the first key that an object of a valid text has twice, however it is written: `JSON.parse` silently keeps
 * the last of two equal keys, but another reader may have checked the first. It is slow, so call it only if keys are
 * missing.
 */
export function keyGivenTwice(bytes: Uint8Array): string | undefined {
  const objects: Set<string>[] = []
  let twice: string | undefined
  scan(
    bytes,
    0,
    () => undefined,
    (from, to, depth) => {
      if (from < 0) objects[depth] = new Set()
      else if (twice === undefined) {
        const key = JSON.parse(new TextDecoder().decode(bytes.subarray(from, to))) as string
        if (objects[depth]?.has(key)) twice = key
        objects[depth]?.add(key)
      }
    },
  )
  return twice
}

/** Counts the keys of all objects in a parsed value, whose nesting was checked before. */
export function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const inner = Object.values(value)
  return inner.reduce((sum: number, each) => sum + countKeys(each), Array.isArray(value) ? 0 : inner.length)
}

/** Called for each object that begins (with -1) and for each key, with the position of its text, quotes included. */
type OnKey = (from: number, to: number, depth: number) => void

/** @param outer 1 for each element of the outermost list separately, 0 for everything together */
function scan(bytes: Uint8Array, outer: 0 | 1, onPart: (shape: JsonShape) => void, onKey?: OnKey): void {
  const keysAt = new Uint32Array(DEEPEST_NESTING + 2)
  let [from, depth, deepest, keys, keysOfOne] = [0, 0, 0, 0, 0]
  let [stringFrom, stringTo] = [0, 0]
  const endPart = (to: number) => {
    onPart({ from, to, keys, keysOfOne, depth: deepest })
    from = to + 1
    deepest = 0
    keys = 0
    keysOfOne = 0
  }
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      stringFrom = at
      at = endOfString(bytes, at + 1)
      stringTo = at + 1
    } else if (byte === COLON) {
      keys++
      const ofThis = (keysAt[depth] ?? 0) + 1
      if (depth < keysAt.length) keysAt[depth] = ofThis
      if (ofThis > keysOfOne) keysOfOne = ofThis
      onKey?.(stringFrom, stringTo, depth)
    } else if (byte === OPENING_BRACE || byte === OPENING_BRACKET) {
      depth++
      if (depth - outer > deepest) deepest = depth - outer
      if (depth === outer && byte === OPENING_BRACKET) from = at + 1
      if (depth < keysAt.length) keysAt[depth] = 0
      if (byte === OPENING_BRACE) onKey?.(-1, -1, depth)
    } else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) {
      if (outer === 1 && depth === 1) {
        if (!isBlank(bytes, from, at)) endPart(at)
        return
      }
      depth--
    } else if (byte === COMMA && outer === 1 && depth === 1) endPart(at)
  }
  endPart(bytes.length)
}

/** @returns the position of the closing quote, or the end of the text if there is none */
function endOfString(bytes: Uint8Array, from: number): number {
  let at = from
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1
  return at
}

const isBlankByte = (byte: number | undefined) => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

function firstByte(bytes: Uint8Array): number | undefined {
  return bytes.find((byte) => !isBlankByte(byte))
}

function isBlank(bytes: Uint8Array, from: number, to: number): boolean {
  for (let at = from; at < to; at++) if (!isBlankByte(bytes[at])) return false
  return true
}
