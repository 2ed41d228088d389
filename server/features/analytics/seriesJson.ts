import type { DeviceId, FieldId } from '#domain/ids.ts'
import { shortestReal } from '#domain/units/numbers.ts'

/** What a bucket of one device holds; by index of the asked fields, null is a gap. */
export interface SeriesRow {
  readonly atMs: number
  readonly deviceId: DeviceId
  readonly means: readonly (number | null)[]
  /** Only when a range was asked for. */
  readonly minima: readonly (number | null)[] | undefined
  readonly maxima: readonly (number | null)[] | undefined
}

/**
 * The rows of the contract as JSON text, written straight from the columns: objects for a year of hours would take
 * longer than the database.
 *
 * @param rows by time
 * @param isGrouped one row for each bucket, the mean over the devices that reported in it
 */
export function seriesJson(rows: readonly SeriesRow[], fieldIds: readonly FieldId[], isGrouped: boolean): string {
  const keys = fieldIds.map((id) => ({ mean: `,"m_${id}":`, low: `,"m_${id}_min":`, high: `,"m_${id}_max":` }))
  let text = '['
  let begin = ''
  let lastAtMs = Number.NaN
  for (const { atMs, deviceId, means, minima, maxima } of isGrouped ? grouped(rows) : rows) {
    if (atMs !== lastAtMs) begin = `{"time":"${new Date(atMs).toISOString()}"`
    lastAtMs = atMs
    text += text.length > 1 ? `,${begin}` : begin
    if (!isGrouped) text += `,"deviceId":${deviceId}`
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index]
      if (key === undefined) continue
      text += key.mean + means[index]
      if (minima !== undefined && maxima !== undefined) {
        text += key.low + minima[index] + key.high + maxima[index]
      }
    }
    text += '}'
  }
  return `${text}]`
}

/** Every device counts the same, however often it reported. */
function* grouped(rows: readonly SeriesRow[]): Generator<SeriesRow> {
  let begin = 0
  while (begin < rows.length) {
    const first = rows[begin] as SeriesRow
    let end = begin + 1
    while (rows[end]?.atMs === first.atMs) end++
    const bucket = rows.slice(begin, end)
    yield {
      ...first,
      means: first.means.map((_, field) => over(bucket, ({ means }) => means[field], meanOf)),
      minima: first.minima?.map((_, field) => over(bucket, ({ minima }) => minima?.[field], least)),
      maxima: first.maxima?.map((_, field) => over(bucket, ({ maxima }) => maxima?.[field], greatest)),
    }
    begin = end
  }
}

function over(
  bucket: readonly SeriesRow[],
  pick: (row: SeriesRow) => number | null | undefined,
  combine: (values: readonly number[]) => number,
): number | null {
  const values = bucket.flatMap((row) => pick(row) ?? [])
  return values.length === 0 ? null : combine(values)
}

const meanOf = (values: readonly number[]) => shortestReal(values.reduce((sum, value) => sum + value) / values.length)
const least = (values: readonly number[]) => Math.min(...values)
const greatest = (values: readonly number[]) => Math.max(...values)
