import { type NumberedField, numberedFieldById } from '#domain/catalogue/fieldId.ts'
import type { DeviceId, FieldId } from '#domain/ids.ts'
import { prepared } from '#server/db/prepared.ts'
import type { Queryable } from '#server/db/transaction.ts'
import { layFreshBuckets } from './freshBuckets.ts'
import { DAY_HOURS } from './hourTexts.ts'
import { HOUR_MS } from './marks.ts'
import { SeriesTable, type SeriesVisitor } from './SeriesTable.ts'
import { type ComponentSpan, readStaleSpans } from './staleHours.ts'

export type { SeriesVisitor } from './SeriesTable.ts'

export type SeriesStepMinutes = 5 | 10 | 15 | 30 | 60

export interface SeriesQuestion {
  readonly deviceIds: readonly DeviceId[]
  /** Measured fields of any event types and component numbers, none twice. */
  readonly fieldIds: readonly FieldId[]
  readonly from: Date
  /** Excluded, before the period is widened to whole buckets. */
  readonly to: Date
  readonly stepMinutes: SeriesStepMinutes
  readonly withRange: boolean
  /** Of all buckets that hold anything, the newest so many. */
  readonly newestBuckets?: number | undefined
}

const MINUTE_MS = 60_000
export interface Series {
  /** By time, then device. */
  readonly each: (visit: SeriesVisitor) => void
}

/**
 * Means over UTC buckets, ordered by time and device. A bucket of a device without any value is not visited, a field
 * without a value is a gap. Hours come from the roll-ups, and from raw rows where those do not hold every stored reading
 * yet; finer steps from raw rows.
 */
export async function readSeries(queryable: Queryable, question: SeriesQuestion): Promise<Series> {
  const { deviceIds, stepMinutes, withRange, newestBuckets } = question
  const stepMs = stepMinutes * MINUTE_MS
  const fromMs = Math.floor(question.from.getTime() / stepMs) * stepMs
  const toMs = Math.ceil(question.to.getTime() / stepMs) * stepMs
  const fields = question.fieldIds.map(measuredField)
  const table = new SeriesTable({ deviceIds, fields, fromMs, toMs, stepMs, withRange })
  const series: Series = { each: (visit) => table.each(newestBuckets, visit) }
  if (fromMs >= toMs) return series
  let spans: readonly ComponentSpan[]
  if (stepMs < HOUR_MS) spans = wholePeriod(deviceIds, fields, fromMs, toMs)
  else {
    spans = await readStaleSpans(queryable, deviceIds, new Date(fromMs), new Date(toMs))
    await layRollups(queryable, table, question, fromMs, toMs)
  }
  await layFreshBuckets(queryable, table, spans, stepMinutes)
  return series
}

function measuredField(fieldId: FieldId): NumberedField {
  const numbered = numberedFieldById(fieldId)
  if (!numbered?.field.isMeasurement) throw new Error(`Field ${fieldId} is not measured.`)
  return numbered
}

function wholePeriod(
  deviceIds: readonly DeviceId[],
  fields: readonly NumberedField[],
  fromMs: number,
  toMs: number,
): ComponentSpan[] {
  const components = new Map(fields.map(({ type, number }) => [`${type.id} ${number}`, { type, number }]))
  return deviceIds.flatMap((deviceId) =>
    [...components.values()].map(({ type, number }) => ({ deviceId, eventTypeId: type.id, number, fromMs, toMs })),
  )
}

interface RollupRow {
  readonly device_id: DeviceId
  readonly field_id: FieldId
  /** Hours since 1970 of its first. */
  readonly first_hour: number
  /** 24 hours with commas between, nothing for a gap. */
  readonly means: string
  readonly minima: string
  readonly maxima: string
}

/** From so many days of fields on, half of the devices are read beside the other half: the database writes the texts. */
const LONG_DAYS = 1000

async function layRollups(
  queryable: Queryable,
  table: SeriesTable,
  question: SeriesQuestion,
  fromMs: number,
  toMs: number,
): Promise<void> {
  const { deviceIds, fieldIds } = question
  const days = ((toMs - fromMs) / (DAY_HOURS * HOUR_MS)) * deviceIds.length * fieldIds.length
  const half = days < LONG_DAYS ? deviceIds.length : Math.ceil(deviceIds.length / 2)
  const halves = [deviceIds.slice(0, half), deviceIds.slice(half)].filter(({ length }) => length > 0)
  await Promise.all(halves.map((some) => layDevices(queryable, table, { ...question, deviceIds: some }, fromMs, toMs)))
}

async function layDevices(
  queryable: Queryable,
  table: SeriesTable,
  { deviceIds, fieldIds, withRange }: SeriesQuestion,
  fromMs: number,
  toMs: number,
): Promise<void> {
  const columns = withRange ? ['means', 'minima', 'maxima'] : ['means']
  const { rows } = await queryable.query<RollupRow>(
    prepared(
      `select device_id, field_id, (day - date '1970-01-01') * ${DAY_HOURS} as first_hour,
       ${columns.map((column) => `array_to_string(${column}, ',', '') as ${column}`).join(', ')}
     from rollup
     where device_id = any ($1::integer[]) and field_id = any ($2::integer[])
       and day >= ($3::timestamptz at time zone 'UTC')::date and day <= ($4::timestamptz at time zone 'UTC')::date`,
      [deviceIds, fieldIds, new Date(fromMs), new Date(toMs - 1)],
    ),
  )
  const indexes = new Map(fieldIds.map((fieldId, index) => [fieldId, index]))
  for (const { device_id, field_id, first_hour, means, minima, maxima } of rows) {
    table.put(
      device_id,
      indexes.get(field_id) ?? 0,
      first_hour * HOUR_MS,
      withRange ? [means, minima, maxima] : [means],
    )
  }
}
