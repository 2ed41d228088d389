import { fieldsOfComponent } from '#domain/catalogue/fieldId.ts'
import type { DeviceId, FieldId } from '#domain/ids.ts'
import { shortestReal } from '#domain/units/numbers.ts'
import type { Queryable } from '#server/db/transaction.ts'
import { EVENT_LAYOUTS, type EventLayout } from './eventLayout.ts'

const HOUR_MS = 3_600_000
const HOURS = 24

/** 24 means, oldest first; null where nothing was reported in that hour. */
export type HourlyMeans = readonly (number | null)[]

interface MeansRow {
  readonly event_type_id: number
  readonly number: number
  readonly hour: number
  readonly means: readonly (number | null)[]
}

const measurementsOf = ({ fields }: EventLayout) =>
  fields.map((field, index) => ({ field, index })).filter(({ field }) => field.isMeasurement)

const MEASURED_LAYOUTS = EVENT_LAYOUTS.filter((layout) => measurementsOf(layout).length > 0)

const MEANS_SQL = MEASURED_LAYOUTS.map((layout) => {
  const means = measurementsOf(layout).map(({ index }) => `avg(${layout.columns[index]})`)
  return `select ${layout.type.id} as event_type_id, number,
      (floor(extract(epoch from device_dt - $2::timestamptz) / 3600))::int as hour,
      jsonb_build_array(${means.join(', ')}) as means
    from ${layout.table}
    where device_id = $1 and device_dt >= $2 and device_dt < $3 and claimed_at is null
    group by number, hour`
}).join('\nunion all\n')

/**
 * Means of the last 24 UTC hours, the running one included, of every measurement that the device reported in them: one
 * round trip. A measurement without any reading is left out; readings whose clock was not believed do not count.
 */
export async function readHourlyMeans(
  queryable: Queryable,
  deviceId: DeviceId,
  now: Date,
): Promise<ReadonlyMap<FieldId, HourlyMeans>> {
  const endMs = (Math.floor(now.getTime() / HOUR_MS) + 1) * HOUR_MS
  const beginMs = endMs - HOURS * HOUR_MS
  const { rows } = await queryable.query<MeansRow>(MEANS_SQL, [deviceId, new Date(beginMs), new Date(endMs)])
  const series = new Map<FieldId, (number | null)[]>()
  for (const row of rows) {
    const names = MEASURED_LAYOUTS.find(({ type }) => type.id === row.event_type_id)
    const measured = names === undefined ? [] : measurementsOf(names)
    const numbered = fieldsOfComponent(row.event_type_id, row.number)
    measured.forEach(({ field }, position) => {
      const mean = row.means[position] ?? null
      const fieldId = numbered.find((candidate) => candidate.field === field)?.id
      if (mean === null || fieldId === undefined) return
      const means = series.get(fieldId) ?? new Array<number | null>(HOURS).fill(null)
      series.set(fieldId, means)
      means[row.hour] = shortestReal(mean)
    })
  }
  return series
}
