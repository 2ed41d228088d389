import type { NumberedField } from '#domain/catalogue/fieldId.ts'
import type { DeviceId } from '#domain/ids.ts'

export interface SeriesShape {
  readonly deviceIds: readonly DeviceId[]
  readonly fields: readonly NumberedField[]
  readonly fromMs: number
  /** Excluded. */
  readonly toMs: number
  readonly stepMs: number
  readonly withRange: boolean
  /** How many of the buckets that hold anything are answered, the newest; undefined: all of them. */
  readonly newestBuckets: number | undefined
}

/** A number as PostgreSQL wrote it, which is how it goes out again; empty where nothing was reported. */
export type NumberText = string

/** What all devices reported in one bucket; a device that reported nothing is left out. */
export interface SeriesBucket {
  readonly atMs: number
  readonly devices: readonly { readonly deviceId: DeviceId; readonly numbers: readonly NumberText[] }[]
}

/** What one device reported, from the first bucket that holds anything to the last. */
export interface DeviceSeries {
  readonly deviceId: DeviceId
  readonly fromMs: number
  /** By index of the asked fields, with a range three for each: mean, least, greatest. */
  readonly columns: readonly (readonly NumberText[])[]
}

/** Reads a number back for whoever counts with it; undefined for a gap. */
export const numberOf = (text: NumberText): number | undefined => (text === '' ? undefined : Number(text))

/** Buckets of several devices while they are filled, and what they hold by time or by device. */
export class SeriesTable {
  readonly fields: readonly NumberedField[]
  readonly withRange: boolean
  readonly #shape: SeriesShape
  readonly #bucketCount: number
  readonly #statistics: number
  /** Rises by device, as answers do. */
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
   * Lays numbers of buckets in a row over what is there; a gap covers nothing, and what is outside the period is left.
   *
   * @param lists of each statistic the numbers with commas between, nothing for a gap
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

  /** By time; without buckets that hold nothing. */
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

  /** By device; without those that hold nothing. */
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
