import type { Given } from '#server/features/feature.ts'
import { clientRolloutsJob } from '#server/rollouts/clientRollouts.ts'
import { createCandidateStore } from './candidates.store.ts'
import { createDeviceClientStore } from './deviceClient.store.ts'
import { createProgressStore } from './progress.store.ts'
import { clientUpdateRoutes } from './rollouts.routes.ts'
import { createClientUpdates } from './rollouts.service.ts'
import { createRolloutStore } from './rollouts.store.ts'

export function clientUpdatesFeature({ db }: Pick<Given, 'db'>) {
  const { progress, updates } = clientUpdatesOf(db)
  return { routes: clientUpdateRoutes(updates, progress, createDeviceClientStore(db)), jobs: [clientRolloutsJob()] }
}

export function clientUpdatesOf(db: Given['db']) {
  const progress = createProgressStore(db)
  const rollouts = createRolloutStore(db)
  return { progress, updates: createClientUpdates({ candidates: createCandidateStore(db), rollouts, progress }) }
}
