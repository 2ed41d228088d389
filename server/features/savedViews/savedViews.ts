import type { Given } from '../feature.ts'
import { savedViewRoutes } from './savedViews.routes.ts'
import { createSavedViews } from './savedViews.service.ts'
import { createSavedViewStore } from './savedViews.store.ts'

/** What people keep of the lists of devices, and share. */
export const savedViewsFeature = ({ db }: Pick<Given, 'db'>) => ({
  routes: savedViewRoutes(createSavedViews(createSavedViewStore(db))),
})
