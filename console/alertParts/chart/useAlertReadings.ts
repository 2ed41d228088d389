import type { UseQueryResult } from '@tanstack/react-query'
import type { CallFailed } from '#console/lib/call/CallFailed.ts'
import { REFRESH_EVERY_MS } from '#console/lib/call/refreshPeriods.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { useOnTime } from '#console/lib/time/time.ts'
import type { AlertDetails } from '#contract/http/alerting/alerts.ts'
import { getAnalyticsColumns, getReadings } from '#contract/http/insight/analytics.ts'
import type { Occurrence } from '#domain/alerts/fold/occurrences.ts'
import type { FieldId } from '#domain/ids.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/units/time.ts'

/** The chart shows the time before and after the alert, so that cause and effect can be seen. */
const AROUND_MS = HOUR_MS
/** Hourly values are shown for a day, because two of them would say nothing. */
const AROUND_HOURS_MS = 12 * HOUR_MS
const LONGEST_READ_MS = 3 * DAY_MS

/** It reads single readings, or hours where the occurrence was too long or its readings are no longer kept. */
export function useAlertReadings({ deviceId }: AlertDetails, measurementId: FieldId, { from, to }: Occurrence) {
  // The time moves by whole minutes, so that an open chart goes on once a minute.
  const nowMs = useOnTime((now) => Math.ceil(now.getTime() / MINUTE_MS) * MINUTE_MS)
  const [fromMs, toMs] = [Date.parse(from), to === undefined ? undefined : Date.parse(to)]
  const endMs = Math.min(nowMs, toMs === undefined ? nowMs : toMs + AROUND_MS)
  const isLong = endMs - fromMs > LONGEST_READ_MS

  const raw = useCall(
    getReadings,
    // Readings that arrive before this end are covered by the same query.
    { deviceId, measurementId, ...periodText(fromMs - AROUND_MS, askedUntil(fromMs, toMs, nowMs)) },
    { enabled: !isLong, refreshEveryMs: toMs === undefined ? REFRESH_EVERY_MS.closely : REFRESH_EVERY_MS.besideLive },
  )
  const areGone = raw.data?.timesMs.length === 0
  const isHourly = isLong || areGone || raw.data?.isWhole === false
  const hoursAroundMs = isLong ? AROUND_MS : AROUND_HOURS_MS
  const hours = useCall(
    getAnalyticsColumns,
    {
      devices: [deviceId],
      measurements: [measurementId],
      ...periodText(fromMs - hoursAroundMs, Math.ceil(((toMs ?? nowMs) + hoursAroundMs) / HOUR_MS) * HOUR_MS),
      minutesRound: 60,
      withRange: true,
    },
    { enabled: isHourly, refreshEveryMs: REFRESH_EVERY_MS.besideLive },
  )
  const period = isHourly
    ? { from: new Date(fromMs - hoursAroundMs), to: new Date(Math.min(nowMs, (toMs ?? nowMs) + hoursAroundMs)) }
    : { from: new Date(fromMs - AROUND_MS), to: new Date(endMs) }
  return {
    /** The related queries round the end up to the hour, so that they are not made again every minute. */
    asked: { from: period.from, to: new Date(Math.ceil(period.to.getTime() / HOUR_MS) * HOUR_MS) },
    result: (isHourly ? hours : raw) as UseQueryResult<unknown, CallFailed>,
    period,
    readings: isHourly ? undefined : raw.data,
    columns: isHourly ? hours.data?.devices[0] : undefined,
    words: !isHourly ? 'Readings' : areGone ? 'Hourly means: single readings are no longer kept' : 'Hourly means',
  }
}

/** The requested end moves by the half hour, so that the query stays the same meanwhile. */
function askedUntil(fromMs: number, toMs: number | undefined, nowMs: number): number {
  const halfHourMs = HOUR_MS / 2
  return toMs === undefined ? Math.max(fromMs, Math.ceil(nowMs / halfHourMs) * halfHourMs) : toMs + AROUND_MS
}

const periodText = (fromMs: number, toMs: number) => ({
  dateFrom: new Date(fromMs).toISOString(),
  dateTo: new Date(toMs).toISOString(),
})
