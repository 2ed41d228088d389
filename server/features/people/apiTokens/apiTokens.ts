import type { Given } from '#server/features/feature.ts'
import { customerExists } from '#server/fleet/customerLookup.ts'
import { apiTokenRoutes } from './apiTokens.routes.ts'
import { type ApiTokenDeps, createApiTokens } from './apiTokens.service.ts'
import { createApiTokenStore } from './apiTokens.store.ts'

type Deps = Pick<Given, 'db'> & Omit<ApiTokenDeps, 'store' | 'customerExists'>

export const apiTokensFeature = ({ db, ...deps }: Deps) => ({
  routes: apiTokenRoutes(
    createApiTokens({
      ...deps,
      store: createApiTokenStore(db),
      customerExists: (id, scope) => customerExists(db, id, scope),
    }),
  ),
})
