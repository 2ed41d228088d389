import { useEffect, useMemo, useState } from 'react'
import { readRemembered, remember } from '#console/lib/remembered.ts'
import { useUser } from '#console/lib/session/session.ts'
import { useAddress } from '#console/router/useAddress.ts'
import { type Period, todayOf } from '#console/ui/filter/period.ts'
import type { UserId } from '#domain/ids.ts'
import {
  type AnalyticsLooks,
  readLooks,
  readMetrics,
  readRouteData,
  stepInUse,
  unreadInRouteData,
  writeLooks,
  writeRouteData,
} from './analyticsAddress.ts'
import { type MetricChoice, withMetrics } from './metricChoice.ts'

export interface AnalyticsAddress extends AnalyticsLooks {
  readonly metrics: readonly MetricChoice[]
  readonly period: Period
}

export interface AnalyticsAddressHook {
  readonly address: AnalyticsAddress
  /** It words the parts of the address that cannot be drawn. */
  readonly unread: readonly string[]
  readonly go: (changes: Partial<AnalyticsAddress>) => void
  readonly applied: ChartFilter
  /** The filter has changed since, so the chart shows something else than the fields say. */
  readonly isStale: boolean
  readonly apply: () => void
}

/** A reload applies these; metrics, axes and colours take effect at once. */
export interface ChartFilter {
  readonly period: Period
  readonly stepMinutes: AnalyticsLooks['stepMinutes']
}

// The metrics are kept by user, because the previous user of this browser may see devices that this one must not know
// of.
const keptAs = (userId: UserId) => `analytics.metrics.${userId}`
const readKept = (userId: UserId) => withMetrics([], readMetrics(readRemembered(keptAs(userId)).metric))

/**
 * It reads the Analytics page from its address. `data` with `removeExisting` false is joined with the metrics kept from
 * the last visit; without `data` only the kept ones are shown. The result is written into the address, which is
 * complete from then on, so that Back undoes every change.
 */
export function useAnalyticsAddress(): AnalyticsAddressHook {
  const { given: search, change } = useAddress('/analytics')
  const { id: userId } = useUser()
  const [today] = useState(() => todayOf(new Date()))
  const [isEntering, setIsEntering] = useState(true)

  const address = useMemo((): AnalyticsAddress => {
    const data = readRouteData(search.data)
    const existing = data ? !data.removeExisting : isEntering
    const metrics = withMetrics(existing ? readKept(userId) : [], data?.metrics ?? [])
    const looks = readLooks(search)
    const period = data?.period ?? today
    return { ...looks, metrics, period, stepMinutes: looks.stepMinutes }
  }, [search, userId, today, isEntering])

  const data = readRouteData(search.data)
  const isSettled = data?.removeExisting === true && data.period !== undefined
  const mustSettle = data ? !isSettled : isEntering && address.metrics.length > 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address as it is when it has to be completed
  useEffect(() => {
    if (mustSettle) change({ data: writeRouteData(address.metrics, address.period) }, { replace: true })
    else setIsEntering(false)
  }, [mustSettle])
  useEffect(() => {
    if (isSettled) remember(keptAs(userId), { metric: address.metrics })
  }, [isSettled, address.metrics, userId])

  const filter = filterOf(address)
  const { applied, isStale, apply, announce } = useAppliedFilter(filter)

  const go = (changes: Partial<AnalyticsAddress>) => {
    const next = { ...address, ...changes }
    setIsEntering(false)
    announce(filterOf(next))
    const needsData = search.data !== undefined || changes.metrics !== undefined || changes.period !== undefined
    change({ ...writeLooks(next), ...(needsData ? { data: writeRouteData(next.metrics, next.period) } : {}) })
  }
  return { address, unread: unreadInRouteData(search.data), go, applied, isStale, apply }
}

function filterOf({ period, stepMinutes }: AnalyticsAddress): ChartFilter {
  return { period, stepMinutes: stepInUse(stepMinutes, period) }
}

/** A changed filter makes the chart stale until a reload; an address is shown as it is (rules/analytics 8). */
function useAppliedFilter(filter: ChartFilter) {
  const key = filterKey(filter)
  const [applied, setApplied] = useState(filter)
  const [seen, setSeen] = useState(key)
  const [announced, setAnnounced] = useState<string>()
  if (key !== seen) {
    setSeen(key)
    if (key !== announced) setApplied(filter)
  }
  return {
    applied,
    isStale: filterKey(applied) !== key,
    apply: () => setApplied(filter),
    announce: (next: ChartFilter) => setAnnounced(filterKey(next)),
  }
}

function filterKey({ period, stepMinutes }: ChartFilter): string {
  return `${period.from.getTime()}-${period.to.getTime()}-${stepMinutes}`
}
