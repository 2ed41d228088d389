import { getSystemState } from '#contract/http/operation/system.ts'
import type { Given } from '#server/features/feature.ts'
import { route } from '#server/http/call/route.ts'
import { readProcesses } from './processes.store.ts'

/** Shows people what `/healthz` and `/metrics` show programs. */
export const systemFeature = ({ pool, readSystemFigures }: Pick<Given, 'pool' | 'readSystemFigures'>) => ({
  routes: [
    route(getSystemState, async () => {
      const [processes, figures] = await Promise.all([readProcesses(pool), readSystemFigures()])
      return { ...figures, processes }
    }),
  ],
})
