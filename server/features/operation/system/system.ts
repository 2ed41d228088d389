import { getSystemState } from '#contract/http/operation/system.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import type { Given } from '#server/features/feature.ts'
import { route } from '#server/http/call/route.ts'
import { readStored } from './keptKinds.store.ts'
import { readProcesses } from './processes.store.ts'

/** Shows people what `/healthz` and `/metrics` show programs, and what is kept for how long. */
export function systemFeature({
  pool,
  config,
  readSystemFigures,
}: Pick<Given, 'pool' | 'config' | 'readSystemFigures'>) {
  // The sizes of a thousand tables are read once a minute, however many people look.
  let kept: ReturnType<typeof readStored> | undefined
  let readAt = Number.NEGATIVE_INFINITY
  const keptOfMinute = () => {
    if (kept === undefined || performance.now() - readAt > MINUTE_MS) {
      readAt = performance.now()
      kept = readStored(pool, config)
      kept.catch(() => (kept = undefined))
    }
    return kept
  }
  return {
    routes: [
      route(getSystemState, async () => {
        const [processes, figures, kept] = await Promise.all([readProcesses(pool), readSystemFigures(), keptOfMinute()])
        return { ...figures, ...kept, processes }
      }),
    ],
  }
}
