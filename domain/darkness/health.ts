import type { LightKind } from './minutes/darkMinutes.ts'
import type { WrongKind } from './wrongKinds.ts'

/** The present state of a device in one word, the worst first. */
export type Health = 'dark' | 'silent' | 'warned' | 'unknown' | 'maintained' | 'fine'

export interface Condition {
  /** The worst present problem, as the Overview counts it; null if there is none. */
  readonly wrong: WrongKind | null
  /** Null if the light was not evaluated, or nothing reports it. */
  readonly light: LightKind | null
}

/** The database counts devices of a map by the same rule (`server/features/devices/list/pinHealth.store.ts`). */
export function healthOf({ wrong, light }: Condition): Health {
  if (wrong === 'dark' || wrong === 'silent') return wrong
  if (wrong !== null) return wrong === 'inMaintenance' ? 'maintained' : 'warned'
  if (light === 'maintenance') return 'maintained'
  return light === null || light === 'unknown' || light === 'unplanned' ? 'unknown' : 'fine'
}
