import type { FieldId } from '#domain/ids.ts'
import { shortestReal } from '#domain/units/numbers.ts'
import { type DeviceSeries, type NumberText, numberOf, type SeriesBucket } from './SeriesTable.ts'

export interface RowsQuestion {
  readonly fieldIds: readonly FieldId[]
  readonly withRange: boolean
  /** Whether a row is the mean over all devices that reported in its bucket. */
  readonly isGrouped: boolean
}

export interface ColumnsQuestion {
  readonly fieldIds: readonly FieldId[]
  readonly withRange: boolean
  readonly stepMinutes: number
}

/** A long question comes in several parts that follow each other in time. */
type PartsByTime = AsyncIterable<{ readonly buckets: () => Iterable<SeriesBucket> }>
/** A long question comes in several parts of some devices each. */
type PartsByDevice = AsyncIterable<{ readonly devices: () => Iterable<DeviceSeries> }>

const NULL = 'null'

/** Numbers stay the text they came as, because converting a year of them takes longer than the query. */
export async function* seriesRowsJson(
  parts: PartsByTime,
  { fieldIds, withRange, isGrouped }: RowsQuestion,
): AsyncGenerator<string, void> {
  const names = fieldIds.flatMap((id) => (withRange ? [`m_${id}`, `m_${id}_min`, `m_${id}_max`] : [`m_${id}`]))
  const keys = names.map((name) => `,"${name}":`)
  const cellsOf = (numbers: readonly NumberText[]) => {
    let cells = ''
    for (let index = 0; index < keys.length; index++) cells += `${keys[index]}${numbers[index] || NULL}`
    return cells
  }
  let before = '['
  for await (const part of parts) {
    const rows: string[] = []
    for (const { atMs, devices } of part.buckets()) {
      const time = new Date(atMs).toISOString()
      if (isGrouped) rows.push(`{"time":"${time}"${cellsOf(combined(devices, withRange))}}`)
      else for (const one of devices) rows.push(`{"time":"${time}","deviceId":${one.deviceId}${cellsOf(one.numbers)}}`)
    }
    if (rows.length === 0) continue
    yield before + rows.join(',')
    before = ','
  }
  yield before === '[' ? '[]' : ']'
}

export async function* seriesColumnsJson(
  parts: PartsByDevice,
  { fieldIds, withRange, stepMinutes }: ColumnsQuestion,
): AsyncGenerator<string, void> {
  const names = withRange ? ['means', 'minima', 'maxima'] : ['means']
  const columnJson = (id: FieldId, columns: DeviceSeries['columns']) =>
    `{"id":${id}${names.map((name, index) => `,"${name}":[${listed(columns[index] ?? [])}]`).join('')}}`
  let before = `{"stepMinutes":${stepMinutes},"devices":[`
  for await (const part of parts) {
    for (const { deviceId, fromMs, columns } of part.devices()) {
      const fields = fieldIds.map((id, field) =>
        columnJson(id, columns.slice(field * names.length, (field + 1) * names.length)),
      )
      const from = new Date(fromMs).toISOString()
      yield `${before}{"deviceId":${deviceId},"from":"${from}","columns":[${fields.join(',')}]}`
      before = ','
    }
  }
  yield before === ',' ? ']}' : `${before}]}`
}

const listed = (numbers: readonly NumberText[]) => numbers.map((number) => number || NULL).join(',')

/** Combines what several devices reported. Each device counts the same, however often it reported. */
function combined(devices: SeriesBucket['devices'], withRange: boolean): NumberText[] {
  const combine = withRange ? [meanOf, least, greatest] : [meanOf]
  return (devices[0]?.numbers ?? []).map((_, index) => {
    const values = devices.flatMap(({ numbers }) => numberOf(numbers[index] ?? '') ?? [])
    return values.length === 0 ? '' : String(combine[index % combine.length]?.(values))
  })
}

const meanOf = (values: readonly number[]) => shortestReal(values.reduce((sum, value) => sum + value) / values.length)
const least = (values: readonly number[]) => Math.min(...values)
const greatest = (values: readonly number[]) => Math.max(...values)
