import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { send } from '#console/lib/call/api.ts'
import { callKey } from '#console/lib/call/useCall.ts'
import { type ChartSeries, LEVEL_DASH } from '#console/ui/chart/series/chartSeries.ts'
import { legendNames } from '#console/ui/chart/series/legendNames.ts'
import { useScheme } from '#console/ui/style/scheme.ts'
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

/** A limit of lines of several colours has none of theirs. */
const SHARED_COLOUR = { dark: '#8b98a5', light: '#5c6873' }

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

/** Equal limits of several lines are one line, which names them all. */
export function useWithLimits(
  series: readonly ChartSeries[],
  timesS: readonly number[],
  limits: readonly Limited[],
): readonly ChartSeries[] {
  const scheme = useScheme()
  return useMemo(
    () => [...series, ...limitLines(series, timesS, limits, SHARED_COLOUR[scheme])],
    [series, timesS, limits, scheme],
  )
}

export function limitLines(
  series: readonly ChartSeries[],
  timesS: readonly number[],
  limits: readonly Limited[],
  sharedColour: string,
): readonly ChartSeries[] {
  const found = limits.flatMap(({ of, value, sign }) => {
    const own = series.find(({ key }) => key === of)
    return own ? [{ own, value, sign }] : []
  })
  const equal = Map.groupBy(found, ({ own, value, sign }) => `${own.axis} ${own.unit ?? ''} ${sign} ${value}`)
  return [...equal].flatMap(([key, [first, ...others]]): ChartSeries[] => {
    if (!first) return []
    const { own, value, sign } = first
    const owners = [own, ...others.map((other) => other.own)]
    return [
      {
        key: `limit ${key}`,
        of: owners.map((owner) => owner.key),
        name: `${joinedNames(owners.map(({ name }) => name))}, limit ${sign} ${formatNumber(value)}`,
        unit: own.unit,
        color: owners.every(({ color }) => color === own.color) ? own.color : sharedColour,
        axis: own.axis,
        values: timesS.map(() => value),
        isLevel: true,
        dash: LEVEL_DASH,
      },
    ]
  })
}

/** Names of one metric say it once: `Display · Internal temperature (°C) · Praha 0001, Graz 0002`. */
function joinedNames(names: readonly string[]): string {
  const { shared, own } = legendNames(names)
  return shared ? `${shared} · ${own.join(', ')}` : names.join(', ')
}
