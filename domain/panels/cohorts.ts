/** The hours of light and the failures of one device that belongs to a cohort. */
export interface CohortShare {
  readonly name: string
  readonly deviceId: number
  readonly hours: number
  /** Spells of darkness that were put down to the display. */
  readonly failures: number
}

export interface Cohort {
  readonly name: string
  readonly devices: number
  readonly hours: number
  readonly failures: number
  /** Hours of light between two failures; null where the cohort is too small, or nothing failed. */
  readonly between: number | null
  /** The bounds of nine tenths confidence; null where the cohort is too small, and above when nothing failed. */
  readonly atLeast: number | null
  readonly atMost: number | null
  readonly isTooFew: boolean
}

/** Fewer devices or hours say nothing about their kind. */
export const FEWEST_DEVICES = 5
export const FEWEST_HOURS = 1_000

/** Adds up shares by name, the most often failing first; those that are too few come last. */
export function cohortsOf(shares: readonly CohortShare[]): readonly Cohort[] {
  const byName = Map.groupBy(shares, ({ name }) => name)
  return [...byName].map(([name, of]) => cohortOf(name, of)).sort(byTrouble)
}

const byTrouble = (a: Cohort, b: Cohort) =>
  Number(a.isTooFew) - Number(b.isTooFew) || b.failures * a.hours - a.failures * b.hours || (a.name < b.name ? -1 : 1)

function cohortOf(name: string, shares: readonly CohortShare[]): Cohort {
  const devices = new Set(shares.map(({ deviceId }) => deviceId)).size
  const hours = shares.reduce((sum, share) => sum + share.hours, 0)
  const failures = shares.reduce((sum, share) => sum + share.failures, 0)
  const counts = { name, devices, hours: Math.floor(hours), failures }
  if (devices < FEWEST_DEVICES || hours < FEWEST_HOURS)
    return { ...counts, between: null, atLeast: null, atMost: null, isTooFew: true }
  const [fewest, most] = poissonBounds(failures)
  return {
    ...counts,
    between: failures === 0 ? null : Math.floor(hours / failures),
    atLeast: Math.floor(hours / most),
    atMost: fewest === 0 ? null : Math.ceil(hours / fewest),
    isTooFew: false,
  }
}

const QUANTILE = 1.6448536

/**
 * Returns the bounds of the mean count that make so many failures likely by nine tenths: those of a Poisson distribution,
 * by the approximation of Wilson and Hilferty.
 */
export function poissonBounds(failures: number): readonly [fewest: number, most: number] {
  const upper = bound(failures + 1, QUANTILE)
  return [failures === 0 ? 0 : bound(failures, -QUANTILE), upper]
}

const bound = (count: number, quantile: number) =>
  count * Math.max(0, 1 - 1 / (9 * count) + quantile / (3 * Math.sqrt(count))) ** 3

/** Returns the days on which a failure began: days in a row are one failure. Days are numbers, in any order. */
export function firstDaysOf(failedDays: readonly number[]): ReadonlySet<number> {
  const days = new Set(failedDays)
  return new Set([...days].filter((day) => !days.has(day - 1)))
}
