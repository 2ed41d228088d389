import { numberedFieldById } from '#domain/catalogue/fieldId.ts'
import type { DeviceId, FieldId } from '#domain/ids.ts'
import { HOUR_MS } from '#domain/units/time.ts'
import { isBelieved } from '#server/db/partitions/readingTables.ts'
import { isOfOne, type OfRows } from '#server/db/queries/isOfOne.ts'
import type { Queryable } from '#server/db/transaction.ts'
import { MEAN, MEASURED_LAYOUTS } from '#server/telemetry/ingress/measuredLayouts.ts'
import { STALE_HOURS_SQL, spansOf } from '#server/telemetry/rollup/staleHours.ts'
import { findSettled, openFromSql } from '../settled/settledDays.ts'
import { bucketsOf } from '../settled/settledValues.ts'
import { DAY_HOURS, numbersFromText } from './hourNumbers.ts'

/** One mean for each requested hour, oldest first; null where nothing was reported. */
export type HourlyMeans = readonly (number | null)[]

/** Whole UTC hours since 1970, without `end`. */
export interface Hours {
  readonly begin: number
  readonly end: number
}

interface MeansRow {
  readonly device_id: DeviceId
  readonly field_id: FieldId | null
  readonly event_type_id: number
  readonly number: number
  /** The number of hours since 1970. */
  readonly hour: number
  readonly means: string
  /** The hour is worked out anew, and its readings are no rows. */
  readonly is_settled: boolean
}

/** A field id is made of its parts by these factors (domain/catalogue/fieldId.ts). */
const TYPE_STRIDE = 1000
const NUMBER_STRIDE = 100

const HOUR_NUMBER = (moment: string) => `(extract(epoch from ${moment}) / 3600)::integer`

/** Reads rolled-up days first, then the fresh hours that are laid over them. One statement reads one snapshot. */
const meansSql = (isWanted: OfRows) => `
  with stale as materialized (
    select *, hour < ${openFromSql} as is_settled from (${STALE_HOURS_SQL}) as hours
    where $4::integer[] is null or event_type_id * ${TYPE_STRIDE} + number * ${NUMBER_STRIDE} = any ($5::integer[]))
  select device_id, field_id, 0 as event_type_id, 0 as number, (day - date '1970-01-01') * ${DAY_HOURS} as hour,
    array_to_string(means, ',', '') as means, false as is_settled
  from rollup
  where device_id = any ($1::integer[]) and day >= ($2::timestamptz at time zone 'UTC')::date
    and day <= ($3::timestamptz at time zone 'UTC')::date and ($4::integer[] is null or field_id = any ($4))
  union all
  select device_id, null, event_type_id, number, ${HOUR_NUMBER('hour')}, '', true from stale where is_settled
  ${MEASURED_LAYOUTS.map(
    ({ layout, measured }) => `union all
  select stale.device_id, null, stale.event_type_id, stale.number, ${HOUR_NUMBER('stale.hour')}, fresh.means, false
  from stale cross join lateral (
    select array_to_string(array[${measured.map(({ column }) => MEAN(column)).join(', ')}], ',', '') as means
    from ${layout.table} reading
    where reading.device_id = stale.device_id and reading.number = stale.number
      and device_dt >= stale.hour and device_dt < stale.hour + interval '1 hour' and device_dt >= $2 and device_dt < $3
      and ${isBelieved()} and ${isWanted('reading')}
    group by reading.device_id
  ) as fresh where stale.event_type_id = ${layout.type.id} and not stale.is_settled`,
  ).join('\n  ')}`

const NOTHING: ReadonlyMap<FieldId, HourlyMeans> = new Map()

/** Reads the means of the last 24 UTC hours without readings whose clock was not believed. */
export async function readHourlyMeans(
  queryable: Queryable,
  deviceId: DeviceId,
  now: Date,
): Promise<ReadonlyMap<FieldId, HourlyMeans>> {
  return (await readMeans(queryable, [deviceId], null, lastDay(now))).get(deviceId) ?? NOTHING
}

