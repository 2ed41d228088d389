import type { FieldId } from '#domain/ids.ts'
import { JsonBytes } from './JsonBytes.ts'
import type { BucketCells, DeviceVisitor } from './SeriesTable.ts'

/** Visits devices with their columns. A long question has several, of some devices each. */
export interface SeriesByDevice {
  readonly eachDevice: (visit: DeviceVisitor) => void
}

export interface ColumnsQuestion {
  readonly fieldIds: readonly FieldId[]
  readonly withRange: boolean
  readonly stepMinutes: number
}

const COMMA = 44
const NULL = Buffer.from('null')

/** The columns of the contract as JSON, written byte by byte as `seriesJson` writes rows. */
export async function* columnsJson(
  parts: AsyncIterable<SeriesByDevice>,
  { fieldIds, withRange, stepMinutes }: ColumnsQuestion,
): AsyncGenerator<Uint8Array, void> {
  const names = withRange ? ['means', 'minima', 'maxima'] : ['means']
  const json = new JsonBytes()
  const text = (written: string) => {
    json.room(written.length).set(Buffer.from(written, 'latin1'), json.length)
    json.length += written.length
  }
  let isFirst = true
  const write: DeviceVisitor = (deviceId, atMs, columns, buckets) => {
    text(`${isFirst ? '' : ','}{"deviceId":${deviceId},"from":"${new Date(atMs).toISOString()}","columns":[`)
    isFirst = false
    fieldIds.forEach((id, field) => {
      text(`${field === 0 ? '' : ','}{"id":${id}`)
      names.forEach((name, statistic) => {
        text(`,"${name}":[`)
        writeNumbers(json, columns[field * names.length + statistic], buckets)
        text(']')
      })
      text('}')
    })
    text(']}')
  }
  text(`{"stepMinutes":${stepMinutes},"devices":[`)
  for await (const part of parts) {
    part.eachDevice(write)
    if (json.length > 0) yield json.take()
  }
  text(']}')
  yield json.take()
}

/** With commas between; all of them gaps where there is no column. */
function writeNumbers(json: JsonBytes, column: BucketCells | undefined, buckets: number): void {
  let size = 0
  for (let index = 0; index < buckets; index++) size += 1 + (lengthOf(column, index) || NULL.length)
  const out = json.room(size)
  let at = json.length
  for (let index = 0; index < buckets; index++) {
    if (index > 0) out[at++] = COMMA
    const isGap = lengthOf(column, index) === 0
    const source = isGap ? NULL : (column?.bytes ?? NULL)
    const end = isGap ? NULL.length : (column?.ends[index] ?? 0)
    // For a few bytes a loop is faster than `set`.
    for (let from = isGap ? 0 : (column?.begins[index] ?? 0); from < end; from++) out[at++] = source[from] as number
  }
  json.length = at
}

const lengthOf = (column: BucketCells | undefined, index: number) =>
  (column?.ends[index] ?? 0) - (column?.begins[index] ?? 0)
