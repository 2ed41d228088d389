import { readNowFacts } from '#server/darkness/now/nowFacts.ts'
import type { Given } from '#server/features/feature.ts'
import { lockDevice } from '#server/fleet/existingDevices.store.ts'
import { darknessRoutes } from './darkness.routes.ts'
import { createDarknessStore } from './darkness.store.ts'
import { createFeedChains, feedChainRoutes } from './feedChain.routes.ts'
import { createFeedStore } from './feeds.store.ts'

/** Explains why a display is dark, and manages the power wiring. */
export function darknessFeature({ pool, db, clock, live }: Pick<Given, 'pool' | 'db' | 'clock' | 'live'>) {
  const store = createDarknessStore(db)
  const feeds = createFeedStore(db)
  const feedChainOf = createFeedChains({ store, feeds })
  return {
    feedChainOf,
    routes: [
      ...darknessRoutes({
        store,
        readNowFacts: (deviceIds, now) => readNowFacts(pool, deviceIds, now),
        now: clock.now,
      }),
      ...feedChainRoutes({
        store,
        feeds,
        lockDevice,
        onChanged: live.noteChanged,
        transaction: (work) => db.transaction().execute(work),
      }),
    ],
  }
}
