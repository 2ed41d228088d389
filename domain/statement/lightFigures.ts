import { DARK_CAUSES, type DarkCause, PLANNED_BY, type PlannedBy } from '#domain/darkness/causes/darkCauses.ts'

/** Minutes of unplanned darkness by cause; days of before causes were counted have none. */
export type UnplannedBy = Readonly<Record<DarkCause | 'notRecorded', number>>

/** Minutes of planned darkness by plan; days of before this was counted have none. */
export type PlannedParts = Readonly<Record<PlannedBy | 'notRecorded', number>>

/**
 * The figures of a time, in whole minutes (rules/statements 3):
 * time = owed + planned dark + lit in off times + maintenance + away, and owed = given + unplanned dark + unknown.
 */
export interface LightFigures {
  readonly time: number
  readonly owed: number
  readonly given: number
  readonly unplanned: number
  readonly unplannedBy: UnplannedBy
  readonly unknown: number
  readonly planned: number
  /** Statements that were issued before this was counted have none. */
  readonly plannedBy?: PlannedParts | undefined
  readonly litInOffTime: number
  readonly maintenance: number
  /** Nothing is known because the installation itself was away. */
  readonly away: number
}

/** A counted local day of a device. */
export interface CountedLight {
  readonly unplanned: number
  readonly planned: number
  readonly lit: number
  /** Null when `lit` contains it. */
  readonly litInOffTime: number | null
  readonly maintenance: number
  /** They are ordered as `DARK_CAUSES` are; null when they were not counted. */
  readonly causes: readonly number[] | null
  /** They are ordered as `PLANNED_BY` are; null when they were not counted. */
  readonly plannedBy: readonly number[] | null
  readonly away: number | null
}

export const UNPLANNED_PARTS = [...DARK_CAUSES, 'notRecorded'] as const
export const PLANNED_PARTS = [...PLANNED_BY, 'notRecorded'] as const

export const NO_FIGURES: LightFigures = {
  ...{ time: 0, owed: 0, given: 0, unplanned: 0, unplannedBy: partsOf(DARK_CAUSES, 0, null), unknown: 0 },
  ...{ planned: 0, plannedBy: partsOf(PLANNED_BY, 0, null), litInOffTime: 0, maintenance: 0, away: 0 },
}

/**
 * Returns the figures of a day of so many minutes. Of what nothing was counted nothing is known, and that is never
 * light. A day that was counted in another time zone may have more minutes than it is long; then it is as long as that.
 */
export function figuresOfDay(lengthMinutes: number, counted: CountedLight | undefined): LightFigures {
  if (counted === undefined) return { ...NO_FIGURES, time: lengthMinutes, owed: lengthMinutes, unknown: lengthMinutes }
  const { unplanned, planned, lit: given, maintenance } = counted
  const litInOffTime = counted.litInOffTime ?? 0
  const known = unplanned + planned + given + litInOffTime + maintenance
  const silent = Math.max(0, lengthMinutes - known)
  const away = Math.min(silent, counted.away ?? 0)
  const unknown = silent - away
  return {
    ...{ time: known + silent, owed: given + unplanned + unknown, given, unplanned, unknown },
    ...{ unplannedBy: partsOf(DARK_CAUSES, unplanned, counted.causes), litInOffTime, maintenance, away },
    ...{ planned, plannedBy: partsOf(PLANNED_BY, planned, counted.plannedBy) },
  }
}

/** Parts that do not add up to their minutes are from another count of the day, so they say nothing. */
function partsOf<Part extends string>(names: readonly Part[], minutes: number, parts: readonly number[] | null) {
  const isWhole = parts !== null && parts.reduce((all, one) => all + one, 0) === minutes
  const named = names.map((name, index) => [name, isWhole ? (parts[index] ?? 0) : 0])
  return Object.fromEntries([...named, ['notRecorded', isWhole ? 0 : minutes]]) as Record<Part | 'notRecorded', number>
}

type Writable = { -readonly [Key in keyof LightFigures]: Required<LightFigures>[Key] }
const PLAIN = [
  ...(['time', 'owed', 'given', 'unplanned', 'unknown', 'planned', 'litInOffTime', 'maintenance', 'away'] as const),
]

/** Adds up figures in one pass, because a statement has those of thousands of days. */
export function sumOfFigures(all: Iterable<LightFigures>): LightFigures {
  const [unplannedBy, plannedBy] = [{ ...NO_FIGURES.unplannedBy }, partsOf(PLANNED_BY, 0, null)]
  const sum = { ...NO_FIGURES, unplannedBy, plannedBy } as Writable
  for (const figures of all) {
    for (const key of PLAIN) sum[key] += figures[key]
    for (const part of UNPLANNED_PARTS) unplannedBy[part] += figures.unplannedBy[part]
    for (const part of PLANNED_PARTS) plannedBy[part] += figures.plannedBy?.[part] ?? 0
  }
  return sum
}

/**
 * How unknown time counts towards availability: `leftOut` compares light with known darkness alone, `asDark` also with
 * unknown time. It is light by no rule.
 */
export const UNKNOWN_COUNTS = ['leftOut', 'asDark'] as const
export type UnknownCounts = (typeof UNKNOWN_COUNTS)[number]

const comparedMinutes = ({ given, unplanned, unknown }: LightFigures, counts: UnknownCounts): number =>
  given + unplanned + (counts === 'asDark' ? unknown : 0)

/** Returns hundredths of a percent, cut, so that 100 % means that not a minute was missing; undefined if none counts. */
export function availabilityOf(figures: LightFigures, counts: UnknownCounts): number | undefined {
  const compared = comparedMinutes(figures, counts)
  return compared === 0 ? undefined : Math.floor((10_000 * figures.given) / compared)
}

/** Compares exactly, without rounding; undefined if nothing counts. */
export function isBelow(figures: LightFigures, counts: UnknownCounts, percentHundredths: number): boolean | undefined {
  const compared = comparedMinutes(figures, counts)
  return compared === 0 ? undefined : figures.given * 10_000 < percentHundredths * compared
}
