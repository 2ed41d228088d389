import { numberedFieldById } from '#domain/catalogue/fieldId.ts'
import type { DeviceId, FieldId } from '#domain/ids.ts'
import { isBelieved } from '#server/db/partitions/readingTables.ts'
import type { Queryable } from '#server/db/transaction.ts'
import { layoutByTypeId } from '#server/telemetry/ingress/eventLayout.ts'
import { type ComponentSpan, findSettled, instantText, isBelievedAt, type SettledDay } from '../settled/settledDays.ts'
import { type SettledValue, valueAt } from '../settled/settledValues.ts'

export interface FieldReadingsQuestion {
  readonly deviceId: DeviceId
  /** A measured field. */
  readonly fieldId: FieldId
  readonly from: Date
  /** The end is excluded. */
  readonly to: Date
}

/** Device times in milliseconds since 1970, oldest first, and the values at those times. */
export interface FieldReadings<Value = number> {
  readonly timesMs: readonly number[]
  readonly values: readonly Value[]
}

const NOTHING: FieldReadings = { timesMs: [], values: [] }

/**
 * Reads each reading of one field of a device. Readings whose clock was not believed do not count, as they do not in
 * alerts.
 *
 * @param atMost when there are more readings, only this many of the newest are returned
 */
export async function readFieldReadings(
  queryable: Queryable,
  { deviceId, fieldId, from, to }: FieldReadingsQuestion,
  atMost: number,
): Promise<FieldReadings> {
  const numbered = numberedFieldById(fieldId)
  if (numbered === undefined) return NOTHING
  const { type, number, field } = numbered
  const span = { deviceId, eventTypeId: type.id, number, fromMs: from.getTime(), toMs: to.getTime() }
  return (await readSpan(queryable, { span, name: field.name }, atMost)) as FieldReadings
}

export interface SpanQuestion {
  readonly span: ComponentSpan
  /** The name of the field. */
  readonly name: string
  /** Readings that arrived earlier are left out. */
  readonly arrivedFrom?: Date
}

/** Reads one field of a component over a stretch of time, the newest `atMost` of its readings. */
export async function readSpan(
  queryable: Queryable,
  question: SpanQuestion,
  atMost = Number.POSITIVE_INFINITY,
): Promise<FieldReadings<SettledValue>> {
  const { span, name, arrivedFrom } = question
  const layout = layoutByTypeId(span.eventTypeId)
  const column = layout?.columns[layout.indexByName.get(name) ?? -1]
  if (layout === undefined || column === undefined || span.fromMs >= span.toMs) return NOTHING
  const settled = await findSettled(queryable, [span])
  const newest: FieldReadings<SettledValue>[] = []
  let left = atMost
  const add = (readings: FieldReadings<SettledValue>) => {
    newest.push(readings)
    left -= readings.values.length
  }
  const openQuestion = { ...question, span: { ...span, fromMs: Math.max(span.fromMs, settled.openFromMs) } }
  if (span.toMs > settled.openFromMs)
    add(await readOpen(queryable, openQuestion, { table: layout.table, column }, left))
  const part = { fields: [name], withClaims: true, withArrivals: arrivedFrom !== undefined }
  const arrivedMicroseconds = arrivedFrom && arrivedFrom.getTime() * 1000
  if (left > 0) {
    for await (const day of settled.days(part, 'newestFirst')) {
      add(readingsOfDay(day, name, arrivedMicroseconds, left))
      if (left === 0) break
    }
  }
  return inOneList(newest)
}

async function readOpen(
  queryable: Queryable,
  { span, arrivedFrom }: SpanQuestion,
  { table, column }: { readonly table: string; readonly column: string },
  atMost: number,
): Promise<FieldReadings<SettledValue>> {
  const { rows } = await queryable.query<[atMs: number, value: SettledValue]>({
    text: `select date_part('epoch', device_dt) * 1000, ${column} from ${table}
       where device_id = $1 and number = $2 and device_dt >= $3 and device_dt < $4 and ${isBelieved()}
         and ${column} is not null ${arrivedFrom === undefined ? '' : 'and inserted >= $6'}
       order by device_dt desc limit $5`,
    values: [
      ...[span.deviceId, span.number, instantText(span.fromMs), instantText(span.toMs)],
      Number.isFinite(atMost) ? atMost : null,
      ...(arrivedFrom === undefined ? [] : [arrivedFrom]),
    ],
    rowMode: 'array',
  })
  return { timesMs: rows.map(([atMs]) => Math.floor(atMs)), values: rows.map(([, value]) => value) }
}

/** The readings of a day, the newest first. Half a million are read without a generator, which would double the time. */
function readingsOfDay(
  { columns, begin, end }: SettledDay,
  name: string,
  arrivedMicroseconds: number | undefined,
  atMost: number,
): FieldReadings<SettledValue> {
  const { at, inserted, claimedAt } = columns
  const cells = columns.fields.get(name)
  if (cells === undefined) return NOTHING
  const timesMs: number[] = []
  const values: SettledValue[] = []
  for (let row = end - 1; row >= begin && timesMs.length < atMost; row--) {
    const value = valueAt(cells, row)
    if (value === undefined || (claimedAt !== undefined && !isBelievedAt(columns, row))) continue
    if (arrivedMicroseconds !== undefined && (inserted[row] as number) < arrivedMicroseconds) continue
    timesMs.push(Math.floor((at[row] as number) / 1000))
    values.push(value)
  }
  return { timesMs, values }
}

/** One list that grows by half a million values takes longer than reading them, so days are joined at the end. */
function inOneList(newest: readonly FieldReadings<SettledValue>[]): FieldReadings<SettledValue> {
  const oldest = newest.toReversed()
  const noTimes: number[] = []
  const noValues: SettledValue[] = []
  return {
    timesMs: noTimes.concat(...oldest.map(({ timesMs }) => timesMs.toReversed())),
    values: noValues.concat(...oldest.map(({ values }) => values.toReversed())),
  }
}
