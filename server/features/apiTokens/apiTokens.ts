import type { Given } from '../feature.ts'
import { apiTokenRoutes } from './apiTokens.routes.ts'
import { type ApiTokenNeeds, createApiTokens } from './apiTokens.service.ts'
import { createApiTokenStore } from './apiTokens.store.ts'

type Needs = Pick<Given, 'db'> & Omit<ApiTokenNeeds, 'store'>

/** What programs sign in with. */
export const apiTokensFeature = ({ db, ...needs }: Needs) => ({
  routes: apiTokenRoutes(createApiTokens({ ...needs, store: createApiTokenStore(db) })),
})
