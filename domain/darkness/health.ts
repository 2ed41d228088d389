import type { LightKind } from './minutes/darkMinutes.ts'
import type { WrongKind } from './wrongKinds.ts'

/** How a device is now, in one word: the worst first. */
export type Health = 'dark' | 'silent' | 'warned' | 'unknown' | 'maintained' | 'fine'

/** What the verdict of now says of a device. */
export interface Condition {
  /** The worst of what is wrong of it, as the Overview counts it; null where nothing is. */
  readonly wrong: WrongKind | null
  /** Null where nobody judged, or nothing tells it. */
  readonly light: LightKind | null
}

/** For a map of many devices, which the database counts by the same rule (`server/features/devices/list/pinHealth.store.ts`). */
export function healthOf({ wrong, light }: Condition): Health {
  if (wrong === 'dark' || wrong === 'silent') return wrong
  if (wrong !== null) return wrong === 'inMaintenance' ? 'maintained' : 'warned'
  if (light === 'maintenance') return 'maintained'
  return light === null || light === 'unknown' || light === 'unplanned' ? 'unknown' : 'fine'
}
