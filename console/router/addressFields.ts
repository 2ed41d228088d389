import { WEEK_HOUR } from '#domain/alerts/weekHour.ts'
import { distinctTags, isTag, MOST_TAGS } from '#domain/devices/tags.ts'
import { isVersionFilter } from '#domain/releases/versionFilter.ts'
import { LARGEST_INTEGER } from '#domain/units/numbers.ts'
import { isTimeZone } from '#domain/units/timeZones.ts'

/**
 * Anybody may have written an address, so each reader returns undefined for an invalid value and the rest counts. They
 * are small and made by hand, so that the browser needs no schema library for them; `addressFields.test.ts` checks them
 * against the schemas of the calls.
 */

/** It reads a field as `Value`; a link may write it as `Written`. */
export interface Field<Value, Written = Value> {
  (given: unknown): Value | undefined
  readonly written?: Written
}

export type Fields = Readonly<Record<string, Field<unknown>>>
export type ReadOf<Some> = Some extends (given: unknown) => infer Value ? Exclude<Value, undefined> : never
export type WrittenOf<Some> = Some extends { readonly written?: infer Written } ? Exclude<Written, undefined> : never

/** The calls search for texts of this length at most. */
export const LONGEST_TEXT = 200
const LONGEST_VERSION = 100

/** Numbers arrive as numbers or as text, depending on who wrote the address. */
export function wholeNumber(given: unknown, largest: number = LARGEST_INTEGER): number | undefined {
  if (typeof given !== 'number' && typeof given !== 'string') return undefined
  const number = given === '' ? Number.NaN : Number(given)
  return Number.isInteger(number) && number > 0 && number <= largest ? number : undefined
}

export function textUpTo(longest: number): Field<string> {
  return (given) => {
    if (!['string', 'number', 'boolean'].includes(typeof given)) return undefined
    // The database accepts neither NUL nor a character that the cut has halved.
    return String(given).replaceAll('\0', '').slice(0, longest).toWellFormed() || undefined
  }
}

export const text = textUpTo(LONGEST_TEXT)

export function id<Id extends number>(largest: number = LARGEST_INTEGER): Field<Id> {
  return (given) => wholeNumber(given, largest) as Id | undefined
}

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

export const uuid: Field<string> = (given) =>
  typeof given === 'string' && UUID.test(given) ? given.toLowerCase() : undefined

export function oneOf<const Word extends string | number>(words: readonly Word[]): Field<Word> {
  return (given) => words.find((word) => isWord(given, word))
}

/** It accepts the text or the value itself, but no record, which may refuse to become a text. */
const isWord = (given: unknown, word: string | number | boolean) => given === word || given === String(word)

/** It is absent unless it is on. */
export const on: Field<true> = (given) => (isWord(given, true) ? true : undefined)

/** The name alone is enough: `?kiosk`. */
export const there: Field<true> = (given) => (given === '' ? true : on(given))

/** It is absent unless it is off. */
export const off: Field<false> = (given) => (isWord(given, false) ? false : undefined)

export function either<One, Other>(one: Field<One>, other: Field<Other>): Field<One | Other> {
  return (given) => one(given) ?? other(given)
}

export function wordList<const Word extends string>(words: readonly Word[]): Field<string, string> {
  return (given) => {
    if (typeof given !== 'string') return undefined
    const known = given.split('.').filter((word) => words.some((one) => one === word))
    return known.length === 0 ? undefined : [...new Set(known)].join('.')
  }
}

export const tagList: Field<string[], readonly string[]> = (given) => {
  const parts = Array.isArray(given) ? given : typeof given === 'string' ? given.split(',') : [given]
  const texts = parts.flatMap((part) => (['string', 'number', 'boolean'].includes(typeof part) ? String(part) : []))
  const tags = distinctTags(texts.filter(isTag)).slice(0, MOST_TAGS)
  return tags.length === 0 ? undefined : tags
}

