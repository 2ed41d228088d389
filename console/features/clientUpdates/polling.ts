import { REFRESH_EVERY_MS } from '#console/lib/call/refreshPeriods.ts'
import type { RolloutState } from '#domain/rollouts/states.ts'

/** How often to look again: often while something moves. In other states devices may still be finishing. */
export function pollEveryMs(states: readonly RolloutState[] | undefined): number {
  return states?.includes('running') ? REFRESH_EVERY_MS.ofUpdate : REFRESH_EVERY_MS.closely
}
