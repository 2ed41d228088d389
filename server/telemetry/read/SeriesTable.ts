import type { NumberedField } from '#domain/catalogue/fieldId.ts'
import type { DeviceId } from '#domain/ids.ts'

export interface SeriesShape {
  readonly deviceIds: readonly DeviceId[]
  readonly fields: readonly NumberedField[]
  readonly fromMs: number
  /** The end is excluded. */
  readonly toMs: number
  readonly stepMs: number
  readonly withRange: boolean
  /** Limits the answer to the newest so many buckets that hold anything; undefined means all of them. */
  readonly newestBuckets: number | undefined
}

/** A number as PostgreSQL wrote it, which is how it goes out again. It is empty where nothing was reported. */
export type NumberText = string

/** What all devices reported in one bucket. A device that reported nothing is left out. */
export interface SeriesBucket {
  readonly atMs: number
  readonly devices: readonly { readonly deviceId: DeviceId; readonly numbers: readonly NumberText[] }[]
}

/** What one device reported, from the first bucket that holds anything to the last. */
export interface DeviceSeries {
  readonly deviceId: DeviceId
  readonly fromMs: number
  /** The columns by index of the requested fields. With a range each field has three: mean, least and greatest. */
  readonly columns: readonly (readonly NumberText[])[]
}

/** Reads a number back for callers that calculate with it; undefined for a gap. */
export const numberOf = (text: NumberText): number | undefined => (text === '' ? undefined : Number(text))

/** The buckets of several devices while they are filled, readable by time or by device. */
export class SeriesTable {
  readonly fields: readonly NumberedField[]
  readonly withRange: boolean
  readonly #shape: SeriesShape
  readonly #bucketCount: number
  readonly #statistics: number
  /** Device ids ascend, as they do in answers. */
  readonly #columns: ReadonlyMap<DeviceId, NumberText[][]>

  constructor(shape: SeriesShape) {
    this.#shape = shape
    this.fields = shape.fields
    this.withRange = shape.withRange
    this.#statistics = shape.withRange ? 3 : 1
    this.#bucketCount = Math.max(0, Math.ceil((shape.toMs - shape.fromMs) / shape.stepMs))
    const emptyColumn = () => new Array<NumberText>(this.#bucketCount).fill('')
    const columnsOfDevice = { length: shape.fields.length * this.#statistics }
    const inOrder = [...new Set(shape.deviceIds)].sort((a, b) => a - b)
    this.#columns = new Map(inOrder.map((deviceId) => [deviceId, Array.from(columnsOfDevice, emptyColumn)]))
  }

  /**
   * Lays consecutive buckets over what is there. A gap covers nothing, and what lies outside the period is dropped.
   *
   * @param lists one text for each statistic: its numbers with commas between, nothing for a gap
   */
  put(deviceId: DeviceId, field: number, firstMs: number, lists: readonly string[]): void {
    const first = (firstMs - this.#shape.fromMs) / this.#shape.stepMs
    for (const [statistic, list] of lists.entries()) {
      const column = this.#columns.get(deviceId)?.[field * this.#statistics + statistic]
      if (column === undefined) continue
      const numbers = list.split(',')
      for (let index = 0; index < numbers.length; index++) {
        const [bucket, number] = [first + index, numbers[index]]
        if (number !== '' && bucket >= 0 && bucket < column.length) column[bucket] = number as NumberText
      }
    }
  }

  /** Yields the buckets by time, without those that hold nothing. */
  *buckets(): Generator<SeriesBucket> {
    const { fromMs, stepMs } = this.#shape
    for (let bucket = this.#firstBucket(); bucket < this.#bucketCount; bucket++) {
      const devices = []
      for (const [deviceId, columns] of this.#columns) {
        const numbers = columns.map((column) => column[bucket] as NumberText)
        if (numbers.some((number) => number !== '')) devices.push({ deviceId, numbers })
      }
      if (devices.length > 0) yield { atMs: fromMs + bucket * stepMs, devices }
    }
  }

  /** Yields the series by device, without devices that hold nothing. */
  *devices(): Generator<DeviceSeries> {
    for (const [deviceId, columns] of this.#columns) {
      let first = 0
      while (first < this.#bucketCount && !holdsAnything(columns, first)) first++
      if (first === this.#bucketCount) continue
      let end = this.#bucketCount
      while (!holdsAnything(columns, end - 1)) end--
      const fromMs = this.#shape.fromMs + first * this.#shape.stepMs
      yield { deviceId, fromMs, columns: columns.map((column) => column.slice(first, end)) }
    }
  }

  #firstBucket(): number {
    const { newestBuckets } = this.#shape
    if (newestBuckets === undefined) return 0
    const columns = [...this.#columns.values()].flat()
    let bucket = this.#bucketCount
    for (let filled = 0; bucket > 0 && filled < newestBuckets; bucket--) {
      if (holdsAnything(columns, bucket - 1)) filled++
    }
    return bucket
  }
}

const holdsAnything = (columns: readonly (readonly NumberText[])[], bucket: number): boolean =>
  columns.some((column) => column[bucket] !== '')
