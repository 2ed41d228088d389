import { addDays, type LocalDate, type LocalTime, momentOf, wallClock, weekdayOf } from '#domain/units/wallClock.ts'

/** Displays are dark then, in local time of the device; a group has both times or neither (rules/setup 9). */
export interface OffTimes {
  readonly wdTimeOffFrom: LocalTime | null
  readonly wdTimeOffTo: LocalTime | null
  readonly wkndTimeOffFrom: LocalTime | null
  readonly wkndTimeOffTo: LocalTime | null
  readonly holTimeOffFrom: LocalTime | null
  readonly holTimeOffTo: LocalTime | null
}

export type DayGroup = 'workday' | 'weekend' | 'holiday'

export interface OffSpan {
  readonly from: Date
  /** The first moment that is no longer dark. */
  readonly to: Date
  /** The day on which it starts, and the group whose times it follows. */
  readonly date: LocalDate
  readonly group: DayGroup
}

const GROUP_NAMES: Readonly<Record<DayGroup, string>> = {
  workday: 'workdays',
  weekend: 'weekends',
  holiday: 'holidays',
}
/** A period lasts up to 24 hours, so the one of the day before may still apply. */
const REACHING_DAYS = 1

export function offTimesError(times: OffTimes): string | undefined {
  const broken = (['workday', 'weekend', 'holiday'] as const).find((group) => {
    const { from, to } = timesOfGroup(times, group)
    return (from === null) !== (to === null)
  })
  return broken && `Turn-off times for ${GROUP_NAMES[broken]} need both a start and an end.`
}

function timesOfGroup(times: OffTimes, group: DayGroup) {
  switch (group) {
    case 'workday':
      return { from: times.wdTimeOffFrom, to: times.wdTimeOffTo }
    case 'weekend':
      return { from: times.wkndTimeOffFrom, to: times.wkndTimeOffTo }
    case 'holiday':
      return { from: times.holTimeOffFrom, to: times.holTimeOffTo }
  }
}

/**
 * A holiday takes precedence over the weekend (Saturday, Sunday), the weekend over the workday. A holiday whose group
 * has no times is never dark; it does not fall back to another group (rules/setup 10).
 */
export function groupOfDay(date: LocalDate, holidays: ReadonlySet<LocalDate>): DayGroup {
  if (holidays.has(date)) return 'holiday'
  return weekdayOf(date) >= 5 ? 'weekend' : 'workday'
}

/**
 * Returns the period that starts on this day. An end that is not later than its start is on the next day: equal times
 * mean the whole 24 hours from then on. Periods lie between two moments (see `momentOf`), so a change of the clocks
 * makes them an hour longer or shorter and never splits them; a period entirely within a skipped hour does not exist.
 */
function spanStartingOn(
  date: LocalDate,
  times: OffTimes,
  holidays: ReadonlySet<LocalDate>,
  timeZone: string,
): OffSpan | undefined {
  const group = groupOfDay(date, holidays)
  const { from, to } = timesOfGroup(times, group)
  if (from === null || to === null) return undefined
  const span = {
    from: momentOf(date, from, timeZone),
    to: momentOf(from < to ? date : addDays(date, 1), to, timeZone),
    date,
    group,
  }
  return span.from < span.to ? span : undefined
}

/** Returns the period that darkens displays at this moment (that of today before that of yesterday), or undefined. */
export function offSpanAt(
  times: OffTimes,
  holidays: ReadonlySet<LocalDate>,
  at: Date,
  timeZone: string,
): OffSpan | undefined {
  const today = wallClock(at, timeZone).date
  for (let daysAgo = 0; daysAgo <= REACHING_DAYS; daysAgo++) {
    const span = spanStartingOn(addDays(today, -daysAgo), times, holidays, timeZone)
    if (span && at >= span.from && at < span.to) return span
  }
  return undefined
}

/** Equal times mean the whole 24 hours from then on, so texts should say that. */
export const isDarkAllDay = (from: LocalTime | null | undefined, to: LocalTime | null | undefined): boolean =>
  typeof from === 'string' && from === to

/** One local day with its dark periods. */
export interface StripDay {
  readonly date: LocalDate
  readonly group: DayGroup
  /** The day lasts from here up to `to`: 23 or 25 hours when the clocks change. */
  readonly from: Date
  readonly to: Date
  /** Cut at both ends of the day, oldest first; one of yesterday may overlap with one of today. */
  readonly spans: readonly OffSpan[]
}

/** Returns one local day of the device with its dark periods. */
export function offSpansOfDay(
  times: OffTimes,
  holidays: ReadonlySet<LocalDate>,
  date: LocalDate,
  timeZone: string,
): StripDay {
  const from = momentOf(date, '00:00', timeZone)
  const to = momentOf(addDays(date, 1), '00:00', timeZone)
  const spans = [addDays(date, -REACHING_DAYS), date].flatMap((startDate) => {
    const span = spanStartingOn(startDate, times, holidays, timeZone)
    if (!span || span.to <= from || span.from >= to) return []
    return [{ ...span, from: span.from < from ? from : span.from, to: span.to > to ? to : span.to }]
  })
  return { date, group: groupOfDay(date, holidays), from, to, spans }
}
