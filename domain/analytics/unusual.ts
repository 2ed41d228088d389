import type { CatalogueField } from '../catalogue/field.ts'
import { noiseAround } from '../catalogue/noise.ts'
import { DAY_MS, HOUR_MS } from '../units/time.ts'
import { addDays, momentOf, wallClock } from '../units/wallClock.ts'

/** A window is compared with the same hours of at most 14 earlier days, and with fewer than 5 not at all. */
export const MOST_EARLIER_DAYS = 14
export const FEWEST_EARLIER_DAYS = 5
/** A day has 25 hours when clocks are put back. A longer window would be compared with itself. */
export const LONGEST_WINDOW_MS = DAY_MS + HOUR_MS

/** The values of an hour of the window, and of the same hour on earlier days, as far as they exist. */
export interface ComparedHour {
  /** Hours since 1970. */
  readonly hour: number
  readonly value: number
  readonly earlier: readonly number[]
}

/** The hour of the window that is furthest from its usual value. */
export interface Comparison {
  readonly hour: number
  readonly value: number
  /** The usual range is two spreads around the median of the earlier days. */
  readonly usualFrom: number
  readonly usualTo: number
  /** The distance from the median in spreads. */
  readonly score: number
}

/** A score from here on is shown as unusual. */
export const UNUSUAL_FROM = 3

/** This factor makes the median of distances as wide as the standard deviation of a normal distribution. */
const MAD_SCALE = 1.4826
const SECONDS_FLOOR = 60

/**
 * Compares the least usual hour of a window with the same hours of earlier days: its distance from their median, in
 * units of their spread, which is the median of the distances from it and at least the noise of the sensor. One odd
 * earlier day changes neither.
 *
 * @returns undefined if no hour has enough earlier days, because nothing is guessed
 */
export function comparisonOf(field: MeasuredField, hours: readonly ComparedHour[]): Comparison | undefined {
  let furthest: Comparison | undefined
  for (const { hour, value, earlier } of hours) {
    if (earlier.length < FEWEST_EARLIER_DAYS) continue
    const usual = median(earlier)
    const distances = earlier.map((one) => Math.abs(one - usual))
    const spread = Math.max(MAD_SCALE * median(distances), floorOf(field, usual))
    const score = Math.abs(value - usual) / spread
    if (furthest && furthest.score >= score) continue
    furthest = { hour, value, ...usualRange(field, usual, spread), score }
  }
  return furthest
}

export type MeasuredField = Pick<CatalogueField, 'name' | 'unit' | 'storage'>

/** A value that always grows differs from every earlier day. */
export const isComparable = ({ name }: Pick<CatalogueField, 'name'>): boolean => name !== 'uptime'

/** Only temperatures and signal strengths can be negative. */
const MAY_BE_NEGATIVE: readonly (string | undefined)[] = ['°C', 'dBm']

/** Returns two spreads down and up, within the possible values of the field. */
function usualRange({ unit }: MeasuredField, usual: number, spread: number) {
  const lowest = MAY_BE_NEGATIVE.includes(unit) ? Number.NEGATIVE_INFINITY : Math.min(0, usual)
  const highest = unit === '%' ? Math.max(100, usual) : Number.POSITIVE_INFINITY
  return {
    usualFrom: Math.max(lowest, usual - 2 * spread),
    usualTo: Math.min(highest, usual + 2 * spread),
  }
}

/** Returns the noise of the sensor, or its reporting step if that is larger. */
function floorOf(field: MeasuredField, usual: number): number {
  const step = field.unit === 's' ? SECONDS_FLOOR : field.storage === 'integer' ? 1 : 0.1
  return Math.max(noiseAround(field, usual), step)
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2
}

/** Returns the hour of each earlier day at the same local time of the device, the day before first. */
export function sameHoursBefore(hour: number, timeZone: string): readonly number[] {
  const { date, time } = wallClock(new Date(hour * HOUR_MS), timeZone)
  return Array.from({ length: MOST_EARLIER_DAYS }, (_, index) =>
    Math.floor(momentOf(addDays(date, -(index + 1)), time, timeZone).getTime() / HOUR_MS),
  )
}

/** Returns every whole hour that a window touches, counted since 1970. */
export function hoursOf(fromMs: number, toMs: number): readonly number[] {
  const first = Math.floor(fromMs / HOUR_MS)
  const last = Math.max(first, Math.ceil(toMs / HOUR_MS) - 1)
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}
