import type { ReadQueryOf } from '#contract/call/call.ts'
import type { DarkDay, DarkMinutes, getDarkMinutes } from '#contract/http/insight/darkMinutes.ts'
import { addMinutes, type LightMinutes, NO_MINUTES, sumOfMinutes } from '#domain/darkness/minutes/darkMinutes.ts'
import {
  beginOf,
  firstDateOf,
  type LightDay,
  lightDay,
  sinceBegin,
  untilNow,
} from '#domain/darkness/minutes/lightDays.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import { addDays, type LocalDate, wallClock } from '#domain/units/wallClock.ts'
import { type CountedDay, countDays, type DarkPlace, holidayReader, touchedDates } from '#server/darkness/dayCounts.ts'
import type { Given } from '#server/features/feature.ts'
import { readDueDays, readStoredDays, type StoredDay } from './darkMinutes.store.ts'
import { lightOnWire, periodOnWire, withUnknown } from './fleetLight.ts'

/** @param seesEarlier is true for staff; customers see the days since the device came to them */
export async function lightOfDevice(
  pool: Given['pool'],
  place: DarkPlace,
  { dateFrom, dateTo }: ReadQueryOf<typeof getDarkMinutes>,
  seesEarlier: boolean,
): Promise<DarkMinutes> {
  const { timeZone } = place
  const hasDisplay = place.displayNumbers.length > 0
  if (!hasDisplay) return { timeZone, hasDisplay, days: [], total: totalOnWire([], dateTo) }
  const now = new Date()
  const asked = datesBetween(dateFrom, dateTo)
  // What is due is read before the stored days: whatever is not due by then is in them.
  const fresh = await countFresh(pool, place, asked, now)
  const stored = await readStoredDays(pool, place.deviceId, dateFrom, dateTo)
  const byDate = new Map(stored.days.map((day) => [day.date, day]))
  const first = [...fresh.values()].find(({ minutes }) => sumOfMinutes(minutes) > minutes.unknown)?.date
  const firstDay = earlier(stored.firstDay, first)
  const there = firstDateOf(stored.createdAt, firstDay, timeZone)
  const beginMs = beginOf(stored.createdAt, firstDay, timeZone)
  const since = later(there, seesEarlier ? null : stored.arrivedOn)
  const days = asked
    .filter((date) => date >= since)
    .map((date) => sinceBegin(untilNow(lightDay(date, timeZone), now.getTime()), beginMs))
    .filter(({ fromMs, toMs }) => fromMs < toMs)
    .map((day) => {
      const counted = fresh.get(day.date)
      if (!counted) return filled(day, byDate.get(day.date))
      return { ...counted, day, isToldApart: true, minutes: withUnknown(counted.minutes, lengthOf(day)) }
    })
  return { timeZone, hasDisplay, days: days.map(dayOnWire), total: totalOnWire(days, dateTo) }
}

/** Counts the running day, and days whose stored minutes lack readings, at this moment. */
async function countFresh(pool: Given['pool'], place: DarkPlace, dates: readonly LocalDate[], now: Date) {
  const due = await readDueDays(pool, place.deviceId)
  const today = wallClock(now, place.timeZone).date
  const touched = due.flatMap(({ day, hours }) => touchedDates(Date.parse(day), hours, place.timeZone))
  const fresh = new Set([today, ...touched])
  const asked = dates.filter((date) => fresh.has(date))
  const [first, last] = [asked[0], asked.at(-1)]
  if (first === undefined || last === undefined) return new Map<LocalDate, CountedDay>()
  const holidays = await holidayReader(pool, addDays(first, -1), last)(place.country)
  const counted = await countDays(pool, place, asked, holidays, now)
  return new Map(counted.map((day) => [day.date, day]))
}

function datesBetween(from: LocalDate, to: LocalDate): readonly LocalDate[] {
  const dates: LocalDate[] = []
  for (let date = from; date <= to; date = addDays(date, 1)) dates.push(date)
  return dates
}

function earlier(first: LocalDate | null, second: LocalDate | undefined): LocalDate | null {
  if (first === null || second === undefined) return first ?? second ?? null
  return first < second ? first : second
}

const later = (first: LocalDate, second: LocalDate | null) => (second !== null && second > first ? second : first)

const lengthOf = ({ fromMs, toMs }: LightDay) => Math.round((toMs - fromMs) / MINUTE_MS)

interface KnownDay {
  readonly day: LightDay
  readonly minutes: LightMinutes
  /** False when `lit` contains the light in off times. */
  readonly isToldApart: boolean
  readonly measured: number | null
}

/** Completes a stored day with the minutes of which nothing is known. */
function filled(day: LightDay, stored: StoredDay | undefined): KnownDay {
  const known = stored ?? NO_MINUTES
  const minutes = withUnknown({ ...known, litInOffTime: known.litInOffTime ?? 0 }, lengthOf(day))
  return { day, minutes, isToldApart: known.litInOffTime !== null, measured: stored ? stored.measured : 0 }
}

function totalOnWire(days: readonly KnownDay[], dateTo: LocalDate): DarkMinutes['total'] {
  const minutes = days.reduce((sum, day) => addMinutes(sum, day.minutes), NO_MINUTES)
  const lastNotToldApart = days.findLast(({ isToldApart }) => !isToldApart)?.day.date ?? null
  const measuredMinutes = days.reduce((sum, { measured }) => sum + (measured ?? 0), 0)
  return { ...periodOnWire(minutes, days.at(-1)?.day.date ?? dateTo, lastNotToldApart), measuredMinutes }
}

const dayOnWire = ({ day, minutes, isToldApart, measured }: KnownDay): DarkDay => ({
  date: day.date,
  lengthMinutes: sumOfMinutes(minutes),
  measuredMinutes: measured,
  ...lightOnWire(minutes),
  ...(isToldApart ? {} : { litInOffTimesMinutes: null }),
})
