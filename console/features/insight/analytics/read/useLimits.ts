import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { send } from '#console/lib/call/api.ts'
import { callKey } from '#console/lib/call/useCall.ts'
import type { ChartSeries } from '#console/ui/chart/series/chartSeries.ts'
import { LEVEL_DASH } from '#console/ui/chart/series/chartSeries.ts'
import { getReadingLimits } from '#contract/http/devices/status.ts'
import { operatorByCode } from '#domain/alerts/operators.ts'
import { formatNumber } from '#domain/units/numbers.ts'
import { isMeasurement, type MetricChoice, metricKey } from './metricChoice.ts'

const LIMITS_FRESH_MS = 60_000
/** More limits would hide the readings. */
const MOST_LIMITS = 12

interface Limited {
  readonly of: string
  readonly value: number
  readonly sign: string
}

/** It reads the numbers that alert conditions compare the metrics with, each once. The chart does not wait for them. */
export function useLimits(metrics: readonly MetricChoice[]): readonly Limited[] {
  const measured = metrics.filter(isMeasurement)
  const deviceIds = [...new Set(measured.map(({ deviceId }) => deviceId))]
  const answers = useQueries({
    queries: deviceIds.map((deviceId) => ({
      queryKey: callKey(getReadingLimits, { deviceId }),
      queryFn: ({ signal }: { signal: AbortSignal }) => send(getReadingLimits, { query: { deviceId }, signal }),
      staleTime: LIMITS_FRESH_MS,
    })),
  })
  const found = measured.flatMap((metric): Limited[] => {
    const limits = answers[deviceIds.indexOf(metric.deviceId)]?.data ?? []
    const own = limits.filter(({ field_id }) => field_id === metric.metricId)
    return [...new Map(own.map((limit) => [limit.value, limit])).values()].map(({ value, operatorCode }) => ({
      of: metricKey(metric),
      value,
      sign: operatorByCode(operatorCode)?.sign ?? '',
    }))
  })
  // Every answer makes new objects, so the key compares the text.
  const key = JSON.stringify(found.slice(0, MOST_LIMITS))
  return useMemo(() => JSON.parse(key) as Limited[], [key])
}

export function useWithLimits(
  series: readonly ChartSeries[],
  timesS: readonly number[],
  limits: readonly Limited[],
): readonly ChartSeries[] {
  return useMemo(
    () => [
      ...series,
      ...limits.flatMap(({ of, value, sign }) => {
        const own = series.find(({ key }) => key === of)
        if (!own) return []
        const { unit, color, axis } = own
        const line = {
          key: `${of}-limit-${value}`,
          of,
          name: `${own.name}, limit ${sign} ${formatNumber(value)}`,
          unit,
          color,
          axis,
        }
        return [{ ...line, values: timesS.map(() => value), isLevel: true as const, dash: LEVEL_DASH }]
      }),
    ],
    [series, timesS, limits],
  )
}
