import { type NumberedField, numberedFieldById } from '#domain/catalogue/fieldId.ts'
import type { DeviceId, FieldId } from '#domain/ids.ts'
import { HOUR_MS, MINUTE_MS } from '#domain/units/time.ts'
import { prepared } from '#server/db/prepared.ts'
import type { Queryable } from '#server/db/transaction.ts'
import { type ComponentSpan, readStaleSpans } from '#server/telemetry/rollup/staleHours.ts'
import { DAY_HOURS } from '#server/telemetry/seriesBytes/hourTexts.ts'
import { SeriesTable, type SeriesVisitor } from '#server/telemetry/seriesBytes/SeriesTable.ts'
import { layFreshBuckets } from './freshBuckets.ts'

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

/** So many days of fields are read at once: long enough to be worth a statement, short enough to work while others come. */
const SLICE_FIELD_DAYS = 1000
const LEAST_SLICE_DAYS = 7
const SLICES_AHEAD = 2

export interface Series {
  /** By time, then device. */
  readonly each: (visit: SeriesVisitor) => void
}

export interface SeriesParts {
  readonly parts: AsyncIterable<Series>
  /** Everything comes at once. */
  readonly isOne: boolean
}

/**
 * Means over UTC buckets, ordered by time and device. A bucket of a device without any value is not visited, a field
 * without a value is a gap. Hours come from the roll-ups, and from raw rows where those do not hold every stored reading
 * yet; finer steps from raw rows. A long period comes in several series, one after the other in time, and the database
 * goes on with the next while one is worked with.
 */
export async function readSeries(queryable: Queryable, question: SeriesQuestion): Promise<SeriesParts> {
  const { deviceIds, stepMinutes } = question
  const stepMs = stepMinutes * MINUTE_MS
  const fromMs = Math.floor(question.from.getTime() / stepMs) * stepMs
  const toMs = Math.max(fromMs, Math.ceil(question.to.getTime() / stepMs) * stepMs)
  const isRolledUp = stepMs >= HOUR_MS && fromMs < toMs
  const stale = isRolledUp ? await readStaleSpans(queryable, deviceIds, new Date(fromMs), new Date(toMs)) : undefined
  const slices = isRolledUp ? slicesOf(question, fromMs, toMs) : [{ fromMs, toMs }]
  const parts = inOrder(slices, (slice) => readSlice(queryable, question, slice, stale))
  return { parts, isOne: slices.length === 1 }
}

interface Slice {
  readonly fromMs: number
  /** Excluded. */
  readonly toMs: number
}

/** Whole days but for the ends. The newest so many buckets can only be told of the whole. */
function slicesOf({ deviceIds, fieldIds, newestBuckets }: SeriesQuestion, fromMs: number, toMs: number): Slice[] {
  const days = Math.max(LEAST_SLICE_DAYS, Math.floor(SLICE_FIELD_DAYS / (deviceIds.length * fieldIds.length)))
  if (newestBuckets !== undefined) return [{ fromMs, toMs }]
  const slices: Slice[] = []
  const lengthMs = days * DAY_HOURS * HOUR_MS
  for (let beginMs = fromMs; beginMs < toMs; ) {
    const endMs = Math.min(toMs, (Math.floor(beginMs / lengthMs) + 1) * lengthMs)
    slices.push({ fromMs: beginMs, toMs: endMs })
    beginMs = endMs
  }
  return slices
}

/** Begins some of the work ahead of whoever takes the results, one after the other. */
async function* inOrder<Part, Result>(
  parts: readonly Part[],
  work: (part: Part) => Promise<Result>,
): AsyncGenerator<Result> {
  const begun: Promise<Result>[] = []
  for (let index = 0; index < parts.length; index++) {
    while (begun.length <= SLICES_AHEAD && index + begun.length < parts.length) {
      const result = work(parts[index + begun.length] as Part)
      // Nobody may be left to take it.
      result.catch(() => undefined)
      begun.push(result)
    }
    yield await (begun.shift() as Promise<Result>)
  }
}

async function readSlice(
  queryable: Queryable,
  question: SeriesQuestion,
  { fromMs, toMs }: Slice,
  stale: readonly ComponentSpan[] | undefined,
): Promise<Series> {
  const { deviceIds, stepMinutes, withRange, newestBuckets } = question
  const fields = question.fieldIds.map(measuredField)
  const table = new SeriesTable({ deviceIds, fields, fromMs, toMs, stepMs: stepMinutes * MINUTE_MS, withRange })
  if (fromMs < toMs) {
    if (stale !== undefined) await layRollups(queryable, table, question, fromMs, toMs)
    const spans = stale === undefined ? wholePeriod(deviceIds, fields, fromMs, toMs) : within(stale, fromMs, toMs)
    await layFreshBuckets(queryable, table, spans, stepMinutes)
  }
  return { each: (visit) => table.each(newestBuckets, visit) }
}

const within = (spans: readonly ComponentSpan[], fromMs: number, toMs: number): ComponentSpan[] =>
  spans
    .filter((span) => span.fromMs < toMs && span.toMs > fromMs)
    .map((span) => ({ ...span, fromMs: Math.max(span.fromMs, fromMs), toMs: Math.min(span.toMs, toMs) }))

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

async function layRollups(
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
