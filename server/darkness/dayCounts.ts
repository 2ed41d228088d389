import { DISPLAY_EVENT_TYPE_ID } from '#domain/catalogue/eventTypes.ts'
import { CATEGORY } from '#domain/components/componentFields.ts'
import {
  type LevelReading,
  type LightMinutes,
  type LightSpan,
  lightSpans,
  measuredMinutes,
  minutesOfSpans,
  READING_HOLDS_MS,
  type Span,
} from '#domain/darkness/minutes/darkMinutes.ts'
import {
  type ConfirmedPlans,
  type LightDay,
  lightDay,
  localDates,
  plannedSpans,
  untilNow,
} from '#domain/darkness/minutes/lightDays.ts'
import type { DayPlan } from '#domain/displays/dayPlan.ts'
import type { OffTimes } from '#domain/displays/offTimes.ts'
import { SLOW_HOLDS_MS } from '#domain/energy/displayDay.ts'
import type { CountryId, DeviceId } from '#domain/ids.ts'
import { HOUR_MS } from '#domain/units/time.ts'
import { isTimeZone } from '#domain/units/timeZones.ts'
import type { LocalDate } from '#domain/units/wallClock.ts'
import type { Queryable } from '#server/db/transaction.ts'
import { holidaysBetween } from '#server/fleet/deviceHolidays.ts'
import { readMaintenanceSpans } from '#server/fleet/maintenanceSpans.ts'
import { type EventLayout, layoutByTypeId } from '#server/telemetry/ingress/eventLayout.ts'
import { readReported } from './reportedValues.ts'

const DISPLAY_LAYOUT = layoutByTypeId(DISPLAY_EVENT_TYPE_ID) as EventLayout

/** The properties that a device's days are judged by besides its readings. */
export interface DarkPlace extends ConfirmedPlans {
  readonly deviceId: DeviceId
  readonly country: { readonly id: CountryId; readonly isoCode: string } | undefined
  readonly displayNumbers: readonly number[]
}

/** The past part of a local day, and its minutes by kind of light. */
export interface CountedDay extends LightDay {
  readonly minutes: LightMinutes
  readonly spans: readonly LightSpan[]
  /** The minutes for which light was measured at the panels. */
  readonly measured: number
}

/** Reads what days are judged by. Devices that do not exist are left out. */
export async function readDarkPlaces(
  queryable: Queryable,
  deviceIds: readonly DeviceId[],
): Promise<ReadonlyMap<DeviceId, DarkPlace>> {
  const { rows } = await queryable.query<{
    id: DeviceId
    time_zone: string
    country_id: CountryId | null
    iso_code: string | null
    numbers: number[]
    latitude: number | null
    longitude: number | null
    off_times: { since: number; plan: OffTimes }[]
    day_plans: { since: number; plan: DayPlan }[]
  }>(
    `select d.id, d.time_zone, n.id as country_id, n.iso_code,
         array(select k.number from device_component k where k.device_id = d.id and k.category_id = $2
               order by k.number) as numbers,
         d.latitude, d.longitude, coalesce(off.plans, '[]') as off_times, coalesce(dimmed.plans, '[]') as day_plans
       from device d join customer c on c.id = d.customer_id left join country n on n.id = c.country_id
       left join (${historyOf('off_times_history', 'off_times')}) off on off.device_id = d.id
       left join (${historyOf('day_plan_history', 'day_plan')}) dimmed on dimmed.device_id = d.id
       where d.id = any ($1::integer[]) and d.deleted_at is null`,
    [deviceIds, CATEGORY.display],
  )
  return new Map(
    rows.map(({ id, time_zone, country_id, iso_code, numbers, latitude, longitude, off_times, day_plans }) => [
      id,
      {
        deviceId: id,
        // The zone is checked against our own tables, because the database may know other zones.
        timeZone: isTimeZone(time_zone) ? time_zone : 'UTC',
        country: country_id !== null && iso_code !== null ? { id: country_id, isoCode: iso_code } : undefined,
        displayNumbers: numbers,
        position: latitude === null || longitude === null ? undefined : { latitude, longitude },
        offTimes: off_times.map(({ since, plan }) => ({ sinceMs: sinceMs(since), offTimes: plan })),
        dayPlans: day_plans.map(({ since, plan }) => ({ sinceMs: sinceMs(since), dayPlan: plan })),
      },
    ]),
  )
}

/** SQL for what devices had confirmed of one kind, oldest first. A `since` of -1 is an unknown beginning. */
const historyOf = (table: string, column: string) => `
  select device_id, json_agg(json_build_object('plan', ${column}, 'since',
      case when valid_from = '-infinity' then -1 else extract(epoch from valid_from) * 1000 end) order by valid_from) as plans
  from ${table} where device_id = any ($1::integer[]) group by device_id`

const sinceMs = (since: number) => (since < 0 ? Number.NEGATIVE_INFINITY : since)

export const readDarkPlace = async (queryable: Queryable, deviceId: DeviceId): Promise<DarkPlace | undefined> =>
  (await readDarkPlaces(queryable, [deviceId])).get(deviceId)

