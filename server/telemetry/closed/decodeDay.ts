import {
  type ColumnMetaData,
  type DataReader,
  type FileMetaData,
  parquetMetadata,
  parquetSchema,
  type SchemaElement,
  type SchemaTree,
} from 'hyparquet'
import { readColumn } from 'hyparquet/src/column.js'
import { DEFAULT_PARSERS } from 'hyparquet/src/convert.js'
import {
  ARRIVAL_STEP_MICROSECONDS,
  decompressors,
  FILE_COLUMNS,
  FILE_VERSION,
  METADATA_KEY,
  unpacked,
} from './closedFile.ts'
import type { DayColumns } from './dayColumns.ts'
import { deltaTimes } from './deltaTimes.ts'

type Raw = ArrayLike<number | bigint | string | boolean | null | undefined>

/** Which columns are decoded, besides the device times. Each costs its own time. */
export interface DayPart {
  /** Column names; all fields if not said. */
  readonly fields?: readonly string[]
  readonly withArrivals?: boolean
  readonly withClaims?: boolean
  readonly withExtra?: boolean
}

const EVERYTHING: DayPart = { withArrivals: true, withClaims: true, withExtra: true }

/**
 * Reads a closed day, or some of its columns. It may be packed or not.
 *
 * @throws for a file that something else or a newer version has written
 */
export function decodeDay(body: Uint8Array, part: DayPart = EVERYTHING): DayColumns {
  const file = new ClosedFile(unpacked(body))
  const { at: atName, arrival, claimedAt, isCorrected, extra } = FILE_COLUMNS
  const at = file.times(atName) as Float64Array
  const fields = new Map<string, ArrayLike<number | string | null>>()
  for (const name of part.fields ?? file.fieldNames()) {
    const cells = file.field(name)
    if (cells !== undefined) fields.set(name, cells)
  }
  return {
    rows: file.rows,
    at,
    inserted: part.withArrivals ? arrivals(at, file.numbers(arrival) as ArrayLike<number>) : new Float64Array(),
    claimedAt: part.withClaims ? file.times(claimedAt) : undefined,
    isCorrected: part.withClaims ? (file.cells(isCorrected) as ArrayLike<boolean | null> | undefined) : undefined,
    extra: part.withExtra ? (file.cells(extra) as ArrayLike<string | null> | undefined) : undefined,
    fields,
  }
}

function arrivals(at: Float64Array, offsets: ArrayLike<number>): Float64Array {
  const inserted = new Float64Array(at.length)
  for (let row = 0; row < at.length; row++)
    inserted[row] = (at[row] as number) + (offsets[row] ?? 0) * ARRIVAL_STEP_MICROSECONDS
  return inserted
}

/** Its own, because the library's would leave out a byte order mark at the beginning of a text. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const PARSERS = {
  ...DEFAULT_PARSERS,
  stringFromBytes: (bytes: Uint8Array | undefined) => bytes && decoder.decode(bytes),
}

/** The library's columns are read one by one here, because its whole reader is asynchronous and takes twice as long. */
class ClosedFile {
  readonly rows: number
  readonly #body: Uint8Array
  readonly #metadata: FileMetaData
  readonly #root: SchemaTree
  readonly #places: ReadonlyMap<string, number>

