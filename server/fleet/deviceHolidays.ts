import type { CountryId, DeviceId } from '#domain/ids.ts'
import { isTimeZone } from '#domain/units/timeZones.ts'
import { addDays, type LocalDate, wallClock } from '#domain/units/wallClock.ts'
import type { Statements } from '#server/db/statements.ts'
import { defaultHolidays, type Holiday } from './holidayDefaults.ts'

/** A device knows the holidays this far ahead, so that it keeps them without a network. */
export const HOLIDAY_DAYS_AHEAD = 400

/**
 * Returns the holidays of a device, oldest first: those of its customer's country, from the day before its own today.
 * Without a country there are none (rules/devices 9).
 */
export async function holidaysOfDevice(
  statements: Statements,
  deviceId: DeviceId,
  daysAhead = HOLIDAY_DAYS_AHEAD,
  now = new Date(),
): Promise<readonly Holiday[]> {
  return (await holidaysOfDevices(statements, [deviceId], daysAhead, now)).get(deviceId) ?? []
}

/** Returns the holidays of many devices; those without a country are left out. */
export async function holidaysOfDevices(
  statements: Statements,
  deviceIds: readonly DeviceId[],
  daysAhead = HOLIDAY_DAYS_AHEAD,
  now = new Date(),
): Promise<ReadonlyMap<DeviceId, readonly Holiday[]>> {
  const { rows } = await statements.query<{ id: DeviceId; country_id: CountryId; iso_code: string; time_zone: string }>(
    `select d.id, n.id as country_id, n.iso_code, d.time_zone
     from device d join customer c on c.id = d.customer_id join country n on n.id = c.country_id
     where d.id = any($1::int[]) and d.deleted_at is null`,
    [deviceIds],
  )
  const read = new Map<string, readonly Holiday[]>()
  const ofDevices = new Map<DeviceId, readonly Holiday[]>()
  for (const { id, country_id, iso_code, time_zone } of rows) {
    // Our own table of zones decides, because the database may know fewer than operators can choose.
    const { date: today } = wallClock(now, isTimeZone(time_zone) ? time_zone : 'UTC')
    const placeAndDay = `${country_id} ${today}`
    let holidays = read.get(placeAndDay)
    if (holidays === undefined) {
      const [first, last] = [addDays(today, -1), addDays(today, daysAhead)]
      holidays = await holidaysBetween(statements, { id: country_id, isoCode: iso_code }, first, last)
      read.set(placeAndDay, holidays)
    }
    ofDevices.set(id, holidays)
  }
  return ofDevices
}

/** Returns the holidays of a country between two days, both included, oldest first. */
export async function holidaysBetween(
  statements: Statements,
  country: { readonly id: CountryId; readonly isoCode: string },
  first: LocalDate,
  last: LocalDate,
): Promise<readonly Holiday[]> {
  const years = yearsBetween(first, last)
  const edited = await editedHolidays(statements, country.id, years)
  const ofYears = await Promise.all(years.map((year) => edited.get(year) ?? defaultHolidays(country.isoCode, year)))
  return ofYears.flat().filter(({ date }) => date >= first && date <= last)
}

function yearsBetween(first: string, last: string): number[] {
  const [from, to] = [Number(first.slice(0, 4)), Number(last.slice(0, 4))]
  return Array.from({ length: to - from + 1 }, (_, index) => from + index)
}

/** Finds the edited holidays of these years: they take priority over the library, also when they are empty. */
async function editedHolidays(
  statements: Statements,
  countryId: CountryId,
  years: readonly number[],
): Promise<ReadonlyMap<number, readonly Holiday[]>> {
  const { rows } = await statements.query<{ year: number; holidays: Holiday[] }>(
    `select y.year, coalesce(
         (select json_agg(json_build_object('date', to_char(h.date, 'YYYY-MM-DD'), 'name', h.name) order by h.date)
          from holiday h where h.country_id = y.country_id and h.year = y.year), '[]') as holidays
     from holiday_year y where y.country_id = $1 and y.year = any($2::int[])`,
    [countryId, years],
  )
  return new Map(rows.map(({ year, holidays }) => [year, holidays]))
}
