import { addDays, type LocalDate, momentOf, wallClock } from '#domain/units/wallClock.ts'
import { type OffTimes, offSpansOfDay } from '../displays/offTimes.ts'
import { MINUTE_MS } from '../units/time.ts'
import type { Span } from './darkMinutes.ts'

/** Off times that a device has confirmed, and since when it goes by them; null: none. */
export interface ConfirmedOffTimes {
  readonly sinceMs: number
  readonly offTimes: OffTimes | null
}

export interface LightDay extends Span {
  readonly date: LocalDate
}

/** A day on the wall beside the device: 23, 25 or 23.5 hours long where the clocks change. */
export function lightDay(date: LocalDate, timeZone: string): LightDay {
  const [from, to] = [momentOf(date, '00:00', timeZone), momentOf(addDays(date, 1), '00:00', timeZone)]
  return { date, fromMs: from.getTime(), toMs: to.getTime() }
}

/** Of a day that still runs, what of it is over, in whole minutes; of one that lies ahead, nothing. */
export function untilNow<Day extends Span>(day: Day, nowMs: number): Day {
  const lastMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS
  return day.toMs <= lastMs ? day : { ...day, toMs: Math.max(day.fromMs, lastMs) }
}

/** From when on a device owes light: since it was added, or since its first reading where that is older. */
export function firstDateOf(createdAt: Date, firstDay: LocalDate | null, timeZone: string): LocalDate {
  const created = wallClock(createdAt, timeZone).date
  return firstDay !== null && firstDay < created ? firstDay : created
}

/** Every local date that these moments touch, in order. */
export function localDates(fromMs: number, toMs: number, timeZone: string): readonly LocalDate[] {
  const last = wallClock(new Date(toMs), timeZone).date
  const dates: LocalDate[] = []
  for (let date = wallClock(new Date(fromMs), timeZone).date; date <= last; date = addDays(date, 1)) dates.push(date)
  return dates
}

/**
 * When darkness was planned within a day, by the off times that held at each moment: a span that had begun is cut when
 * the device confirms others. Spans do not overlap and come in order.
 *
 * @param history oldest first; before the first of them there are no off times
 */
export function plannedSpans(
  day: LightDay,
  history: readonly ConfirmedOffTimes[],
  holidays: ReadonlySet<LocalDate>,
  timeZone: string,
): readonly Span[] {
  const spans = history.flatMap(({ sinceMs, offTimes }, index) => {
    const untilMs = history[index + 1]?.sinceMs ?? Number.POSITIVE_INFINITY
    if (offTimes === null || untilMs <= day.fromMs || sinceMs >= day.toMs) return []
    return offSpansOfDay(offTimes, holidays, day.date, timeZone).spans.map(({ from, to }) => ({
      fromMs: Math.max(from.getTime(), sinceMs, day.fromMs),
      toMs: Math.min(to.getTime(), untilMs, day.toMs),
    }))
  })
  return merged(spans.filter(({ fromMs, toMs }) => fromMs < toMs))
}

/** In order; those that overlap or touch are one. */
export function merged(spans: readonly Span[]): readonly Span[] {
  const result: { fromMs: number; toMs: number }[] = []
  for (const span of spans.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const last = result.at(-1)
    if (last && span.fromMs <= last.toMs) last.toMs = Math.max(last.toMs, span.toMs)
    else result.push({ ...span })
  }
  return result
}
