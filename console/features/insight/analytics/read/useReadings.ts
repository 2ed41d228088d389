import { keepPreviousData, type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { send } from '#console/lib/call/api.ts'
import { CallFailed } from '#console/lib/call/CallFailed.ts'
import type { ColumnsByDevice } from '#console/ui/chart/series/chartData.ts'
import { type DeviceColumns, getAnalyticsColumns } from '#contract/http/insight/analytics.ts'
import type { StepMinutes } from '#domain/analytics/step.ts'
import type { DeviceId, FieldId } from '#domain/ids.ts'
import { WEEK_MS } from '#domain/units/time.ts'
import { isMeasurement, type MetricChoice } from './metricChoice.ts'
import type { ChartFilter } from './useAnalyticsAddress.ts'

export interface Readings {
  readonly columnsByDevice: ColumnsByDevice
  /** These devices were deleted, or this user may no longer see them. */
  readonly failed: ReadonlyMap<DeviceId, CallFailed>
  readonly stepMinutes: StepMinutes
}

interface DeviceRequest {
  readonly deviceId: DeviceId
  readonly metricIds: readonly FieldId[]
}

/**
 * It makes one call for each device with its own metrics, because one call for all would read every metric of every
 * device. A device that is gone, or a measurement that does not exist, does not affect the others.
 */
export function useReadings(
  metrics: readonly MetricChoice[],
  { period, stepMinutes }: ChartFilter,
): UseQueryResult<Readings, CallFailed> {
  const requests = requestsOf(metrics)
  return useQuery<Readings, CallFailed>({
    queryKey: [getAnalyticsColumns.path, 'chart', requests, period.from.getTime(), period.to.getTime(), stepMinutes],
    queryFn: ({ signal }) => readAll(requests, { period, stepMinutes }, signal),
    enabled: requests.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  })
}

export function useWeekBefore(
  metrics: readonly MetricChoice[],
  { period, stepMinutes }: ChartFilter,
  isOn: boolean,
): ColumnsByDevice | undefined {
  const before = { from: weekBefore(period.from), to: weekBefore(period.to) }
  const { data } = useReadings(isOn ? metrics : [], { period: before, stepMinutes })
  const isRequested = isOn && metrics.length > 0
  return useMemo(() => (isRequested && data ? moved(data.columnsByDevice) : undefined), [isRequested, data])
}

const weekBefore = (moment: Date) => new Date(moment.getTime() - WEEK_MS)

const moved = (columnsByDevice: ColumnsByDevice): ColumnsByDevice =>
  new Map(
    [...columnsByDevice].map(([deviceId, columns]) => [
      deviceId,
      columns && { ...columns, from: new Date(Date.parse(columns.from) + WEEK_MS).toISOString() },
    ]),
  )

async function readAll(requests: readonly DeviceRequest[], { period, stepMinutes }: ChartFilter, signal: AbortSignal) {
  const answers = await Promise.allSettled(
    requests.map(({ deviceId, metricIds }) =>
      send(getAnalyticsColumns, {
        query: {
          devices: [deviceId],
          measurements: [...metricIds],
          dateFrom: period.from.toISOString(),
          dateTo: period.to.toISOString(),
          minutesRound: stepMinutes,
          withRange: true,
        },
        signal,
      }),
    ),
  )
  const columnsByDevice = new Map<DeviceId, DeviceColumns | undefined>()
  const failed = new Map<DeviceId, CallFailed>()
  for (const [index, { deviceId }] of requests.entries()) {
    const answer = answers[index]
    if (answer?.status === 'fulfilled') columnsByDevice.set(deviceId, answer.value.devices[0])
    else if (answer?.reason instanceof CallFailed) failed.set(deviceId, answer.reason)
    else throw answer?.reason
  }
  const all = [...failed.values()]
  // A failure that is not of one device concerns all of them, such as a lost network or too long a period.
  const general = all.find(({ code }) => code !== 'not_found')
  if (general) throw general
  if (columnsByDevice.size === 0 && all[0]) throw all[0]
  return { columnsByDevice, failed, stepMinutes }
}

/** A fixed order keeps the query the same when colours, axes or the order of rows change. */
function requestsOf(metrics: readonly MetricChoice[]): readonly DeviceRequest[] {
  const byDevice = new Map<DeviceId, FieldId[]>()
  for (const { deviceId, metricId } of metrics.filter(isMeasurement))
    byDevice.set(deviceId, [...(byDevice.get(deviceId) ?? []), metricId])
  return [...byDevice]
    .map(([deviceId, metricIds]) => ({ deviceId, metricIds: metricIds.sort((one, other) => one - other) }))
    .sort((one, other) => one.deviceId - other.deviceId)
}
