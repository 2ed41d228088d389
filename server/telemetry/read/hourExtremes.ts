import type { HourExtremes } from '#domain/darkness/minutes/lightHours.ts'
import type { DeviceId, FieldId } from '#domain/ids.ts'
import { HOUR_MS } from '#domain/units/time.ts'
import type { Queryable } from '#server/db/transaction.ts'
import type { Hours } from './hourlyMeans.ts'
import { DAY_HOURS, numbersFromText } from './hourNumbers.ts'

const EXTREMES_SQL = `
  select field_id, (day - date '1970-01-01') * ${DAY_HOURS} as hour,
    array_to_string(minima, ',', '') as minima, array_to_string(maxima, ',', '') as maxima
  from rollup
  where device_id = $1 and field_id = any ($2::integer[]) and day >= ($3::timestamptz at time zone 'UTC')::date
    and day <= ($4::timestamptz at time zone 'UTC')::date`

/** Reads the extremes of each rolled-up hour, so the last minutes are missing. An empty field is left out. */
export async function readHourExtremes(
  queryable: Queryable,
  deviceId: DeviceId,
  fieldIds: readonly FieldId[],
  { begin, end }: Hours,
): Promise<ReadonlyMap<FieldId, HourExtremes>> {
  const { rows } = await queryable.query<{ field_id: FieldId; hour: number; minima: string; maxima: string }>(
    EXTREMES_SQL,
    [deviceId, fieldIds, new Date(begin * HOUR_MS), new Date((end - 1) * HOUR_MS)],
  )
  const found = new Map<FieldId, { lowest: Float64Array; highest: Float64Array }>()
  for (const { field_id, hour, minima, maxima } of rows) {
    const extremes = found.get(field_id) ?? { lowest: gaps(end - begin), highest: gaps(end - begin) }
    found.set(field_id, extremes)
    lay(extremes.lowest, hour - begin, minima)
    lay(extremes.highest, hour - begin, maxima)
  }
  return found
}

const gaps = (count: number) => new Float64Array(count).fill(Number.NaN)

/** Clips a day to the requested hours, because it may begin before them or end after them. */
function lay(series: Float64Array, from: number, text: string): void {
  numbersFromText(text).forEach((value, index) => {
    if (from + index >= 0 && from + index < series.length) series[from + index] = value
  })
}

const COMPLETE_SQL = `
  select (extract(epoch from complete_from::timestamp at time zone 'UTC') * 1000)::float8 as "fromMs" from rollup_state`

/** Reads since when readings themselves are kept. Older data exist only as hours. */
export async function readingsKeptSince(queryable: Queryable): Promise<number> {
  const { rows } = await queryable.query<{ fromMs: number }>(COMPLETE_SQL)
  return rows[0]?.fromMs ?? Number.NEGATIVE_INFINITY
}
