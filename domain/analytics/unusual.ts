import type { CatalogueField } from '../catalogue/field.ts'
import { noiseAround } from '../catalogue/noise.ts'
import { DAY_MS, HOUR_MS } from '../units/time.ts'
import { addDays, momentOf, wallClock } from '../units/wallClock.ts'

/** A window is compared with the same hours of at most so many earlier days, and of fewer than that not at all. */
export const MOST_EARLIER_DAYS = 14
export const FEWEST_EARLIER_DAYS = 5
/** A day, which has 25 hours when clocks are put back. A longer window would be compared with itself. */
export const LONGEST_WINDOW_MS = DAY_MS + HOUR_MS

/** What was measured in an hour of the window, and in the same hour of earlier days, as far as anything was. */
export interface ComparedHour {
  /** Since 1970. */
  readonly hour: number
  readonly value: number
  readonly earlier: readonly number[]
}

/** The hour of the window that is furthest from what is usual then. */
export interface Comparison {
  readonly hour: number
  readonly value: number
  /** Two spreads around the median of the earlier days. */
  readonly usualFrom: number
  readonly usualTo: number
  /** How many spreads it is away from the median. */
  readonly score: number
}

/** From so many spreads on it is told as unusual. */
export const UNUSUAL_FROM = 3

/** Makes the median of distances as wide as the standard deviation of a normal distribution. */
const MAD_SCALE = 1.4826
const SECONDS_FLOOR = 60

/**
 * By how much the least usual hour of a window differs from the same hours of earlier days: from their median, in units
 * of their spread, which is the median of the distances from it and at least the noise of the sensor. One odd day
 * among the earlier ones moves neither.
 *
 * @returns undefined where no hour has enough earlier days: nothing is guessed
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

/** What grows by itself is never as it was. */
export const isComparable = ({ name }: Pick<CatalogueField, 'name'>): boolean => name !== 'uptime'

/** What can be below zero is: temperatures and the strength of a signal. */
const MAY_BE_NEGATIVE: readonly (string | undefined)[] = ['°C', 'dBm']

/** Two spreads down and up, as far as the field can be so. */
function usualRange({ unit }: MeasuredField, usual: number, spread: number) {
  const lowest = MAY_BE_NEGATIVE.includes(unit) ? Number.NEGATIVE_INFINITY : Math.min(0, usual)
  const highest = unit === '%' ? Math.max(100, usual) : Number.POSITIVE_INFINITY
  return {
    usualFrom: Math.max(lowest, usual - 2 * spread),
    usualTo: Math.min(highest, usual + 2 * spread),
  }
}

/** Noise of the sensor, or the step in which it is told where that is more. */
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

/** The hour of each earlier day at which the wall beside the device showed the same time, the day before first. */
export function sameHoursBefore(hour: number, timeZone: string): readonly number[] {
  const { date, time } = wallClock(new Date(hour * HOUR_MS), timeZone)
  return Array.from({ length: MOST_EARLIER_DAYS }, (_, index) =>
    Math.floor(momentOf(addDays(date, -(index + 1)), time, timeZone).getTime() / HOUR_MS),
  )
}

/** Every whole hour that a window touches, counted since 1970. */
export function hoursOf(fromMs: number, toMs: number): readonly number[] {
  const first = Math.floor(fromMs / HOUR_MS)
  const last = Math.max(first, Math.ceil(toMs / HOUR_MS) - 1)
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}
