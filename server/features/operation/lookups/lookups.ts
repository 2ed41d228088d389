import type { Given } from '#server/features/feature.ts'
import { lookupRoutes } from './lookups.routes.ts'
import { createLookupStore } from './lookups.store.ts'

export const lookupsFeature = ({ db }: Pick<Given, 'db'>) => ({ routes: lookupRoutes(createLookupStore(db)) })
