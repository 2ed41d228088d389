import { type NumberedField, numberedFieldById } from '#domain/catalogue/fieldId.ts'
import type { DeviceId, FieldId } from '#domain/ids.ts'
import { HOUR_MS, MINUTE_MS } from '#domain/units/time.ts'
import type { Queryable } from '#server/db/transaction.ts'
import { STALE_HOURS_SQL, type StaleHour, spansOf } from '#server/telemetry/rollup/staleHours.ts'
import type { ComponentSpan } from '../settled/settledDays.ts'
import { layFreshBuckets } from './freshBuckets.ts'
import { DAY_HOURS } from './hourNumbers.ts'
import { SeriesTable } from './SeriesTable.ts'

export type SeriesStepMinutes = 5 | 10 | 15 | 30 | 60

export interface SeriesQuestion {
  readonly deviceIds: readonly DeviceId[]
  /** Measured fields of any event types and component numbers, none twice. */
  readonly fieldIds: readonly FieldId[]
  readonly from: Date
  /** The end is excluded, before the period is widened to whole buckets. */
  readonly to: Date
  readonly stepMinutes: SeriesStepMinutes
  readonly withRange: boolean
  /** Limits the answer to the newest so many buckets that hold anything. */
  readonly newestBuckets?: number | undefined
}

/** The slice is worth a statement, and still lets the caller work while others arrive. */
const SLICE_FIELD_DAYS = 1000
const LEAST_SLICE_DAYS = 7
/** Columns cost a third of the work of rows, so a slice may be larger. */
const COLUMN_FIELD_DAYS = 2200
const SLICES_AHEAD = 2

export interface SeriesParts {
  readonly parts: AsyncIterable<SeriesTable>
  readonly isOne: boolean
}

/**
 * Reads means over UTC buckets, ordered by time and device. A device without any value is left out of a bucket, and a
 * field without a value is a gap. Hours come from the roll-ups, or from raw rows where a roll-up lacks stored readings;
 * finer steps come from raw rows. A long period comes in several parts that follow each other in time, and the database
 * works on the next one while the caller handles one.
 */
export function readSeries(queryable: Queryable, question: SeriesQuestion): SeriesParts {
  return readSlices(queryable, question, slicesOfTime(question))
}

/** Reads the same in parts of some devices each, every part over the whole period. */
export function readSeriesByDevice(queryable: Queryable, question: SeriesQuestion): SeriesParts {
  return readSlices(queryable, question, slicesOfDevices(question))
}

function readSlices(queryable: Queryable, question: SeriesQuestion, slices: readonly Slice[]): SeriesParts {
  return { parts: inOrder(slices, (slice) => readSlice(queryable, question, slice)), isOne: slices.length <= 1 }
}

interface Slice {
  readonly deviceIds: readonly DeviceId[]
  readonly fromMs: number
  /** The end is excluded. */
  readonly toMs: number
}

function widened({ from, to, stepMinutes }: SeriesQuestion) {
  const stepMs = stepMinutes * MINUTE_MS
  const fromMs = Math.floor(from.getTime() / stepMs) * stepMs
  return { fromMs, toMs: Math.max(fromMs, Math.ceil(to.getTime() / stepMs) * stepMs) }
}

const isRolledUp = ({ stepMinutes }: SeriesQuestion) => stepMinutes * MINUTE_MS >= HOUR_MS

/** Cuts the period at whole days. The newest buckets can only be found in the whole period. */
function slicesOfTime(question: SeriesQuestion): Slice[] {
  const { deviceIds, fieldIds, newestBuckets } = question
  const { fromMs, toMs } = widened(question)
  if (!isRolledUp(question) || newestBuckets !== undefined) return [{ deviceIds, fromMs, toMs }]
  const days = Math.max(LEAST_SLICE_DAYS, Math.floor(SLICE_FIELD_DAYS / (deviceIds.length * fieldIds.length)))
  const slices: Slice[] = []
  const lengthMs = days * DAY_HOURS * HOUR_MS
  for (let beginMs = fromMs; beginMs < toMs; ) {
    const endMs = Math.min(toMs, (Math.floor(beginMs / lengthMs) + 1) * lengthMs)
    slices.push({ deviceIds, fromMs: beginMs, toMs: endMs })
    beginMs = endMs
  }
  return slices
}