  constructor(body: Uint8Array) {
    this.#body = body
    this.#metadata = parquetMetadata(body as Uint8Array<ArrayBuffer>, { geoparquet: false })
    const told = this.#metadata.key_value_metadata?.find(({ key }) => key === METADATA_KEY)?.value
    const version = told === undefined ? undefined : (JSON.parse(told) as { version?: unknown }).version
    if (version !== FILE_VERSION) throw new Error(`A closed day has the version ${version}, which is not known here.`)
    this.rows = Number(this.#metadata.num_rows)
    this.#root = parquetSchema(this.#metadata)
    this.#places = new Map(this.#root.children.map(({ element }, place) => [element.name, place]))
  }

  fieldNames(): string[] {
    return [...this.#places.keys()].filter((name) => !name.startsWith('_'))
  }

  field(name: string): ArrayLike<number | string | null> | undefined {
    const element = this.#element(name)
    if (element === undefined) return undefined
    if (element.converted_type === 'UTF8') return this.cells(name) as ArrayLike<string | null>
    const scale = scaleOf(element)
    const numbers = this.numbers(name)
    if (scale === 0 || numbers === undefined) return numbers
    const factor = 10 ** scale
    return mapped(numbers, (integer) => Math.fround(integer / factor))
  }

  numbers(name: string): ArrayLike<number | null> | undefined {
    const cells = this.cells(name)
    if (cells === undefined) return undefined
    return this.#element(name)?.type === 'INT64'
      ? mapped(cells as ArrayLike<bigint | null>, (cell) => Number(cell))
      : (cells as ArrayLike<number | null>)
  }

  /** Returns moments in microseconds. */
  times(name: string): ArrayLike<number | null> | undefined {
    const type = this.#element(name)?.logical_type
    if (type?.type !== 'TIMESTAMP') return undefined
    const unit = type.unit === 'MILLIS' ? 1000 : 1
    const chunk = this.#chunk(name)
    const times = chunk && deltaTimes(this.#bytesOf(chunk), chunk.codec, this.rows, unit)
    return times ?? mapped(this.cells(name) as ArrayLike<bigint | null>, (cell) => Number(cell) * unit)
  }

  cells(name: string): Raw | undefined {
    const place = this.#places.get(name)
    const node = place === undefined ? undefined : this.#root.children[place]
    const chunk = this.#chunk(name)
    if (node === undefined || chunk === undefined) return undefined
    const { data } = readColumn(
      this.#bytesOf(chunk),
      { groupStart: 0, selectStart: 0, selectEnd: this.rows, groupRows: this.rows },
      {
        pathInSchema: [name],
        type: chunk.type,
        element: asStored(node.element),
        schemaPath: [this.#root, node],
        codec: chunk.codec,
        parsers: PARSERS,
        compressors: decompressors,
      },
    )
    return node.element.repetition_type === 'REQUIRED' ? data[0] : withNulls(data[0] ?? [])
  }

  #chunk(name: string) {
    const place = this.#places.get(name)
    return place === undefined ? undefined : this.#metadata.row_groups[0]?.columns[place]?.meta_data
  }

  #bytesOf(chunk: ColumnMetaData): DataReader {
    const from = Number(chunk.dictionary_page_offset ?? chunk.data_page_offset)
    const size = Number(chunk.total_compressed_size)
    return { view: new DataView(this.#body.buffer, this.#body.byteOffset + from, size), offset: 0 }
  }

  #element(name: string) {
    const place = this.#places.get(name)
    return place === undefined ? undefined : this.#root.children[place]?.element
  }
}

/**
 * The library would turn decimals into products of floating-point numbers, and moments into others twice, so it is told
 * of integers only.
 */
function asStored(element: SchemaElement): SchemaElement {
  if (scaleOf(element) === 0 && element.logical_type?.type !== 'TIMESTAMP') return element
  const { converted_type: _, logical_type: __, ...stored } = element
  return stored
}

const scaleOf = ({ logical_type: type }: SchemaElement) => (type?.type === 'DECIMAL' ? type.scale : 0)

function withNulls(cells: Raw): Raw {
  const all = new Array<Raw[number]>(cells.length)
  for (let row = 0; row < cells.length; row++) all[row] = cells[row] ?? null
  return all
}

/** A loop takes a fifth of the time that `from` does, and a column that is full needs no room for nulls. */
function mapped<In extends number | bigint>(
  cells: ArrayLike<In | null>,
  change: (value: In) => number,
): ArrayLike<number | null> {
  const changed = Array.isArray(cells) ? new Array<number | null>(cells.length) : new Float64Array(cells.length)
  for (let row = 0; row < cells.length; row++) {
    const cell = cells[row] as In | null
    changed[row] = (cell === null ? null : change(cell)) as number
  }
  return changed
}
