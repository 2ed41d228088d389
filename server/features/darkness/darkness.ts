import { holidaysOfDevice } from '#server/fleet/deviceHolidays.ts'
import { lockDevice } from '#server/fleet/existingDevices.store.ts'
import { readCurrentState } from '#server/telemetry/state/currentState.ts'
import type { Given } from '../feature.ts'
import { darknessRoutes } from './darkness.routes.ts'
import { createDarknessStore } from './darkness.store.ts'
import { feedChainRoutes } from './feedChain.routes.ts'
import { createFeedStore } from './feeds.store.ts'

/** Why a display is dark, and what feeds what. */
export function darknessFeature({ pool, db, clock }: Pick<Given, 'pool' | 'db' | 'clock'>) {
  const store = createDarknessStore(db)
  const feeds = createFeedStore(db)
  return {
    routes: [
      ...darknessRoutes({
        store,
        feeds,
        currentState: (deviceId) => readCurrentState(pool, deviceId),
        holidays: (deviceId, daysAhead) => holidaysOfDevice(pool, deviceId, daysAhead),
        now: clock.now,
      }),
      ...feedChainRoutes({ store, feeds, lockDevice, transaction: (work) => db.transaction().execute(work) }),
    ],
  }
}
