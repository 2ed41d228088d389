import type { RolloutState } from '#domain/rollouts/states.ts'

const WHILE_RUNNING_MS = 2_000
const AT_REST_MS = 15_000

/** How often to look again: often while something moves. In other states devices may still be finishing. */
export function pollEveryMs(states: readonly RolloutState[] | undefined): number {
  return states?.includes('running') ? WHILE_RUNNING_MS : AT_REST_MS
}
