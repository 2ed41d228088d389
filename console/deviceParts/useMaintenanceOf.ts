import { REFRESH_EVERY_MS } from '#console/lib/call/refreshPeriods.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { useMay } from '#console/lib/session/session.ts'
import { formatClock } from '#console/lib/time/time.ts'
import { listMaintenanceWindows, type MaintenanceWindow } from '#contract/http/alerting/maintenanceWindows.ts'
import type { Device } from '#contract/http/devices/devices.ts'

type LastingWindow = MaintenanceWindow & { readonly current: NonNullable<MaintenanceWindow['current']> }

/** The head of a device's page and its tab ask the same, one after the other. */
const FRESH_MS = 5_000

const isLasting = (window: MaintenanceWindow): window is LastingWindow => window.current !== null

/** Several windows may apply to a device at once; the one that ends last is returned. */
export function useMaintenanceOf({ id }: Pick<Device, 'id'>): LastingWindow | undefined {
  const mayRead = useMay(listMaintenanceWindows.permission)
  const { data } = useCall(
    listMaintenanceWindows,
    { deviceId: id },
    { enabled: mayRead, refreshEveryMs: REFRESH_EVERY_MS.besideLive, freshMs: FRESH_MS },
  )
  return data?.rows
    .filter(isLasting)
    .sort((a, b) => a.current.to.localeCompare(b.current.to))
    .at(-1)
}

export const maintenanceLabel = ({ current, reason }: LastingWindow): string =>
  `until ${formatClock(current.to)} · ${reason}`