/** The syntax is that of domain/releases/versionFilter.ts. */
export const versionFilter: Field<string> = (given) => {
  const written = textUpTo(LONGEST_VERSION)(given)
  return written !== undefined && isVersionFilter(written) ? written : undefined
}

export function idList<Id extends number>(most: number): Field<readonly Id[], string> {
  return (given) => {
    if (typeof given !== 'string' && typeof given !== 'number') return undefined
    const ids = String(given)
      .split(',')
      .flatMap((part) => (wholeNumber(part) as Id | undefined) ?? [])
    return ids.length === 0 ? undefined : [...new Set(ids)].slice(0, most)
  }
}

const MOMENT =
  /^(\d{4}-\d\d-\d\d)(?:T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d))?$/
const EARLIEST = Date.UTC(2000)
const LATEST = Date.UTC(2100)

/** It reads a moment with its offset, or a date alone, which means midnight in UTC (rules/addresses 12). */
export const moment: Field<Date, string> = (given) => {
  const day = typeof given === 'string' ? MOMENT.exec(given)?.[1] : undefined
  if (day === undefined || new Date(`${day}T00:00Z`).toJSON()?.slice(0, 10) !== day) return undefined
  const at = new Date(given as string)
  return at.getTime() >= EARLIEST && at.getTime() <= LATEST ? at : undefined
}

const MONTH = /^20\d\d-(0[1-9]|1[0-2])$/
/** A month of the calendar, as `2026-10`. */
export const month: Field<string> = (given) => (typeof given === 'string' && MONTH.test(given) ? given : undefined)

const PERIOD = /^20\d\d(-(0[1-9]|1[0-2]))?$/
/** A year or a month of the calendar, as `2026` or `2026-10`. */
export const period: Field<string> = (given) => (typeof given === 'string' && PERIOD.test(given) ? given : undefined)

/** It accepts whatever `Date` can read, as the calls write moments. */
export const instant: Field<string> = (given) => {
  const at = typeof given === 'string' ? new Date(given) : undefined
  return at && at.getFullYear() > 1900 && at.getFullYear() < 9999 ? at.toISOString() : undefined
}

export const weekHour: Field<string> = (given) =>
  typeof given === 'string' && WEEK_HOUR.test(given) ? given : undefined

const LONGEST_TIME_ZONE = 64
export const timeZone: Field<string> = (given) =>
  typeof given === 'string' && given.length <= LONGEST_TIME_ZONE && isTimeZone(given) ? given : undefined

const PLACE = /^(-?\d{1,2}(?:\.\d+)?)_(-?\d{1,3}(?:\.\d+)?)_(\d{1,2}(?:\.\d+)?)$/
const CLOSEST_ZOOM = 20

/** It is the place of a map as latitude, longitude and zoom: `67.2804_14.4049_10`. */
export const mapPlace: Field<string> = (given) => {
  const [, ...numbers] = (typeof given === 'string' && PLACE.exec(given)) || []
  const [latitude, longitude, zoom] = numbers.map(Number) as [number?, number?, number?]
  if (latitude === undefined || longitude === undefined || zoom === undefined) return undefined
  const isOnMap = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 && zoom <= CLOSEST_ZOOM
  return isOnMap ? (given as string) : undefined
}

/** The page reads this field itself; the type says what links write into it. */
export function own<Written>(): Field<unknown, Written> {
  return (given) => given
}

/** The page's record comes as `data` with its `id`; everything else is read again by it (rules/addresses 8). */
export function recordId<Id extends number>(largest?: number): Field<Id, { readonly id: Id }> {
  return (given) => {
    const content = typeof given === 'string' ? parsed(given) : given
    if (typeof content !== 'object' || content === null || !('id' in content)) return undefined
    const { id } = content
    const isWritten = typeof id === 'number' || typeof id === 'string'
    return isWritten ? (wholeNumber(Number(id), largest) as Id | undefined) : undefined
  }
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
