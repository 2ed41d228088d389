import type { Given } from '#server/features/feature.ts'
import { savedViewRoutes } from './views.routes.ts'
import { createSavedViews } from './views.service.ts'
import { createSavedViewStore } from './views.store.ts'

export const savedViewsFeature = ({ db }: Pick<Given, 'db'>) => ({
  routes: savedViewRoutes(createSavedViews(createSavedViewStore(db))),
})
