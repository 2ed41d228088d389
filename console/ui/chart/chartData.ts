import type { AnalyticsRow } from '#contract/http/analytics.ts'
import type { StepMinutes } from '#domain/analytics/step.ts'
import type { DeviceId, FieldId } from '#domain/ids.ts'

type Values = readonly (number | null)[]

/** One metric over the common times; null where nothing was reported. */
export interface SeriesData {
  readonly values: Values
  /** Lowest and highest reading of each bucket, when asked for. */
  readonly low?: Values
  readonly high?: Values
}

export interface ChartData {
  /** Begins of the buckets, seconds since 1970, rising. */
  readonly timesS: readonly number[]
  /** In the order of the metrics. */
  readonly series: readonly SeriesData[]
}

export type RowsByDevice = ReadonlyMap<DeviceId, readonly AnalyticsRow[]>

/** Joins the answers on their times; a hole longer than a step becomes a gap (P1 §9 "gaps at step intervals"). */
export function chartDataOf(
  metrics: readonly { readonly deviceId: DeviceId; readonly metricId: FieldId }[],
  rowsByDevice: RowsByDevice,
  stepMinutes: StepMinutes,
): ChartData {
  const timesS = timesWithGaps(rowsByDevice, stepMinutes * 60)
  const indexOf = new Map(timesS.map((timeS, index) => [timeS, index]))
  const series = metrics.map(({ deviceId, metricId }) => {
    const rows = rowsByDevice.get(deviceId) ?? []
    const column = (name: string): Values => {
      const values = new Array<number | null>(timesS.length).fill(null)
      for (const row of rows) {
        const index = indexOf.get(secondsOf(row))
        const value = row[name]
        if (index !== undefined && typeof value === 'number') values[index] = value
      }
      return values
    }
    const name = `m_${metricId}`
    const hasBand = rows[0] !== undefined && `${name}_min` in rows[0]
    return { values: column(name), ...(hasBand ? { low: column(`${name}_min`), high: column(`${name}_max`) } : {}) }
  })
  return { timesS, series }
}

/** One moment after the last one before a hole is enough to break every line there. */
function timesWithGaps(rowsByDevice: RowsByDevice, stepS: number): readonly number[] {
  const known = new Set<number>()
  for (const rows of rowsByDevice.values()) for (const row of rows) known.add(secondsOf(row))
  const times: number[] = []
  for (const timeS of Float64Array.from(known).sort()) {
    const last = times.at(-1)
    if (last !== undefined && timeS - last > stepS) times.push(last + stepS)
    times.push(timeS)
  }
  return times
}

const secondsOf = ({ time }: AnalyticsRow) => Date.parse(time) / 1000
