import { REFRESH_EVERY_MS } from '#console/lib/call/refreshPeriods.ts'
import type { ClientUpdate } from '#contract/http/software/rollouts.ts'
import { BEGUN_STATES } from '#domain/rollouts/states.ts'

/** It polls often while something moves; devices may finish in every state. */
export function pollEveryMs(updates: readonly Pick<ClientUpdate, 'state' | 'counts'>[] | undefined): number {
  const isMoving = updates?.some(
    ({ state, counts }) => state === 'running' || BEGUN_STATES.some((one) => counts[one] > 0),
  )
  return isMoving ? REFRESH_EVERY_MS.ofUpdate : REFRESH_EVERY_MS.closely
}
