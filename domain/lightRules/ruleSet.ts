import type { Position } from '#domain/displays/sunTimes.ts'
import { addDays, type LocalDate, type LocalTime, momentOf, weekdayOf } from '#domain/units/wallClock.ts'

/** Whether a rule applies on holidays: as on other days, not at all, or on nothing but holidays. */
export const HOLIDAY_RULES = ['too', 'never', 'only'] as const
export type HolidayRule = (typeof HOLIDAY_RULES)[number]

/** Limits the light in a span of local time that belongs to the day on which it begins (rules/light 2). */
export interface LightRule {
  /** 0 is Monday. With `only` on holidays they are not looked at. */
  readonly days: readonly number[]
  readonly from: LocalTime
  /** An end that is not later than its start is on the next day; equal times are 24 hours. */
  readonly to: LocalTime
  readonly onHolidays: HolidayRule
  /** The most light that is allowed; 0 is dark. */
  readonly levelPercent: number
  /** The rule applies only while the ambient light is below; null is always. */
  readonly belowLux: number | null
}

/** What a law or an organisation asks for, where, and between which dates. */
export interface LightRuleSet {
  readonly name: string
  /** The ISO code of the country, or null where an area or nothing limits it. */
  readonly country: string | null
  /** The corners of an area; together with a country it must be within both. */
  readonly area: readonly Position[] | null
  readonly rules: readonly LightRule[]
  /** Nights that begin on these dates are free: `12-24` in every year, `2026-12-24` once. */
  readonly exceptDates: readonly string[]
  /** The first and last day on which a span may begin. */
  readonly validFrom: LocalDate | null
  readonly validUntil: LocalDate | null
  readonly source: string
  readonly sourceUrl: string
}

export interface RuleSpan {
  readonly from: Date
  /** The first moment that no longer belongs to it. */
  readonly to: Date
  /** The day on which it begins. */
  readonly date: LocalDate
  readonly rule: LightRule
}

/** What a rule needs to know of a place. */
export interface RulePlace {
  readonly timeZone: string
  readonly holidays: ReadonlySet<LocalDate>
}

/** A span lasts up to 24 hours, and 25 in autumn, so that of the day before may still apply. */
const REACHING_DAYS = 1

function appliesOn({ days, onHolidays }: LightRule, date: LocalDate, holidays: ReadonlySet<LocalDate>): boolean {
  const isHoliday = holidays.has(date)
  if (onHolidays === 'only') return isHoliday
  return days.includes(weekdayOf(date)) && !(isHoliday && onHolidays === 'never')
}

const isValidOn = ({ validFrom, validUntil }: LightRuleSet, date: LocalDate): boolean =>
  (validFrom === null || date >= validFrom) && (validUntil === null || date <= validUntil)

/** Returns the spans that begin on a date, as local time has them there. */
function spansStartingOn(set: LightRuleSet, date: LocalDate, { timeZone, holidays }: RulePlace): readonly RuleSpan[] {
  if (!isValidOn(set, date) || set.exceptDates.some((one) => one === date || one === date.slice(5))) return []
  return set.rules.flatMap((rule) => {
    if (!appliesOn(rule, date, holidays)) return []
    const from = momentOf(date, rule.from, timeZone)
    const to = momentOf(rule.from < rule.to ? date : addDays(date, 1), rule.to, timeZone)
    return from < to ? [{ from, to, date, rule }] : []
  })
}

/** Returns the spans within a local day, cut at its ends, in order of their beginnings. */
export function ruleSpansOfDay(set: LightRuleSet, date: LocalDate, place: RulePlace): readonly RuleSpan[] {
  const [from, to] = [momentOf(date, '00:00', place.timeZone), momentOf(addDays(date, 1), '00:00', place.timeZone)]
  return [addDays(date, -REACHING_DAYS), date]
    .flatMap((start) => spansStartingOn(set, start, place))
    .filter((span) => span.to > from && span.from < to)
    .map((span) => ({ ...span, from: span.from < from ? from : span.from, to: span.to > to ? to : span.to }))
    .toSorted((a, b) => a.from.getTime() - b.from.getTime())
}

/** The place of a device, as far as anybody knows. */
export interface DevicePlace {
  readonly position: Position | undefined
  /** The ISO code of the country in which the position is. */
  readonly country: string | undefined
}

/** A set without a place meets every device. What has no position is unknown, never outside (rules/light 3). */
export function meets(set: LightRuleSet, { position, country }: DevicePlace): 'meets' | 'outside' | 'unknown' {
  if (set.country === null && set.area === null) return 'meets'
  if (position === undefined) return 'unknown'
  if (set.area !== null && !isWithin(set.area, position)) return 'outside'
  if (set.country === null) return 'meets'
  if (country === undefined) return 'unknown'
  return country === set.country ? 'meets' : 'outside'
}

/** Whether a point is in an area, by how often a line from it to the east crosses the border. */
function isWithin(area: readonly Position[], { latitude, longitude }: Position): boolean {
  let isInside = false
  for (const [index, a] of area.entries()) {
    const b = area[(index + area.length - 1) % area.length] as Position
    if (a.latitude > latitude === b.latitude > latitude) continue
    const crossing = a.longitude + ((latitude - a.latitude) / (b.latitude - a.latitude)) * (b.longitude - a.longitude)
    if (longitude < crossing) isInside = !isInside
  }
  return isInside
}

const FULL_PERCENT = 100

/** Says why a set cannot be kept, or undefined. */
export function ruleSetProblem({ rules, area, validFrom, validUntil, exceptDates }: LightRuleSet): string | undefined {
  if (rules.length === 0) return 'rules: A rule set needs at least one rule.'
  if (rules.some(({ days, onHolidays }) => days.length === 0 && onHolidays !== 'only')) return 'days: Choose a day.'
  if (rules.some(({ levelPercent }) => levelPercent >= FULL_PERCENT)) return 'levelPercent: 100 % limits nothing.'
  if (area !== null && area.length < 3) return 'area: An area needs at least three corners.'
  if (validFrom !== null && validUntil !== null && validFrom > validUntil)
    return 'validUntil: It ends before it begins.'
  return exceptDates.some((date) => !/^(\d{4}-)?\d\d-\d\d$/.test(date))
    ? 'exceptDates: Write dates as 12-24 or 2026-12-24.'
    : undefined
}

/**
 * Says why a set cannot be replaced by another one, or undefined. Somewhere it is already tomorrow (UTC), and days
 * before may have been counted.
 */
export function replacementProblem(before: LightRuleSet, { validFrom }: LightRuleSet, now: Date): string | undefined {
  const tomorrow = addDays(now.toISOString().slice(0, 10), 1)
  if (validFrom === null || validFrom < tomorrow)
    return `validFrom: A change begins on ${tomorrow} or later, so that what was counted stays.`
  return before.validFrom !== null && validFrom <= before.validFrom
    ? `validFrom: The rule set begins on ${before.validFrom}. Begin later, or delete it and add another.`
    : undefined
}
