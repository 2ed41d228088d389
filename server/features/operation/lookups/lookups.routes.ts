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
import { scopeOf } from '#server/http/call/caller.ts'
import { type Route, route } from '#server/http/call/route.ts'
import type { LookupStore } from './lookups.store.ts'

const componentModels = COMPONENT_MODELS.map(({ id, name, categoryId, isOffered }) => ({
  id,
  name,
  categoryId,
  categoryName: COMPONENT_CATEGORIES.find((category) => category.id === categoryId)?.name ?? '',
  isOffered,
}))

export const lookupRoutes = (lookups: LookupStore): readonly Route[] => [
  route(listCustomers, async ({ caller }) =>
    (await lookups.customers(scopeOf(caller))).map(({ isActive, ...customer }) =>
      isActive ? customer : { ...customer, isActive },
    ),
  ),
  route(listCountries, () => lookups.countries()),
  route(listDeviceModels, () => [...DEVICE_MODELS]),
  route(listDeviceStatuses, () => [...DEVICE_STATUSES]),
  route(listConnectionStatuses, () => [...CONNECTION_STATUSES]),
  route(listEventTypes, () => EVENT_TYPES.map(({ id, group }) => ({ id, name: group }))),
  route(listComponentModels, () => componentModels),
]