export async function readMeansOfHours(
  queryable: Queryable,
  deviceId: DeviceId,
  hours: Hours,
): Promise<ReadonlyMap<FieldId, HourlyMeans>> {
  return (await readMeans(queryable, [deviceId], null, hours)).get(deviceId) ?? NOTHING
}

/** Reads the same for some fields of many devices, also in one round trip. */
export async function readHourlyMeansOfMany(
  queryable: Queryable,
  deviceIds: readonly DeviceId[],
  fieldIds: readonly FieldId[],
  now: Date,
): Promise<ReadonlyMap<DeviceId, ReadonlyMap<FieldId, HourlyMeans>>> {
  return readMeans(queryable, deviceIds, fieldIds, lastDay(now))
}

function lastDay(now: Date): Hours {
  const end = Math.floor(now.getTime() / HOUR_MS) + 1
  return { begin: end - DAY_HOURS, end }
}

/** @param fieldIds null for all fields */
async function readMeans(
  queryable: Queryable,
  deviceIds: readonly DeviceId[],
  fieldIds: readonly FieldId[] | null,
  { begin, end }: Hours,
): Promise<ReadonlyMap<DeviceId, ReadonlyMap<FieldId, HourlyMeans>>> {
  const components = fieldIds?.map((fieldId) => Math.floor(fieldId / NUMBER_STRIDE) * NUMBER_STRIDE) ?? []
  const { rows } = await queryable.query<MeansRow>(meansSql(isOfOne(deviceIds)), [
    deviceIds,
    new Date(begin * HOUR_MS),
    new Date(end * HOUR_MS),
    fieldIds,
    [...new Set(components)],
  ])
  const devices = new Map<DeviceId, Map<FieldId, (number | null)[]>>()
  const lay = (deviceId: DeviceId, fieldId: FieldId, hour: number, mean: number) => {
    if (Number.isNaN(mean) || hour < begin || hour >= end) return
    const series = devices.get(deviceId) ?? new Map<FieldId, (number | null)[]>()
    devices.set(deviceId, series)
    const means = series.get(fieldId) ?? new Array<number | null>(end - begin).fill(null)
    series.set(fieldId, means)
    means[hour - begin] = mean
  }
  for (const { device_id, field_id, hour, means } of rows) {
    if (field_id === null || !numberedFieldById(field_id)) continue
    numbersFromText(means).forEach((mean, index) => {
      lay(device_id, field_id, hour + index, mean)
    })
  }
  for (const { device_id, field_id, event_type_id, number, hour, means } of rows) {
    if (field_id !== null) continue
    numbersFromText(means).forEach((mean, index) => {
      lay(device_id, fieldIdOf(event_type_id, number, measuredOf(event_type_id)[index]?.ordinal ?? 0), hour, mean)
    })
  }
  const settledHours = rows.filter(({ is_settled }) => is_settled)
  if (settledHours.length > 0) await laySettled(queryable, settledHours, lay)
  return devices
}

const fieldIdOf = (typeId: number, number: number, ordinal: number) =>
  (typeId * TYPE_STRIDE + number * NUMBER_STRIDE + ordinal) as FieldId

const measuredOf = (typeId: number) => MEASURED_LAYOUTS.find(({ layout }) => layout.type.id === typeId)?.measured ?? []

async function laySettled(
  queryable: Queryable,
  hours: readonly MeansRow[],
  lay: (deviceId: DeviceId, fieldId: FieldId, hour: number, mean: number) => void,
): Promise<void> {
  const spans = spansOf(
    hours.map(({ device_id, event_type_id, number, hour }) => ({
      ...{ deviceId: device_id, eventTypeId: event_type_id, number, fromMs: hour * HOUR_MS },
    })),
  )
  const settled = await findSettled(queryable, spans)
  for await (const day of settled.days({ withClaims: true })) {
    const { deviceId, eventTypeId, number } = day.span
    for (const { ordinal, name } of measuredOf(eventTypeId)) {
      for (const { atMs, mean } of bucketsOf(day, name, HOUR_MS))
        lay(deviceId, fieldIdOf(eventTypeId, number, ordinal), atMs / HOUR_MS, mean)
    }
  }
}
