import type { ReadQueryOf } from '#contract/call/call.ts'
import {
  type Availability,
  type DarkDay,
  type DarkMinutes,
  type getAvailability,
  type getDarkMinutes,
  type getPlannedDarkness,
  MOST_DARK_DAYS,
  type PlannedDarkness,
} from '#contract/http/insight/darkMinutes.ts'
import { addMinutes, type LightMinutes, NO_MINUTES, sumOfMinutes } from '#domain/darkness/minutes/darkMinutes.ts'
import {
  beginOf,
  firstDateOf,
  type LightDay,
  lightDay,
  localDates,
  merged,
  plannedSpans,
  sinceBegin,
  untilNow,
} from '#domain/darkness/minutes/lightDays.ts'
import type { CustomerId, DeviceId } from '#domain/ids.ts'
import { DAY_MS, MINUTE_MS } from '#domain/units/time.ts'
import { addDays, type LocalDate, wallClock } from '#domain/units/wallClock.ts'
import { notValid } from '#domain/validation/messages.ts'
import type { CountedDay, DarkPlace } from '#server/darkness/dayCounts.ts'
import type { VisibleDevices } from '#server/fleet/visibleDevices.store.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, type Scope, scopeOf } from '#server/http/call/caller.ts'
import { readPeriod } from '#server/http/reading/period.ts'
import type { DarkMinutesStore, DueDay, StoredDay, SumsQuestion } from './darkMinutes.store.ts'
import type { FleetDarkness } from './fleetDarkness.store.ts'
import {
  countedLately,
  fleetLight,
  keptFleetLight,
  lightOnWire,
  periodOnWire,
  withUnknown,
  worstOf,
} from './fleetLight.ts'

export interface DarkMinutesDeps {
  readonly store: DarkMinutesStore
  readonly fleet: FleetDarkness
  readonly visibleDevices: VisibleDevices
  readonly customerExists: (id: CustomerId, scope: Scope) => Promise<boolean>
  readonly place: (deviceId: DeviceId) => Promise<DarkPlace | undefined>
  readonly holidays: (place: DarkPlace, first: LocalDate, last: LocalDate) => Promise<ReadonlySet<LocalDate>>
  readonly countDays: (
    place: DarkPlace,
    dates: readonly LocalDate[],
    holidays: ReadonlySet<LocalDate>,
    now: Date,
  ) => Promise<readonly CountedDay[]>
  readonly touchedDates: (due: DueDay, timeZone: string) => readonly LocalDate[]
}

const DEFAULT_WORST = 10
/** So many candidates are read for each of the worst, so that one query is nearly always enough. */
const CANDIDATES_EACH = 3
const LONG_MS = 60 * DAY_MS

