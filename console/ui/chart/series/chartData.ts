import type { DeviceColumns } from '#contract/http/insight/analytics.ts'
import type { StepMinutes } from '#domain/analytics/step.ts'
import type { DeviceId, FieldId } from '#domain/ids.ts'

type Values = readonly (number | null)[]

/** The values stand over the common times; null means that nothing was reported. */
export interface SeriesData {
  readonly values: Values
  readonly low?: Values
  readonly high?: Values
}

export interface ChartData {
  /** The buckets begin at these rising times, in seconds since 1970. */
  readonly timesS: readonly number[]
  readonly series: readonly SeriesData[]
  /** The readings of another period, laid over this one; empty where nothing is compared. */
  readonly compared: readonly SeriesData[]
}

/** A device that reported nothing is undefined. */
export type ColumnsByDevice = ReadonlyMap<DeviceId, DeviceColumns | undefined>

/**
 * It joins the answers on their times; a hole longer than a step becomes a gap (rules/analytics 7).
 *
 * @param comparedByDevice answers of another period, already moved to the times over which they are laid
 */
export function chartDataOf(
  metrics: readonly { readonly deviceId: DeviceId; readonly metricId: FieldId }[],
  columnsByDevice: ColumnsByDevice,
  stepMinutes: StepMinutes,
  comparedByDevice?: ColumnsByDevice,
): ChartData {
  const stepS = stepMinutes * 60
  const timesS = timesWithGaps([...columnsByDevice.values(), ...(comparedByDevice?.values() ?? [])], stepS)
  const indexOf = new Map(timesS.map((timeS, index) => [timeS, index]))
  const seriesOf = (device: DeviceColumns | undefined, metricId: FieldId): SeriesData => {
    const column = device?.columns.find(({ id }) => id === metricId)
    const laid = (numbers: Values = []): Values => {
      const values = new Array<number | null>(timesS.length).fill(null)
      let timeS = device ? beginS(device) : 0
      for (const number of numbers) {
        const index = number === null ? undefined : indexOf.get(timeS)
        if (index !== undefined) values[index] = number
        timeS += stepS
      }
      return values
    }
    const band = column?.minima && column.maxima
    return { values: laid(column?.means), ...(band && { low: laid(column.minima), high: laid(column.maxima) }) }
  }
  const allOf = (answers: ColumnsByDevice) =>
    metrics.map(({ deviceId, metricId }) => seriesOf(answers.get(deviceId), metricId))
  return { timesS, series: allOf(columnsByDevice), compared: comparedByDevice ? allOf(comparedByDevice) : [] }
}

/** One moment after the last one before a hole is enough to break every line there. */
function timesWithGaps(devices: readonly (DeviceColumns | undefined)[], stepS: number): readonly number[] {
  const known = new Set<number>()
  for (const device of devices) {
    for (const { means } of device?.columns ?? []) {
      let timeS = device ? beginS(device) : 0
      for (const mean of means) {
        if (mean !== null) known.add(timeS)
        timeS += stepS
      }
    }
  }
  const times: number[] = []
  for (const timeS of Float64Array.from(known).sort()) {
    const last = times.at(-1)
    if (last !== undefined && timeS - last > stepS) times.push(last + stepS)
    times.push(timeS)
  }
  return times
}

const beginS = ({ from }: DeviceColumns) => Date.parse(from) / 1000
