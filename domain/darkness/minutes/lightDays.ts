import { type DayPlan, dayPlanSteps, type LightPlace } from '#domain/displays/dayPlan.ts'
import { type OffTimes, offSpansOfDay } from '#domain/displays/offTimes.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import { addDays, type LocalDate, momentOf, wallClock } from '#domain/units/wallClock.ts'
import type { Span } from './darkMinutes.ts'

/** Off times that a device has confirmed, and since when they apply; null for none. */
export interface ConfirmedOffTimes {
  readonly sinceMs: number
  readonly offTimes: OffTimes | null
}

/** A day plan that a device has confirmed, and since when it applies. */
export interface ConfirmedDayPlan {
  readonly sinceMs: number
  readonly dayPlan: DayPlan | null
}

/** A device's plans over time, oldest first; before the first of them nothing was planned. */
export interface ConfirmedPlans extends LightPlace {
  readonly offTimes: readonly ConfirmedOffTimes[]
  readonly dayPlans: readonly ConfirmedDayPlan[]
}

export interface LightDay extends Span {
  readonly date: LocalDate
}

/** Returns a local day of the device: 23, 25 or 23.5 hours long when the clocks change. */
export function lightDay(date: LocalDate, timeZone: string): LightDay {
  const [from, to] = [momentOf(date, '00:00', timeZone), momentOf(addDays(date, 1), '00:00', timeZone)]
  return { date, fromMs: from.getTime(), toMs: to.getTime() }
}

/** Cuts the present day to its past whole minutes, and a future one to nothing. */
export function untilNow<Day extends Span>(day: Day, nowMs: number): Day {
  const lastMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS
  return day.toMs <= lastMs ? day : { ...day, toMs: Math.max(day.fromMs, lastMs) }
}

/** Returns the first day on which light is due: when the device was added, or its first reading if older. */
export function firstDateOf(createdAt: Date, firstDay: LocalDate | null, timeZone: string): LocalDate {
  const created = wallClock(createdAt, timeZone).date
  return firstDay !== null && firstDay < created ? firstDay : created
}

/**
 * Returns the moment from which a device must give light: the minute in which it was added, so that its first day is no
 * longer than the device is old; or the beginning of the first known day, if that is older.
 */
export function beginOf(createdAt: Date, firstDay: LocalDate | null, timeZone: string): number {
  const day = lightDay(firstDateOf(createdAt, firstDay, timeZone), timeZone)
  const createdMs = Math.floor(createdAt.getTime() / MINUTE_MS) * MINUTE_MS
  return createdMs < day.toMs ? Math.max(day.fromMs, createdMs) : day.fromMs
}

/** Cuts off the part of a day before a moment. */
export const sinceBegin = <Day extends Span>(day: Day, beginMs: number): Day =>
  day.fromMs >= beginMs ? day : { ...day, fromMs: Math.min(day.toMs, beginMs) }

/** Returns every local date that these moments touch, in order. */
export function localDates(fromMs: number, toMs: number, timeZone: string): readonly LocalDate[] {
  const last = wallClock(new Date(toMs), timeZone).date
  const dates: LocalDate[] = []
  for (let date = wallClock(new Date(fromMs), timeZone).date; date <= last; date = addDays(date, 1)) dates.push(date)
  return dates
}

/**
 * Returns the periods of planned darkness within a day, by the off times and the day plan that applied at each moment:
 * a period that had begun is cut when the device confirms other plans. Level 0 of a plan is as dark as off times. The
 * periods do not overlap and are in order.
 */
export function plannedSpans(
  day: LightDay,
  { offTimes, dayPlans, ...place }: ConfirmedPlans,
  holidays: ReadonlySet<LocalDate>,
): readonly Span[] {
  const off = whileHeld(day, offTimes, ({ offTimes: times }) =>
    times === null ? [] : offSpansOfDay(times, holidays, day.date, place.timeZone).spans,
  )
  const dimmed = whileHeld(day, dayPlans, ({ dayPlan }) =>
    dayPlan === null
      ? []
      : dayPlanSteps(dayPlan, place, holidays, day.date).filter(({ backlightPercent }) => backlightPercent === 0),
  )
  return merged([...off, ...dimmed])
}

/** Returns the periods of a day in which a day plan decided the level, by the plan that applied at each moment. */
export const dayPlanSpans = (
  day: LightDay,
  { dayPlans, ...place }: ConfirmedPlans,
  holidays: ReadonlySet<LocalDate>,
): readonly Span[] =>
  merged(
    whileHeld(day, dayPlans, ({ dayPlan }) =>
      dayPlan === null
        ? []
        : dayPlanSteps(dayPlan, place, holidays, day.date).filter(({ backlightPercent }) => backlightPercent !== null),
    ),
  )

/** Returns what each entry of a history asks for while it was the newest. */
function whileHeld<Entry extends { readonly sinceMs: number }>(
  day: LightDay,
  history: readonly Entry[],
  spansOf: (entry: Entry) => readonly { readonly from: Date; readonly to: Date }[],
): readonly Span[] {
  return history
    .flatMap((entry, index) => {
      const untilMs = history[index + 1]?.sinceMs ?? Number.POSITIVE_INFINITY
      if (untilMs <= day.fromMs || entry.sinceMs >= day.toMs) return []
      return spansOf(entry).map(({ from, to }) => ({
        fromMs: Math.max(from.getTime(), entry.sinceMs, day.fromMs),
        toMs: Math.min(to.getTime(), untilMs, day.toMs),
      }))
    })
    .filter(({ fromMs, toMs }) => fromMs < toMs)
}

/** Sorts the periods and joins those that overlap or touch. */
export function merged(spans: readonly Span[]): readonly Span[] {
  const result: { fromMs: number; toMs: number }[] = []
  for (const span of spans.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const last = result.at(-1)
    if (last && span.fromMs <= last.toMs) last.toMs = Math.max(last.toMs, span.toMs)
    else result.push({ ...span })
  }
  return result
}
