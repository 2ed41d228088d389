import { useMemo } from 'react'
import { useCall } from '#console/lib/call/useCall.ts'
import { getPlannedDarkness, MOST_DARK_DAYS } from '#contract/http/insight/darkMinutes.ts'
import type { DeviceId } from '#domain/ids.ts'
import { DAY_MS } from '#domain/units/time.ts'

const NONE: readonly PlannedSpan[] = []

/** Both ends are in seconds since 1970, as charts need them. */
export interface PlannedSpan {
  readonly fromS: number
  readonly toS: number
}

/**
 * It returns when the off times of a device keep it dark within a period. It is empty without a device, while that is
 * loading, and for a period that the call does not answer; a user who may not read it sees the chart without it.
 */
export function usePlannedDarkness(
  deviceId: DeviceId | undefined,
  { from, to }: { readonly from: Date; readonly to: Date },
): readonly PlannedSpan[] {
  const isRequested = deviceId !== undefined && to.getTime() - from.getTime() <= MOST_DARK_DAYS * DAY_MS
  const { data } = useCall(
    getPlannedDarkness,
    { deviceId: deviceId ?? (0 as DeviceId), dateFrom: from.toISOString(), dateTo: to.toISOString() },
    { enabled: isRequested },
  )
  return useMemo(
    () =>
      (isRequested ? data : undefined)?.map((span) => ({
        fromS: Date.parse(span.from) / 1000,
        toS: Date.parse(span.to) / 1000,
      })) ?? NONE,
    [isRequested, data],
  )
}
