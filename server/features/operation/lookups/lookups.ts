import {
  listComponentModels,
  listConnectionStatuses,
  listCountries,
  listCustomers,
  listDeviceModels,
  listDeviceStatuses,
  listEventTypes,
} from '#contract/http/operation/lookups.ts'
import { EVENT_TYPES } from '#domain/catalogue/eventTypes.ts'
import { COMPONENT_CATEGORIES, COMPONENT_MODELS } from '#domain/components/componentModels.ts'
import { DEVICE_MODELS } from '#domain/devices/models.ts'
import { CONNECTION_STATUSES, DEVICE_STATUSES } from '#domain/devices/status.ts'
import type { Given } from '#server/features/feature.ts'
import { scopeOf } from '#server/http/call/caller.ts'
import { route } from '#server/http/call/route.ts'
import { readCountries, readCustomers } from './lookups.store.ts'

const componentModels = COMPONENT_MODELS.map(({ id, name, categoryId, isOffered }) => ({
  id,
  name,
  categoryId,
  categoryName: COMPONENT_CATEGORIES.find((category) => category.id === categoryId)?.name ?? '',
  isOffered,
}))

/** Lists what other calls name by id. */
export const lookupsFeature = ({ db }: Pick<Given, 'db'>) => ({
  routes: [
    route(listCustomers, async ({ caller }) =>
      (await readCustomers(db, scopeOf(caller))).map(({ isActive, ...customer }) =>
        isActive ? customer : { ...customer, isActive },
      ),
    ),
    route(listCountries, () => readCountries(db)),
    route(listDeviceModels, () => [...DEVICE_MODELS]),
    route(listDeviceStatuses, () => [...DEVICE_STATUSES]),
    route(listConnectionStatuses, () => [...CONNECTION_STATUSES]),
    route(listEventTypes, () => EVENT_TYPES.map(({ id, group }) => ({ id, name: group }))),
    route(listComponentModels, () => componentModels),
  ],
})
