import { REFRESH_EVERY_MS } from '#console/lib/call/refreshPeriods.ts'
import { type CallResult, useCall } from '#console/lib/call/useCall.ts'
import { viewerTimeZone } from '#console/lib/time/viewerZone.ts'
import { useAddress } from '#console/router/useAddress.ts'
import { getAvailability } from '#contract/http/insight/darkMinutes.ts'
import type { CustomerId } from '#domain/ids.ts'
import { addDays, wallClock } from '#domain/units/wallClock.ts'

const DEFAULT_DAYS = 7

export const LIGHT_PERIODS = [7, 30, 90, 365] as const

export type FleetLight = CallResult<typeof getAvailability>

export function useLightDays() {
  const { values, change } = useAddress('/overview')
  const days = LIGHT_PERIODS.find((one) => one === values.lightDays) ?? DEFAULT_DAYS
  const setDays = (next: number) => change({ lightDays: next === DEFAULT_DAYS ? undefined : next }, { replace: true })
  return [days, setDays] as const
}

/** It reads the fleet's light of the last days, today included; each device's days are by its own clock. */
export function useFleetLight(customerId: CustomerId | undefined, days: number): FleetLight {
  const dateTo = wallClock(new Date(), viewerTimeZone()).date
  return useCall(
    getAvailability,
    { ...(customerId === undefined ? {} : { customerId }), dateFrom: addDays(dateTo, 1 - days), dateTo },
    { refreshEveryMs: REFRESH_EVERY_MS.besideLive, keepsPrevious: true },
  )
}