export function createDarkMinutes(deps: DarkMinutesDeps) {
  const { store, fleet, visibleDevices, customerExists } = deps

  async function requirePlace(deviceId: DeviceId, caller: Caller): Promise<DarkPlace> {
    await visibleDevices.require(scopeOf(caller), [deviceId])
    const place = await deps.place(deviceId)
    if (!place) throw notFound()
    return place
  }

  /** Counts the running day, and days whose stored minutes lack readings, at this moment. */
  async function countFresh(place: DarkPlace, dates: readonly LocalDate[], now: Date) {
    const due = await store.due(place.deviceId)
    const today = wallClock(now, place.timeZone).date
    const fresh = new Set([today, ...due.flatMap((day) => deps.touchedDates(day, place.timeZone))])
    const asked = dates.filter((date) => fresh.has(date))
    const [first, last] = [asked[0], asked.at(-1)]
    if (first === undefined || last === undefined) return new Map<LocalDate, CountedDay>()
    const holidays = await deps.holidays(place, addDays(first, -1), last)
    const counted = await deps.countDays(place, asked, holidays, now)
    return new Map(counted.map((day) => [day.date, day]))
  }

  return {
    /** @throws CallError `invalid_request` for a period that ends before it begins, or is too long */
    ofDevice: async (query: ReadQueryOf<typeof getDarkMinutes>, caller: Caller): Promise<DarkMinutes> => {
      requireDays(query)
      const place = await requirePlace(query.deviceId, caller)
      const { timeZone } = place
      const hasDisplay = place.displayNumbers.length > 0
      if (!hasDisplay) return { timeZone, hasDisplay, days: [], total: totalOnWire([], query.dateTo) }
      const now = new Date()
      const asked = datesBetween(query.dateFrom, query.dateTo)
      const fresh = await countFresh(place, asked, now)
      const stored = await store.days(place.deviceId, query.dateFrom, query.dateTo)
      const byDate = new Map(stored.days.map((day) => [day.date, day]))
      const first = [...fresh.values()].find(({ minutes }) => sumOfMinutes(minutes) > minutes.unknown)?.date
      const firstDay = earlier(stored.firstDay, first)
      const there = firstDateOf(stored.createdAt, firstDay, timeZone)
      const beginMs = beginOf(stored.createdAt, firstDay, timeZone)
      const since = later(there, caller.customerId === undefined ? null : stored.arrivedOn)
      const days = asked
        .filter((date) => date >= since)
        .map((date) => sinceBegin(untilNow(lightDay(date, timeZone), now.getTime()), beginMs))
        .filter(({ fromMs, toMs }) => fromMs < toMs)
        .map((day) => {
          const counted = fresh.get(day.date)
          if (!counted) return filled(day, byDate.get(day.date))
          return { ...counted, day, isToldApart: true, minutes: withUnknown(counted.minutes, lengthOf(day)) }
        })
      return { timeZone, hasDisplay, days: days.map(dayOnWire), total: totalOnWire(days, query.dateTo) }
    },

    /**
     * @throws CallError `not_found` for a customer that the caller may not see, `invalid_request` for a wrong period
     */
    ofFleet: async (query: ReadQueryOf<typeof getAvailability>, caller: Caller): Promise<Availability> => {
      requireDays(query)
      const scope = await askedScope(query.customerId, scopeOf(caller))
      const { dateFrom: from, dateTo: to, limit: most = DEFAULT_WORST } = query
      const now = new Date()
      const question = { scope, from, to }
      const kept = await fleet.isKept(question).then((isKept) => (isKept ? fromSums(question, most, now) : undefined))
      return kept ?? fleetLight(await store.sums(question), { from, to, most }, now)
    },

    /** @throws CallError `invalid_request` for a period that ends before it begins, or is too long */
    planned: async (query: ReadQueryOf<typeof getPlannedDarkness>, caller: Caller): Promise<PlannedDarkness> => {
      const { from, to } = readPeriod(query)
      const [fromMs, toMs] = [from.getTime(), to.getTime()]
      if (toMs - fromMs > MOST_DARK_DAYS * DAY_MS) throw tooLong()
      const place = await requirePlace(query.deviceId, caller)
      const dates = localDates(fromMs, toMs, place.timeZone)
      const holidays = await deps.holidays(place, addDays(dates[0] ?? '', -1), dates.at(-1) ?? '')
      const spans = dates.flatMap((date) => plannedSpans(lightDay(date, place.timeZone), place, holidays))
      return merged(spans)
        .map((span) => ({ fromMs: Math.max(span.fromMs, fromMs), toMs: Math.min(span.toMs, toMs) }))
        .filter((span) => span.fromMs < span.toMs)
        .map((span) => ({ from: new Date(span.fromMs).toISOString(), to: new Date(span.toMs).toISOString() }))
    },
  }

  /** @returns undefined when the worst cannot be determined from unplanned darkness alone */
  async function fromSums(question: SumsQuestion, most: number, now: Date): Promise<Availability | undefined> {
    const [spans, customers, worst] = await Promise.all([
      fleet.spans(question, countedLately(now)),
      fleet.customers(question),
      darkest(question, most, now),
    ])
    return worst && { ...keptFleetLight(spans, customers, question, now), worst }
  }

  /** Finds the darkest devices. It reads more candidates while a device further down may be as dark. */
  async function darkest(question: SumsQuestion, most: number, now: Date): Promise<Availability['worst'] | undefined> {
    const tries = triesOf(question)
    for (let take = most * CANDIDATES_EACH; ; take *= CANDIDATES_EACH) {
      const find = tries.shift() ?? fleet.darkest
      const { deviceIds, othersAtMost } = await find(question, take)
      const worst = worstOf(await store.sums({ ...question, deviceIds }), { ...question, most }, now)
      const least = worst.length < most ? 0 : (worst.at(-1)?.unplannedDarkMinutes ?? 0)
      if (least > othersAtMost) return worst
      if (othersAtMost === 0) return undefined
    }
  }

  /** A long period contains many of the days that are kept, so the sums of all days find good candidates. */
  function triesOf({ from, to }: SumsQuestion) {
    return Date.parse(to) - Date.parse(from) > LONG_MS ? [fleet.darkestEver, fleet.darkestEver] : []
  }

  async function askedScope(customerId: CustomerId | -1 | undefined, scope: Scope): Promise<Scope> {
    if (customerId === undefined || customerId === -1) return scope
    if (!(await customerExists(customerId, scope))) throw notFound()
    return { kind: 'customer', customerId }
  }
}

export type DarkMinutesService = ReturnType<typeof createDarkMinutes>

const tooLong = () =>
  new CallError('invalid_request', `A period of dark minutes may have at most ${MOST_DARK_DAYS} days.`)

function requireDays({ dateFrom, dateTo }: { readonly dateFrom: LocalDate; readonly dateTo: LocalDate }): void {
  if (dateFrom > dateTo) throw new CallError('invalid_request', `${notValid('dateFrom')}: it is after dateTo`)
  if (Date.parse(dateTo) - Date.parse(dateFrom) >= MOST_DARK_DAYS * DAY_MS) throw tooLong()
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
