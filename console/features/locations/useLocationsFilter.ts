import { useEffect, useMemo, useState } from 'react'
import { type DeviceFields, readDeviceFields } from '#console/lib/deviceFields.ts'
import { readRemembered, remember } from '#console/lib/remembered.ts'
import { useIsCustomerUser, useUser } from '#console/lib/session.ts'
import { useAddress } from '#console/router/useAddress.ts'
import type { UserId } from '#domain/ids.ts'
import { filterParameter, isFiltered, readLocationsFilter } from './locationsAddress.ts'

// By user: a filter of the one before in this browser may name a customer that this one must not see.
const rememberedAs = (userId: UserId) => `locations.filter.${userId}`

interface LocationsFilter {
  readonly filter: DeviceFields
  /** A filter that an operator sets is also kept for the next visit. */
  readonly go: (next: DeviceFields, options?: { readonly replace?: boolean }) => void
}

/**
 * What the map shows, as its address says. Who enters it without a filter gets the one of the last visit; later on a
 * bare address means no filter, so that Back out of a filter works.
 */
export function useLocationsFilter(): LocationsFilter {
  const { given: search, change } = useAddress('/locations')
  const { id: userId } = useUser()
  const isCustomerUser = useIsCustomerUser()
  const [restored, setRestored] = useState(() => rememberedFilter(userId))
  const isRestoring = restored !== undefined && search.filter === undefined
  const filter = useMemo(() => {
    const { customerId, ...others } = isRestoring ? restored : readLocationsFilter(search)
    return isCustomerUser || customerId === undefined ? others : { customerId, ...others }
  }, [search, isRestoring, restored, isCustomerUser])

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, on entering
  useEffect(() => {
    if (isRestoring) change({ filter }, { replace: true })
  }, [])
  useEffect(() => {
    if (!isRestoring) setRestored(undefined)
  }, [isRestoring])

  const go: LocationsFilter['go'] = (next, options = {}) => {
    setRestored(undefined)
    remember(rememberedAs(userId), { ...next })
    change({ filter: filterParameter(next) }, options)
  }
  return { filter, go }
}

function rememberedFilter(userId: UserId): DeviceFields | undefined {
  const filter = readDeviceFields(readRemembered(rememberedAs(userId)))
  return isFiltered(filter) ? filter : undefined
}
