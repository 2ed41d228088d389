import type { Given } from '../feature.ts'
import { notifyRouteRoutes } from './notifyRoutes.routes.ts'
import { createNotifyRoutes } from './notifyRoutes.service.ts'
import { createRotas } from './rotas.service.ts'
import { createRoutingStore } from './routing.store.ts'

/** Which incidents are told where, and who is on call. */
export function notifyRoutesFeature({ db, clock }: Pick<Given, 'db' | 'clock'>) {
  const store = createRoutingStore(db)
  return { routes: notifyRouteRoutes(createNotifyRoutes(store), createRotas({ store, now: clock.now })) }
}
