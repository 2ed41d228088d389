import { useQueries } from '@tanstack/react-query'
import { send } from '#console/lib/call/api.ts'
import { callKey } from '#console/lib/call/useCall.ts'
import type { Period } from '#console/ui/filter/period.ts'
import { getReadings } from '#contract/http/insight/analytics.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import { isMeasurement, type MetricChoice } from './metricChoice.ts'
import type { Statistics } from './statistics.ts'

export interface NewestReading {
  readonly value: number
  readonly at: Date
}

interface Wanted {
  readonly metrics: readonly MetricChoice[]
  readonly statistics: readonly (Statistics | undefined)[]
  readonly stepMinutes: number
  readonly shown: Period
  /** The time of the chart's answer: another answer has other newest readings. */
  readonly answeredMs: number
}

/**
 * The newest reading of each metric within what is shown: the last of its newest bucket, which holds an hour at most.
 * Undefined while it is asked for; null where readings of that time are no longer kept, and only their mean is.
 */
export function useNewestReadings({ metrics, statistics, stepMinutes, shown, answeredMs }: Wanted) {
  const answers = useQueries({
    queries: metrics.map((metric, index) => {
      const from = statistics[index]?.newestAt ?? shown.from
      const to = new Date(Math.min(from.getTime() + stepMinutes * MINUTE_MS - 1, shown.to.getTime()))
      const query = {
        deviceId: metric.deviceId,
        measurementId: metric.metricId,
        dateFrom: from.toISOString(),
        dateTo: to.toISOString(),
      }
      return {
        queryKey: [...callKey(getReadings, query), answeredMs],
        queryFn: ({ signal }: { signal: AbortSignal }) => send(getReadings, { query, signal }),
        enabled: statistics[index] !== undefined && isMeasurement(metric),
        staleTime: Number.POSITIVE_INFINITY,
      }
    }),
  })
  return answers.map(({ data, isError }): NewestReading | null | undefined => {
    if (isError) return null
    if (!data) return undefined
    const [value, at] = [data.values.at(-1), data.timesMs.at(-1)]
    return value === undefined || at === undefined ? null : { value, at: new Date(at) }
  })
}
