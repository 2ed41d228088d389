import type { Given } from '#server/features/feature.ts'
import { notifyRouteRoutes } from './notificationRoutes.routes.ts'
import { createNotifyRoutes } from './notificationRoutes.service.ts'
import { createRotas } from './onCall.service.ts'
import { createRoutingStore } from './routing.store.ts'

export function notifyRoutesFeature({ db, clock }: Pick<Given, 'db' | 'clock'>) {
  const store = createRoutingStore(db)
  return { routes: notifyRouteRoutes(createNotifyRoutes(store), createRotas({ store, now: clock.now })) }
}
