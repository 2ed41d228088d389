import type { SchemaElement } from 'hyparquet'
import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import { ARRIVAL_STEP_MICROSECONDS, FILE_COLUMNS, METADATA, METADATA_KEY, unscaled } from './closedFile.ts'
import type { DayColumns } from './dayColumns.ts'
import { integerEncoding } from './integerEncoding.ts'

const HIGHEST_SCALE = 6
/** Decimals of 32 bits have at most nine digits. */
const DECIMAL_DIGITS = 9

type Encoding = ReturnType<typeof integerEncoding> | 'BYTE_STREAM_SPLIT'

interface FileColumn {
  readonly element: SchemaElement
  readonly data: (number | bigint | string | boolean | null)[] | Int32Array
  readonly encoding?: Encoding
}

type ColumnType = Omit<SchemaElement, 'name' | 'repetition_type'>

const INTEGER: ColumnType = { type: 'INT32' }
const LONG_INTEGER: ColumnType = { type: 'INT64' }
const TEXT: ColumnType = { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } }
const MILLISECONDS: ColumnType = timestamp('MILLIS')
const MICROSECONDS: ColumnType = timestamp('MICROS')

function timestamp(unit: 'MILLIS' | 'MICROS'): ColumnType {
  return { type: 'INT64', logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit } }
}

/** Writes the readings of a component's day as a Parquet file (decision 312, rules/readings 4). */
export function encodeDay(day: DayColumns): Uint8Array {
  const columns: FileColumn[] = [times(FILE_COLUMNS.at, day.at), arrivals(day)]
  if (day.claimedAt !== undefined) columns.push(times(FILE_COLUMNS.claimedAt, day.claimedAt))
  if (day.isCorrected !== undefined)
    columns.push(column(FILE_COLUMNS.isCorrected, { type: 'BOOLEAN' }, Array.from(day.isCorrected)))
  if (day.extra !== undefined) columns.push(column(FILE_COLUMNS.extra, TEXT, Array.from(day.extra)))
  for (const [name, cells] of day.fields) columns.push(field(name, cells))
  return written(columns, day.rows)
}

function written(columns: readonly FileColumn[], rows: number): Uint8Array {
  const writer = new ByteWriter()
  const file = new ParquetWriter({
    writer,
    schema: [{ name: 'root', num_children: columns.length }, ...columns.map(({ element }) => element)],
    codec: 'UNCOMPRESSED',
    statistics: false,
    kvMetadata: [{ key: METADATA_KEY, value: METADATA }],
    createdBy: 'Wayside',
  })
  // The writer holds all in memory, so there is nothing to wait for.
  void file.write({
    columnData: columns.map(({ element, data, encoding }) => ({
      name: element.name,
      data,
      offsetIndex: false,
      ...(encoding && { encoding }),
    })),
    // One group, because each has its own headers and dictionaries.
    rowGroupSize: rows,
    pageSize: Number.POSITIVE_INFINITY,
  })
  file.schema = file.schema.map(asReadersKnowIt)
  void file.finish()
  return writer.getBytes()
}

function column(name: string, type: ColumnType, data: FileColumn['data'], encoding?: Encoding): FileColumn {
  const isFull = data instanceof Int32Array || !data.includes(null)
  const element: SchemaElement = { name, ...type, repetition_type: isFull ? 'REQUIRED' : 'OPTIONAL' }
  return { element, data, ...(encoding && { encoding }) }
}

const isWholeMillisecond = (microseconds: number | null) => microseconds === null || microseconds % 1000 === 0

function times(name: string, cells: ArrayLike<number | null>): FileColumn {
  const moments = Array.from(cells)
  const areMilliseconds = moments.every(isWholeMillisecond)
  const unit = areMilliseconds ? 1000 : 1
  const data = moments.map((at) => (at === null ? null : BigInt(at / unit)))
  return column(name, areMilliseconds ? MILLISECONDS : MICROSECONDS, data, 'DELTA_BINARY_PACKED')
}

function arrivals({ at, inserted }: DayColumns): FileColumn {
  const offsets = Array.from(
    inserted,
    (arrival, row) =>
      // A small negative offset would be a negative zero, which is no integer here.
      Math.round((arrival - (at[row] ?? 0)) / ARRIVAL_STEP_MICROSECONDS) + 0,
  )
  return integers(FILE_COLUMNS.arrival, offsets, INTEGER)
}

const isInt32 = (value: number) => (value | 0) === value

function integers(name: string, values: readonly (number | null)[], type: ColumnType): FileColumn {
  if (values.every((value) => value === null || isInt32(value)))
    return column(name, type, [...values], integerEncoding(values))
  const long = values.map((value) => (value === null ? null : BigInt(value)))
  return column(name, LONG_INTEGER, long, 'DELTA_BINARY_PACKED')
}

function field(name: string, cells: ArrayLike<number | string | null>): FileColumn {
  const values = Array.from(cells)
  if (values.some((value) => typeof value === 'string')) return column(name, TEXT, values)
  const numbers = values as (number | null)[]
  const decimals = asDecimals(numbers)
  if (decimals === undefined) {
    const isSingle = numbers.every((value) => value === null || Object.is(Math.fround(value), value))
    return column(name, { type: isSingle ? 'FLOAT' : 'DOUBLE' }, numbers, 'BYTE_STREAM_SPLIT')
  }
  const { scale, data } = decimals
  return column(name, scale === 0 ? INTEGER : decimal(scale), data, integerEncoding(data))
}

/** The library would convert each value by itself if it knew this in the older way, by which most readers go. */
const decimal = (scale: number): ColumnType => ({
  type: 'INT32',
  scale,
  precision: DECIMAL_DIGITS,
  logical_type: { type: 'DECIMAL', precision: DECIMAL_DIGITS, scale },
})

const asReadersKnowIt = (element: SchemaElement): SchemaElement =>
  element.logical_type?.type === 'DECIMAL' ? { ...element, converted_type: 'DECIMAL' } : element

/** Finds the fewest decimals with which every number comes back bit for bit; undefined when there is none. */
function asDecimals(numbers: readonly (number | null)[]) {
  for (let scale = 0; scale <= HIGHEST_SCALE; scale++) {
    const data = scaledBy(scale, numbers)
    if (data !== undefined) return { scale, data }
  }
  return undefined
}

function scaledBy(scale: number, numbers: readonly (number | null)[]): (number | null)[] | undefined {
  const factor = 10 ** scale
  const data = new Array<number | null>(numbers.length)
  for (let row = 0; row < numbers.length; row++) {
    const value = numbers[row] ?? null
    if (value === null) {
      data[row] = null
      continue
    }
    const integer = Math.round(value * factor)
    if (Object.is(integer, -0) || !isInt32(integer)) return undefined
    if (scale === 0 ? integer !== value : !isSameDecimal(integer, scale, value)) return undefined
    data[row] = integer
  }
  return data
}

const isSameDecimal = (integer: number, scale: number, value: number) =>
  Math.abs(integer) < 10 ** DECIMAL_DIGITS && unscaled(integer, scale) === value
