import type { NumberedField } from '#domain/catalogue/fieldId.ts'
import type { DeviceId } from '#domain/ids.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import { isBelieved } from '#server/db/partitions/readingTables.ts'
import { isOfOne, type OfRows } from '#server/db/queries/isOfOne.ts'
import type { Queryable } from '#server/db/transaction.ts'
import {
  GREATEST,
  LEAST,
  MEAN,
  MEASURED_LAYOUTS,
  type MeasuredLayout,
} from '#server/telemetry/ingress/measuredLayouts.ts'
import { type ComponentSpan, findSettled, openSpans, type Settled } from '../settled/settledDays.ts'
import { bucketsOf, numberText } from '../settled/settledValues.ts'
import type { SeriesTable } from './SeriesTable.ts'

const KEY_COLUMNS = 3

/** Numbers stay text, exactly as the database wrote them. */
const AS_TEXT = { getTypeParser: () => (text: string) => text }

/** Works out buckets from readings and lays them over what the table holds. */
export async function layFreshBuckets(
  queryable: Queryable,
  table: SeriesTable,
  spans: readonly ComponentSpan[],
  stepMinutes: number,
): Promise<void> {
  const asked = spans.filter((span) => table.fields.some((field) => isFieldOf(span, field)))
  if (asked.length === 0) return
  const settled = await findSettled(queryable, asked)
  await layOpenBuckets(queryable, table, openSpans(asked, settled.openFromMs), stepMinutes)
  await laySettledBuckets(table, settled, stepMinutes)
}

const isFieldOf = ({ eventTypeId, number }: ComponentSpan, field: NumberedField) =>
  field.type.id === eventTypeId && field.number === number

async function laySettledBuckets(table: SeriesTable, settled: Settled, stepMinutes: number): Promise<void> {
  if (settled.isEmpty) return
  const fields = [...new Set(table.fields.map(({ field }) => field.name))]
  for await (const day of settled.days({ fields, withClaims: true })) {
    for (const [index, field] of table.fields.entries()) {
      if (!isFieldOf(day.span, field)) continue
      for (const { atMs, mean, least, greatest } of bucketsOf(day, field.field.name, stepMinutes * MINUTE_MS)) {
        const statistics = table.withRange ? [mean, least, greatest] : [mean]
        table.put(day.span.deviceId, index, atMs, statistics.map(numberText))
      }
    }
  }
}

async function layOpenBuckets(
  queryable: Queryable,
  table: SeriesTable,
  spans: readonly ComponentSpan[],
  stepMinutes: number,
): Promise<void> {
  for (const measured of MEASURED_LAYOUTS) {
    const typeId = measured.layout.type.id
    const fields = table.fields.filter(({ type }) => type.id === typeId)
    const own = spans.filter(({ eventTypeId }) => eventTypeId === typeId)
    if (own.length === 0) continue
    const asked = [...new Set(fields.map(({ field }) => field))]
    const columns = asked.map(({ ordinal }) => columnOf(measured, ordinal))
    const { rows } = await queryable.query<(string | null)[]>({
      rowMode: 'array',
      types: AS_TEXT,
      text: bucketsSql(measured, columns, table.withRange, isOfOne(own.map(({ deviceId }) => deviceId))),
      values: [
        own.map(({ deviceId }) => deviceId),
        own.map(({ number }) => number),
        own.map(({ fromMs }) => new Date(fromMs)),
        own.map(({ toMs }) => new Date(toMs)),
        new Date(Math.min(...own.map(({ fromMs }) => fromMs))),
        new Date(Math.max(...own.map(({ toMs }) => toMs))),
        stepMinutes,
      ],
    })
    const statistics = table.withRange ? 3 : 1
    const positions = positionsByNumber(table, fields, asked)
    for (const row of rows) {
      const [deviceId, number, atMs] = row.slice(0, KEY_COLUMNS).map(Number) as [DeviceId, number, number]
      positions.get(number)?.forEach(([askedIndex, fieldIndex]) => {
        const at = KEY_COLUMNS + askedIndex * statistics
        table.put(
          deviceId,
          fieldIndex,
          atMs,
          row.slice(at, at + statistics).map((text) => text ?? ''),
        )
      })
    }
  }
}

function columnOf({ measured }: MeasuredLayout, ordinal: number): string {
  const found = measured.find((candidate) => candidate.ordinal === ordinal)
  if (found === undefined) throw new Error('A field that is not measured has no series.')
  return found.column
}

function bucketsSql(
  { layout }: MeasuredLayout,
  columns: readonly string[],
  withRange: boolean,
  isWanted: OfRows,
): string {
  const aggregates = columns.flatMap((column) =>
    withRange ? [MEAN(column), LEAST(column), GREATEST(column)] : [MEAN(column)],
  )
  const names = aggregates.map((_, index) => `v${index}`)
  const named = aggregates.map((aggregate, index) => `${aggregate} as ${names[index]}`)
  return `
    select span.device_id, span.number, (extract(epoch from bucket) * 1000)::float8, ${names.join(', ')}
    from unnest($1::integer[], $2::smallint[], $3::timestamptz[], $4::timestamptz[])
        as span (device_id, number, since, until)
    cross join lateral (
      select reading.device_id as its, date_bin(make_interval(mins => $7), device_dt, timestamptz 'epoch') as bucket, ${named.join(', ')}
      from ${layout.table} reading
      where reading.device_id = span.device_id and reading.number = span.number
        and device_dt >= span.since and device_dt < span.until and device_dt >= $5 and device_dt < $6
        and ${isBelieved()} and ${isWanted('reading')}
      group by 1, 2
    ) as buckets`
}

/** Maps a component number to pairs of requested column and field of the answer. */
function positionsByNumber(
  table: SeriesTable,
  fields: readonly NumberedField[],
  asked: readonly NumberedField['field'][],
): ReadonlyMap<number, readonly (readonly [number, number])[]> {
  const positions = new Map<number, (readonly [number, number])[]>()
  for (const numbered of fields) {
    const list = positions.get(numbered.number) ?? []
    positions.set(numbered.number, list)
    list.push([asked.indexOf(numbered.field), table.fields.indexOf(numbered)])
  }
  return positions
}
