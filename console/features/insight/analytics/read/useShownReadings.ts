import { useMemo } from 'react'
import { type ColumnsByDevice, chartDataOf } from '#console/ui/chart/series/chartData.ts'
import type { ChartSeries } from '#console/ui/chart/series/chartSeries.ts'
import { dashesOf } from '#console/ui/chart/series/dashes.ts'
import { drawnColour } from '#console/ui/chart/series/metricColours.ts'
import { type HiddenKeys, isHidden } from '#console/ui/chart/series/shownSeries.ts'
import type { Period } from '#console/ui/filter/period.ts'
import { useScheme } from '#console/ui/style/scheme.ts'
import { metricKey } from './metricChoice.ts'
import { type Statistics, shownMoments, statisticsOf } from './statistics.ts'
import type { NamedMetric } from './useMetricNames.ts'
import type { Readings } from './useReadings.ts'

export interface ShownReadings {
  readonly series: readonly ChartSeries[]
  readonly timesS: readonly number[]
  readonly statistics: readonly (Statistics | undefined)[]
  /** It holds the indexes of the moments shown. */
  readonly moments: readonly number[]
  /** It is true if there is any reading, within the part shown or outside it. */
  readonly hasReadings: boolean
  readonly period: Period
  readonly shown: Period
  readonly hidden: HiddenKeys
}

/** Tables and files hold only the series that are drawn. */
export const drawnOf = ({ series, hidden }: ShownReadings) => series.filter((one) => !isHidden(one, hidden))

const BEFORE_DASH = [2, 4] as const

const weekBeforeOf = (own: ChartSeries | undefined, values: ChartSeries['values']): ChartSeries[] =>
  own
    ? [
        {
          ...{ key: `${own.key}-week`, of: [own.key], name: `${own.name}, a week before`, isFaint: true, values },
          ...{ unit: own.unit, color: own.color, axis: own.axis, dash: BEFORE_DASH },
        },
      ]
    : []

interface Wanted {
  readonly metrics: readonly NamedMetric[]
  readonly readings: Readings | undefined
  readonly before: ColumnsByDevice | undefined
  readonly period: Period
  readonly zoom: Period | undefined
  readonly hasBand: boolean
}

export function useShownReadings({ metrics, readings, before, period, zoom, hasBand }: Wanted): ShownReadings {
  const scheme = useScheme()
  // Names and addresses come as new objects each time, so the key compares the text. The existing chart hides series
  // itself.
  const metricsKey = JSON.stringify(metrics.map(({ isHidden: _hidden, ...metric }) => metric))
  const shownKey = `${(zoom ?? period).from.getTime()}-${(zoom ?? period).to.getTime()}`
  // biome-ignore lint/correctness/useExhaustiveDependencies: see metricsKey
  const data = useMemo(
    () => chartDataOf(metrics, readings?.columnsByDevice ?? new Map(), readings?.stepMinutes ?? 60, before),
    [metricsKey, readings, before],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: see shownKey
  const moments = useMemo(() => shownMoments(data, zoom ?? period), [data, shownKey])
  // biome-ignore lint/correctness/useExhaustiveDependencies: see metricsKey
  const series = useMemo(() => {
    const dashes = dashesOf(metrics.map(({ color }) => color))
    const own = metrics.map((metric, index): ChartSeries => {
      const { values = [], low, high } = data.series[index] ?? {}
      return {
        key: metricKey(metric),
        name: `${metric.metricName} · ${metric.deviceName}`,
        unit: metric.unit,
        color: drawnColour(metric.color, scheme),
        dash: dashes[index],
        axis: metric.yAxis === 2 ? 'right' : 'left',
        values,
        ...(hasBand && low && high ? { low, high } : {}),
      }
    })
    return [...own, ...data.compared.flatMap(({ values }, index) => weekBeforeOf(own[index], values))]
  }, [metricsKey, data, scheme, hasBand])
  const hiddenKey = metrics
    .filter((metric) => metric.isHidden)
    .map(metricKey)
    .join()
  const hidden = useMemo(() => new Set(hiddenKey.split(',')), [hiddenKey])
  // biome-ignore lint/correctness/useExhaustiveDependencies: see metricsKey
  return useMemo(() => {
    const shown = zoom ?? period
    return {
      series,
      timesS: data.timesS,
      statistics: data.series.map(({ values, low, high }) =>
        statisticsOf(hasBand && low && high ? { values, low, high } : { values }, data.timesS, shown),
      ),
      moments,
      hasReadings: data.series.some(({ values }) => values.some((value) => value !== null)),
      period,
      shown,
      hidden,
    }
  }, [series, data, moments, shownKey, hasBand, hidden])
}
