import { DEVICE_STATUS } from '../devices/status.ts'
import type { LightKind } from './darkMinutes.ts'

/** How a device is now, in one word: the worst first. */
export type Health = 'dark' | 'silent' | 'warned' | 'unknown' | 'fine'

/** What the verdict of now says of a device; null where nobody judged, or nothing tells it. */
export interface Condition {
  readonly statusId: number
  readonly light: LightKind | null
  readonly isSilent: boolean | null
  readonly isOnBattery: boolean | null
  readonly activeAlerts: number
}

/** These are expected to say nothing. */
export const QUIET_STATUS_IDS: readonly number[] = [DEVICE_STATUS.pending, DEVICE_STATUS.deactivated]

/** For a map of many devices, which the database counts by the same rule (`server/features/devices/pinHealth.store.ts`). */
export function healthOf({ statusId, light, isSilent, isOnBattery, activeAlerts }: Condition): Health {
  if (light === 'unplanned') return 'dark'
  if (isSilent && !QUIET_STATUS_IDS.includes(statusId)) return 'silent'
  if (activeAlerts > 0 || isOnBattery) return 'warned'
  return light === null || light === 'unknown' ? 'unknown' : 'fine'
}
