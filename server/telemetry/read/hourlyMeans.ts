import { numberedFieldById } from '#domain/catalogue/fieldId.ts'
import type { DeviceId, FieldId } from '#domain/ids.ts'
import { HOUR_MS } from '#domain/units/time.ts'
import { short } from '#server/db/prepared.ts'
import type { Queryable } from '#server/db/transaction.ts'
import { MEAN, MEASURED_LAYOUTS } from '#server/telemetry/door/measuredLayouts.ts'
import { STALE_HOURS_SQL } from '#server/telemetry/rollup/staleHours.ts'
import { DAY_HOURS, numbersFromText } from '#server/telemetry/seriesBytes/hourTexts.ts'

/** 24 means, oldest first; null where nothing was reported in that hour. */
export type HourlyMeans = readonly (number | null)[]

/** A day of one field, or one hour of all fields of a component. */
interface MeansRow {
  readonly field_id: FieldId | null
  readonly event_type_id: number
  readonly number: number
  /** Hours since 1970. */
  readonly hour: number
  readonly means: string
}

const HOUR_NUMBER = (moment: string) => `(extract(epoch from ${moment}) / 3600)::integer`

/** Rolled-up days first, then what is laid over them, of one snapshot. */
const MEANS_SQL = `
  with stale as materialized (${STALE_HOURS_SQL})
  select field_id, 0 as event_type_id, 0 as number, (day - date '1970-01-01') * ${DAY_HOURS} as hour,
    array_to_string(means, ',', '') as means
  from rollup
  where device_id = any ($1::integer[]) and day >= ($2::timestamptz at time zone 'UTC')::date
    and day <= ($3::timestamptz at time zone 'UTC')::date
  ${MEASURED_LAYOUTS.map(
    ({ layout, measured }) => `union all
  select null, stale.event_type_id, stale.number, ${HOUR_NUMBER('stale.hour')}, fresh.means
  from stale cross join lateral (
    select array_to_string(array[${measured.map(({ column }) => MEAN(column)).join(', ')}], ',', '') as means
    from ${layout.table} reading
    where reading.device_id = stale.device_id and reading.number = stale.number
      and device_dt >= stale.hour and device_dt < stale.hour + interval '1 hour' and device_dt >= $2 and device_dt < $3
      and claimed_at is null
  ) as fresh where stale.event_type_id = ${layout.type.id}`,
  ).join('\n  ')}`

/**
 * Means of the last 24 UTC hours, the running one included, of every measurement that the device reported in them: one
 * round trip. A measurement without any reading is left out; readings whose clock was not believed do not count.
 */
export async function readHourlyMeans(
  queryable: Queryable,
  deviceId: DeviceId,
  now: Date,
): Promise<ReadonlyMap<FieldId, HourlyMeans>> {
  const end = Math.floor(now.getTime() / HOUR_MS) + 1
  const begin = end - DAY_HOURS
  const { rows } = await queryable.query<MeansRow>(
    short(MEANS_SQL, [[deviceId], new Date(begin * HOUR_MS), new Date(end * HOUR_MS)]),
  )
  const series = new Map<FieldId, (number | null)[]>()
  const lay = (fieldId: FieldId, hour: number, mean: number) => {
    if (Number.isNaN(mean) || hour < begin || hour >= end) return
    const means = series.get(fieldId) ?? new Array<number | null>(DAY_HOURS).fill(null)
    series.set(fieldId, means)
    means[hour - begin] = mean
  }
  for (const { field_id, hour, means } of rows) {
    if (field_id === null || !numberedFieldById(field_id)) continue
    numbersFromText(means, DAY_HOURS).forEach((mean, index) => {
      lay(field_id, hour + index, mean)
    })
  }
  for (const { field_id, event_type_id, number, hour, means } of rows) {
    if (field_id !== null) continue
    const measured = MEASURED_LAYOUTS.find(({ layout }) => layout.type.id === event_type_id)?.measured ?? []
    numbersFromText(means, measured.length).forEach((mean, index) => {
      lay((event_type_id * 1000 + number * 100 + (measured[index]?.ordinal ?? 0)) as FieldId, hour, mean)
    })
  }
  return series
}