function slicesOfDevices(question: SeriesQuestion): Slice[] {
  const { fromMs, toMs } = widened(question)
  const deviceIds = [...new Set(question.deviceIds)].sort((a, b) => a - b)
  const days = Math.max(1, (toMs - fromMs) / (DAY_HOURS * HOUR_MS))
  const atOnce = Math.max(1, Math.floor(COLUMN_FIELD_DAYS / (days * question.fieldIds.length)))
  const slices: Slice[] = []
  for (let index = 0; index < deviceIds.length; index += atOnce) {
    slices.push({ deviceIds: deviceIds.slice(index, index + atOnce), fromMs, toMs })
  }
  return slices
}

/** Starts some of the work ahead of the caller and yields the results in order. */
async function* inOrder<Part, Result>(
  parts: readonly Part[],
  work: (part: Part) => Promise<Result>,
): AsyncGenerator<Result> {
  const begun: Promise<Result>[] = []
  for (let index = 0; index < parts.length; index++) {
    while (begun.length <= SLICES_AHEAD && index + begun.length < parts.length) {
      const result = work(parts[index + begun.length] as Part)
      // A caller that stops early never awaits it, and its failure would end the process.
      result.catch(() => undefined)
      begun.push(result)
    }
    yield await (begun.shift() as Promise<Result>)
  }
}

async function readSlice(queryable: Queryable, question: SeriesQuestion, slice: Slice): Promise<SeriesTable> {
  const { stepMinutes, withRange, newestBuckets } = question
  const { deviceIds, fromMs, toMs } = slice
  const fields = question.fieldIds.map(measuredField)
  const stepMs = stepMinutes * MINUTE_MS
  const table = new SeriesTable({ deviceIds, fields, fromMs, toMs, stepMs, withRange, newestBuckets })
  if (fromMs < toMs) {
    const spans = isRolledUp(question)
      ? await layRollups(queryable, table, question, slice)
      : wholePeriod(deviceIds, fields, fromMs, toMs)
    await layFreshBuckets(queryable, table, spans, stepMinutes)
  }
  return table
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

/** A day of a field: its first hour since 1970, and the 24 numbers of each statistic with commas between. */
type RollupRow = [deviceId: DeviceId, fieldId: FieldId, firstHour: number, ...texts: string[]]
/** A stale hour. The negative event type distinguishes it from a field. */
type StaleRow = [deviceId: DeviceId, negativeEventTypeId: number, hour: number, number: string]

/** Reads stale hours and roll-ups from one snapshot, so that each hour is right in one of them. */
function rollupsSql(columns: readonly string[]): string {
  const texts = columns.map((column) => `array_to_string(${column}, ',', '')`)
  return `
    with stale as materialized (${STALE_HOURS_SQL})
    select device_id, field_id, (day - date '1970-01-01') * ${DAY_HOURS}, ${texts.join(', ')}
    from rollup
    where device_id = any ($1::integer[]) and field_id = any ($4::integer[])
      and day >= ($2::timestamptz at time zone 'UTC')::date and day <= ($3::timestamptz at time zone 'UTC')::date
    union all
    select device_id, -event_type_id, (extract(epoch from hour) / 3600)::integer,
      ${['number::text', ...columns.slice(1).map(() => 'null')].join(', ')}
    from stale`
}

const MEANS_SQL = rollupsSql(['means'])
const RANGES_SQL = rollupsSql(['means', 'minima', 'maxima'])

/** @returns the spans to work out from raw rows and lay over the roll-ups */
async function layRollups(
  queryable: Queryable,
  table: SeriesTable,
  { fieldIds, withRange }: SeriesQuestion,
  { deviceIds, fromMs, toMs }: Slice,
): Promise<ComponentSpan[]> {
  const sql = withRange ? RANGES_SQL : MEANS_SQL
  const { rows } = await queryable.query<RollupRow | StaleRow>({
    text: sql,
    values: [deviceIds, new Date(fromMs), new Date(toMs), fieldIds],
    rowMode: 'array',
  })
  const indexes = new Map<number, number>(fieldIds.map((fieldId, index) => [fieldId, index]))
  const stale: StaleHour[] = []
  for (const [deviceId, fieldId, hour, ...texts] of rows) {
    if (fieldId < 0) stale.push({ deviceId, eventTypeId: -fieldId, number: Number(texts[0]), fromMs: hour * HOUR_MS })
    else table.put(deviceId, indexes.get(fieldId) ?? 0, hour * HOUR_MS, texts)
  }
  return spansOf(stale)
}
