import type { ChartData, SeriesData } from '#console/ui/chart/series/chartData.ts'
import { firstIndexFrom } from '#console/ui/chart/series/envelope.ts'
import type { Period } from '#console/ui/filter/period.ts'

/** They cover the buckets shown, and are absent where there are none. */
export interface Statistics {
  readonly newest: number
  readonly newestAt: Date
  readonly minimum: number
  readonly maximum: number
  /** The mean of the means: each bucket counts alike, however many readings it has. */
  readonly mean: number
}

/** It covers buckets that begin within the period; the extremes are those of the readings where they are known. */
export function statisticsOf(series: SeriesData, timesS: readonly number[], shown: Period): Statistics | undefined {
  const { start, end } = shownRange(timesS, shown)
  let [count, sum, minimum, maximum] = [0, 0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  let newestIndex = -1
  for (let index = start; index < end; index++) {
    const value = series.values[index]
    if (value === null || value === undefined) continue
    newestIndex = index
    count++
    sum += value
    minimum = Math.min(minimum, series.low?.[index] ?? value)
    maximum = Math.max(maximum, series.high?.[index] ?? value)
  }
  const newest = series.values[newestIndex]
  const newestS = timesS[newestIndex]
  if (newest === null || newest === undefined || newestS === undefined) return undefined
  return { newest, newestAt: new Date(newestS * 1000), minimum, maximum, mean: sum / count }
}

function shownRange(timesS: readonly number[], { from, to }: Period) {
  return { start: firstIndexFrom(timesS, from.getTime() / 1000), end: firstIndexFrom(timesS, to.getTime() / 1000) }
}

export function shownMoments({ timesS, series, compared }: ChartData, shown: Period): readonly number[] {
  const { start, end } = shownRange(timesS, shown)
  const indexes: number[] = []
  const lines = [...series, ...compared]
  for (let index = start; index < end; index++) {
    if (lines.some(({ values }) => values[index] !== null)) indexes.push(index)
  }
  return indexes
}
