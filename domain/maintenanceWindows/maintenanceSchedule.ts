import type { Span } from '#domain/darkness/minutes/darkMinutes.ts'
import { DAY_MS } from '#domain/units/time.ts'
import { addDays, type LocalDate, type LocalTime, momentOf, wallClock, weekdayOf } from '#domain/units/wallClock.ts'

export interface OneTime {
  readonly kind: 'once'
  readonly from: Date
  /** The first moment after the maintenance. */
  readonly to: Date
  /** Texts show its times in this zone. */
  readonly timeZone: string
}

/** Repeats every week in local time of a zone. */
export interface Weekly {
  readonly kind: 'weekly'
  /** It begins on these weekdays: 0 is Monday, 6 is Sunday. */
  readonly weekdays: readonly number[]
  readonly from: LocalTime
  /** A time before `from` is on the next day; the same time means a whole day. */
  readonly to: LocalTime
  readonly timeZone: string
  /** It does not begin before this day. */
  readonly firstDay: LocalDate
  /** It does not begin after this day; null means that it never ends. */
  readonly lastDay: LocalDate | null
}

export type MaintenanceSchedule = OneTime | Weekly

/** It may begin on the day before the one on which it still lasts. */
const REACHING_DAYS = 1

/**
 * Returns each occurrence that overlaps the period, uncut and in order; none overlaps another. A start or end that
 * clocks skip in spring is the moment of the change, and of one that they repeat in autumn the first counts; an
 * occurrence entirely within a skipped hour does not exist.
 */
export function occurrencesWithin(schedule: MaintenanceSchedule, period: Span): readonly Span[] {
  if (schedule.kind === 'once') {
    return overlapping([{ fromMs: schedule.from.getTime(), toMs: schedule.to.getTime() }], period)
  }
  if (period.fromMs >= period.toMs) return []
  const { firstDay, lastDay, timeZone } = schedule
  const earliest = addDays(wallClock(new Date(period.fromMs), timeZone).date, -REACHING_DAYS)
  const latest = wallClock(new Date(period.toMs), timeZone).date
  const last = lastDay !== null && lastDay < latest ? lastDay : latest
  const spans: Span[] = []
  for (let date = firstDay > earliest ? firstDay : earliest; date <= last; date = addDays(date, 1)) {
    const span = spanBeginningOn(date, schedule)
    if (span) spans.push(span)
  }
  return overlapping(spans, period)
}

function spanBeginningOn(date: LocalDate, { weekdays, from, to, timeZone }: Weekly): Span | undefined {
  if (!weekdays.includes(weekdayOf(date))) return undefined
  const fromMs = momentOf(date, from, timeZone).getTime()
  const toMs = momentOf(from < to ? date : addDays(date, 1), to, timeZone).getTime()
  return fromMs < toMs ? { fromMs, toMs } : undefined
}

const overlapping = (spans: readonly Span[], { fromMs, toMs }: Span) =>
  spans.filter((span) => span.fromMs < toMs && span.toMs > fromMs)

/** A week has no beginning if clocks skip its only one; the week after has it then. */
const LOOKED_AHEAD_MS = 15 * DAY_MS

/** Returns the next occurrences that begin after a moment, without the one that lasts then. */
export function nextOccurrences(schedule: MaintenanceSchedule, after: Date, most: number): readonly Span[] {
  const found: Span[] = []
  const beginning = schedule.kind === 'weekly' ? momentOf(schedule.firstDay, '00:00', schedule.timeZone) : schedule.from
  let fromMs = Math.max(after.getTime(), beginning.getTime() - 1)
  while (found.length < most) {
    const toMs = fromMs + LOOKED_AHEAD_MS
    const some = occurrencesWithin(schedule, { fromMs, toMs }).filter((span) => span.fromMs > fromMs)
    if (some.length === 0) break
    found.push(...some)
    fromMs = some.at(-1)?.fromMs ?? toMs
  }
  return found.slice(0, most)
}

export const hasMore = (schedule: MaintenanceSchedule, after: Date): boolean =>
  nextOccurrences(schedule, after, 1).length > 0

export function lastEnd(schedule: MaintenanceSchedule): Date | 'infinity' {
  if (schedule.kind === 'once') return schedule.to
  const { firstDay, lastDay, timeZone } = schedule
  if (lastDay === null) return 'infinity'
  const last = momentOf(lastDay, '00:00', timeZone).getTime()
  const times = occurrencesWithin(schedule, { fromMs: last - LOOKED_AHEAD_MS, toMs: last + 2 * DAY_MS })
  return times.length > 0 ? new Date(times.at(-1)?.toMs ?? last) : momentOf(firstDay, '00:00', timeZone)
}
