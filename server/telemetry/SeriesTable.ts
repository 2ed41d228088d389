import type { NumberedField } from '#domain/catalogue/fieldId.ts'
import type { DeviceId } from '#domain/ids.ts'

export interface SeriesRow {
  /** Begin of the bucket, UTC. */
  readonly atMs: number
  readonly deviceId: DeviceId
  /** By index of the asked fields; null is a gap. */
  readonly means: readonly (number | null)[]
  /** Only with a range. */
  readonly minima: readonly (number | null)[] | undefined
  readonly maxima: readonly (number | null)[] | undefined
}

export interface SeriesShape {
  readonly deviceIds: readonly DeviceId[]
  readonly fields: readonly NumberedField[]
  readonly fromMs: number
  readonly toMs: number
  readonly stepMs: number
  readonly withRange: boolean
}

/** Of one field of one device: by bucket, NaN for a gap. */
interface Column {
  readonly means: Float64Array
  readonly minima: Float64Array
  readonly maxima: Float64Array
}

type Cell = number | null | undefined

const NOTHING = new Float64Array(0)

/** Buckets of several devices while they are filled; one without any value has no row. */
export class SeriesTable {
  readonly fields: readonly NumberedField[]
  readonly withRange: boolean
  readonly #shape: SeriesShape
  readonly #buckets: number
  /** In the order of the devices, by field. */
  readonly #devices: ReadonlyMap<DeviceId, (Column | undefined)[]>

  constructor(shape: SeriesShape) {
    this.#shape = shape
    this.fields = shape.fields
    this.withRange = shape.withRange
    this.#buckets = Math.max(0, Math.ceil((shape.toMs - shape.fromMs) / shape.stepMs))
    const inOrder = [...new Set(shape.deviceIds)].sort((a, b) => a - b)
    this.#devices = new Map(inOrder.map((deviceId) => [deviceId, shape.fields.map(() => undefined)]))
  }

  /**
   * Lays values of buckets in a row over what is there; NaN covers nothing, and what is outside the period is left.
   *
   * @param minima without a range empty, as are `maxima`
   */
  put(
    deviceId: DeviceId,
    field: number,
    firstMs: number,
    means: ArrayLike<number>,
    minima: ArrayLike<number>,
    maxima: ArrayLike<number>,
  ): void {
    const column = this.#column(deviceId, field)
    if (column === undefined) return
    const first = (firstMs - this.#shape.fromMs) / this.#shape.stepMs
    for (let index = 0; index < means.length; index++) {
      const mean = means[index] ?? Number.NaN
      const bucket = first + index
      if (Number.isNaN(mean) || bucket < 0 || bucket >= this.#buckets) continue
      column.means[bucket] = mean
      if (!this.withRange) continue
      column.minima[bucket] = minima[index] ?? Number.NaN
      column.maxima[bucket] = maxima[index] ?? Number.NaN
    }
  }

  /** The same of one bucket; null covers nothing. */
  putOne(deviceId: DeviceId, field: number, atMs: number, mean: Cell, least: Cell, greatest: Cell): void {
    const column = this.#column(deviceId, field)
    const bucket = (atMs - this.#shape.fromMs) / this.#shape.stepMs
    if (column === undefined || typeof mean !== 'number' || !(bucket >= 0 && bucket < this.#buckets)) return
    column.means[bucket] = mean
    if (!this.withRange) return
    column.minima[bucket] = least ?? Number.NaN
    column.maxima[bucket] = greatest ?? Number.NaN
  }

  /** By time, then device; of `newest` buckets that hold anything, or of all. */
  rows(newest: number | undefined): SeriesRow[] {
    const { fromMs, stepMs } = this.#shape
    const newestFirst: SeriesRow[] = []
    const devices = [...this.#devices].reverse()
    let filled = 0
    for (let bucket = this.#buckets - 1; bucket >= 0 && filled < (newest ?? this.#buckets); bucket--) {
      const before = newestFirst.length
      for (const [deviceId, columns] of devices) {
        const means = valuesOf(columns, 'means', bucket)
        if (means === undefined) continue
        newestFirst.push({
          atMs: fromMs + bucket * stepMs,
          deviceId,
          means,
          minima: this.withRange ? valuesOf(columns, 'minima', bucket) : undefined,
          maxima: this.withRange ? valuesOf(columns, 'maxima', bucket) : undefined,
        })
      }
      if (newestFirst.length > before) filled++
    }
    return newestFirst.reverse()
  }

  #column(deviceId: DeviceId, field: number): Column | undefined {
    const columns = this.#devices.get(deviceId)
    if (columns === undefined) return undefined
    const gaps = () => new Float64Array(this.#buckets).fill(Number.NaN)
    columns[field] ??= {
      means: gaps(),
      minima: this.withRange ? gaps() : NOTHING,
      maxima: this.withRange ? gaps() : NOTHING,
    }
    return columns[field]
  }
}

/** @returns undefined when all are gaps */
function valuesOf(
  columns: readonly (Column | undefined)[],
  statistic: keyof Column,
  bucket: number,
): (number | null)[] | undefined {
  let values: (number | null)[] | undefined
  for (let field = 0; field < columns.length; field++) {
    const value = columns[field]?.[statistic][bucket] ?? Number.NaN
    if (Number.isNaN(value)) continue
    values ??= new Array<number | null>(columns.length).fill(null)
    values[field] = value
  }
  return values
}
