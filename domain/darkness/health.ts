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

/** Of others it is known that they are not at work: nothing of them is wrong now, as the Overview counts it. */
export const AT_WORK_STATUS_ID = DEVICE_STATUS.active

/** For a map of many devices, which the database counts by the same rule (`server/features/devices/pinHealth.store.ts`). */
export function healthOf({ statusId, light, isSilent, isOnBattery, activeAlerts }: Condition): Health {
  const isAtWork = statusId === AT_WORK_STATUS_ID
  if (isAtWork && light === 'unplanned') return 'dark'
  if (isAtWork && isSilent) return 'silent'
  if (isAtWork && (activeAlerts > 0 || isOnBattery)) return 'warned'
  return light === null || light === 'unknown' || light === 'unplanned' ? 'unknown' : 'fine'
}
