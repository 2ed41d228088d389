import type { NumberedField } from '#domain/catalogue/fieldId.ts'
import type { DeviceId } from '#domain/ids.ts'
import { TextArena } from './TextArena.ts'

export interface SeriesShape {
  readonly deviceIds: readonly DeviceId[]
  readonly fields: readonly NumberedField[]
  readonly fromMs: number
  readonly toMs: number
  readonly stepMs: number
  readonly withRange: boolean
}

/**
 * Where in `bytes` the numbers of one bucket of one device stand as JSON text, ASCII; begin and end are the same for a
 * gap. By index of the asked fields, with a range three for each: mean, least, greatest. Holds until the next visit.
 */
export interface BucketCells {
  readonly bytes: Uint8Array
  readonly begins: Int32Array
  readonly ends: Int32Array
}

/** @param atMs begin of the bucket, UTC */
export type SeriesVisitor = (atMs: number, deviceId: DeviceId, cells: BucketCells) => void

/**
 * @param atMs begin of the first bucket that holds anything, UTC
 * @param columns by index of the asked fields, with a range three for each: its buckets from there to the last that holds
 *   anything; undefined where all are gaps. Hold until the next visit.
 */
export type DeviceVisitor = (
  deviceId: DeviceId,
  atMs: number,
  columns: readonly (BucketCells | undefined)[],
  buckets: number,
) => void

/** @returns undefined for a gap */
export function numbersOf({ bytes, begins, ends }: BucketCells): (number | undefined)[] {
  const text = (from: number, to: number) =>
    Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('latin1')
  return Array.from(begins, (from, index) => {
    const to = ends[index] ?? from
    return from === to ? undefined : Number(text(from, to))
  })
}

/** Of most, with its comma. */
const NUMBER_CHARACTERS = 8

/** Of one statistic of one field of one device: where each bucket's number stands. */
interface Column {
  readonly begins: Int32Array
  readonly ends: Int32Array
}

/**
 * Buckets of several devices while they are filled; one without any value is not visited. Numbers stay the text that
 * they came as and go out as: a year of a chart has more than a hundred thousand, and to read and write them again takes
 * longer than the database takes to find them.
 */
export class SeriesTable {
  readonly fields: readonly NumberedField[]
  readonly withRange: boolean
  readonly #shape: SeriesShape
  readonly #buckets: number
  /** In the order of the devices; by field, with a range three for each. */
  readonly #devices: ReadonlyMap<DeviceId, (Column | undefined)[]>
  readonly #statistics: number
  readonly #texts: TextArena

  constructor(shape: SeriesShape) {
    this.#shape = shape
    this.fields = shape.fields
    this.withRange = shape.withRange
    this.#statistics = shape.withRange ? 3 : 1
    this.#buckets = Math.max(0, Math.ceil((shape.toMs - shape.fromMs) / shape.stepMs))
    const inOrder = [...new Set(shape.deviceIds)].sort((a, b) => a - b)
    const columns = shape.fields.length * this.#statistics
    this.#texts = new TextArena(inOrder.length * columns * this.#buckets * NUMBER_CHARACTERS)
    this.#devices = new Map(
      inOrder.map((deviceId) => [deviceId, new Array<Column | undefined>(columns).fill(undefined)]),
    )
  }

  /**
   * Lays numbers of buckets in a row over what is there; a gap covers nothing, and what is outside the period is left.
   *
   * @param texts of each statistic the numbers with commas between, nothing for a gap
   */
  put(deviceId: DeviceId, field: number, firstMs: number, texts: readonly string[]): void {
    const first = (firstMs - this.#shape.fromMs) / this.#shape.stepMs
    for (let statistic = 0; statistic < this.#statistics; statistic++) {
      const column = this.#column(deviceId, field * this.#statistics + statistic)
      if (column !== undefined) this.#texts.addList(texts[statistic] ?? '', first, column.begins, column.ends)
    }
  }

  /** By time, then device; of `newest` buckets that hold anything, or of all. */
  each(newest: number | undefined, visit: SeriesVisitor): void {
    const { fromMs, stepMs } = this.#shape
    const count = this.fields.length * this.#statistics
    const [begins, ends] = [new Int32Array(count), new Int32Array(count)]
    const cells = { bytes: this.#texts.bytes, begins, ends }
    const inOrder = [...this.#devices].map(([deviceId, columns]) => ({ deviceId, columns }))
    for (let bucket = this.#firstOf(newest); bucket < this.#buckets; bucket++) {
      for (let device = 0; device < inOrder.length; device++) {
        const { deviceId, columns } = inOrder[device] as (typeof inOrder)[number]
        let isHeld = false
        for (let index = 0; index < count; index++) {
          const column = columns[index]
          const end = column === undefined ? 0 : (column.ends[bucket] as number)
          begins[index] = column === undefined ? 0 : (column.begins[bucket] as number)
          ends[index] = end
          isHeld ||= end > 0
        }
        if (isHeld) visit(fromMs + bucket * stepMs, deviceId, cells)
      }
    }
  }

  /** By device; without those that hold nothing. */
  eachDevice(visit: DeviceVisitor): void {
    const { bytes } = this.#texts
    for (const [deviceId, columns] of this.#devices) {
      let first = 0
      while (first < this.#buckets && !holds(columns, first)) first++
      if (first === this.#buckets) continue
      let end = this.#buckets
      while (!holds(columns, end - 1)) end--
      const cut = columns.map(
        (column) =>
          column && { bytes, begins: column.begins.subarray(first, end), ends: column.ends.subarray(first, end) },
      )
      visit(deviceId, this.#shape.fromMs + first * this.#shape.stepMs, cut, end - first)
    }
  }

  #firstOf(newest: number | undefined): number {
    if (newest === undefined) return 0
    const columns = [...this.#devices.values()].flat()
    let bucket = this.#buckets
    for (let filled = 0; bucket > 0 && filled < newest; bucket--) if (holds(columns, bucket - 1)) filled++
    return bucket
  }

  #column(deviceId: DeviceId, index: number): Column | undefined {
    const columns = this.#devices.get(deviceId)
    if (columns === undefined) return undefined
    columns[index] ??= { begins: new Int32Array(this.#buckets), ends: new Int32Array(this.#buckets) }
    return columns[index]
  }
}

function holds(columns: readonly (Column | undefined)[], bucket: number): boolean {
  for (let index = 0; index < columns.length; index++) if ((columns[index]?.ends[bucket] ?? 0) > 0) return true
  return false
}