/** Returns a reader of holidays that asks once for each country. */
export function holidayReader(queryable: Queryable, first: LocalDate, last: LocalDate) {
  const known = new Map<CountryId, Promise<ReadonlySet<LocalDate>>>()
  const read = async (country: NonNullable<DarkPlace['country']>) =>
    new Set((await holidaysBetween(queryable, country, first, last)).map(({ date }) => date))
  return (country: DarkPlace['country']): Promise<ReadonlySet<LocalDate>> => {
    if (country === undefined) return Promise.resolve(new Set())
    const holidays = known.get(country.id) ?? read(country)
    known.set(country.id, holidays)
    return holidays
  }
}

/** Counts the past part of local days of one device from its raw readings, in whole minutes. */
export async function countDays(
  queryable: Queryable,
  place: DarkPlace,
  dates: readonly LocalDate[],
  holidays: ReadonlySet<LocalDate>,
  now: Date,
): Promise<readonly CountedDay[]> {
  const { deviceId, displayNumbers, timeZone } = place
  const counted: CountedDay[] = []
  const maintenance = await readMaintenance(queryable, deviceId, dates, timeZone)
  const past = dates
    .map((date) => lightDay(date, timeZone))
    .map((whole) => ({ whole, day: untilNow(whole, now.getTime()) }))
    .filter(({ day }) => day.fromMs < day.toMs)
  const readings = await readLevelsOfDays(
    queryable,
    deviceId,
    past.map(({ day }) => day),
  )
  for (const { whole, day } of past) {
    const displays = displayNumbers.map((number) => within(day, readings.get(number) ?? []))
    const spans = lightSpans(day, plannedSpans(whole, place, holidays), displays, maintenance)
    counted.push({
      ...day,
      minutes: minutesOfSpans(spans),
      spans,
      measured: measuredMinutes(day, displays),
    })
  }
  return counted
}

async function readMaintenance(
  queryable: Queryable,
  deviceId: DeviceId,
  dates: readonly LocalDate[],
  timeZone: string,
): Promise<readonly Span[]> {
  const [first, last] = [dates.toSorted()[0], dates.toSorted().at(-1)]
  if (first === undefined || last === undefined) return []
  const period = { fromMs: lightDay(first, timeZone).fromMs, toMs: lightDay(last, timeZone).toMs }
  return (await readMaintenanceSpans(queryable, [deviceId], period)).get(deviceId) ?? []
}

type Levels = ReadonlyMap<number, readonly LevelReading[]>

/** Joins days that follow each other, because settled days are the dearer to read the more often. */
export function runsOf(days: readonly Span[]): readonly Span[] {
  const runs: { fromMs: number; toMs: number }[] = []
  for (const { fromMs, toMs } of days.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const last = runs.at(-1)
    if (last !== undefined && fromMs <= last.toMs + READING_HOLDS_MS) last.toMs = Math.max(last.toMs, toMs)
    else runs.push({ fromMs, toMs })
  }
  return runs
}

async function readLevelsOfDays(queryable: Queryable, deviceId: DeviceId, days: readonly Span[]): Promise<Levels> {
  const levels = new Map<number, LevelReading[]>()
  for (const run of runsOf(days)) {
    for (const [number, found] of await readLevels(queryable, deviceId, run))
      levels.set(number, [...(levels.get(number) ?? []), ...found])
  }
  return levels
}

const within = ({ fromMs, toMs }: Span, levels: readonly LevelReading[]) =>
  levels.filter(({ atMs }) => atMs >= fromMs - READING_HOLDS_MS && atMs < toMs)

/** Reads levels by display number. */
export async function readLevels(queryable: Queryable, deviceId: DeviceId, { fromMs, toMs }: Span): Promise<Levels> {
  const reported = await readReported(queryable, {
    ...{ layout: DISPLAY_LAYOUT, deviceId, fromMs: fromMs - READING_HOLDS_MS, toMs },
    names: ['backlight_level', 'panel_light'],
  })
  const levels = new Map<number, LevelReading[]>()
  for (const {
    number,
    atMs,
    values: [level, measured],
  } of reported) {
    const known = levels.get(number) ?? []
    levels.set(number, known)
    if (typeof level === 'number') known.push({ atMs, percent: level })
    if (typeof measured === 'number') known.push({ atMs, percent: measured, isMeasured: true })
  }
  return levels
}

/** Finds the local dates that readings of these UTC hours (one bit each) can change, as each holds for a while. */
export function touchedDates(dayMs: number, hours: number, timeZone: string): readonly LocalDate[] {
  const dates = new Set<LocalDate>()
  for (let hour = 0; hour < 24; hour++) {
    if ((hours & (1 << hour)) === 0) continue
    const fromMs = dayMs + hour * HOUR_MS
    for (const date of localDates(fromMs, fromMs + HOUR_MS + SLOW_HOLDS_MS - 1, timeZone)) dates.add(date)
  }
  return [...dates].sort()
}
