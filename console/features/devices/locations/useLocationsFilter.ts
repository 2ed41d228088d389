import { useMemo } from 'react'
import { type DeviceFields, type DeviceFieldsChange, readDeviceFields } from '#console/deviceParts/deviceFields.ts'
import { useRememberedFilter } from '#console/lib/list/useRememberedFilter.ts'
import { useIsCustomerUser } from '#console/lib/session/session.ts'
import type { Way } from '#console/router/Router.tsx'
import { useAddress } from '#console/router/useAddress.ts'
import { filterParameter, isFiltered, readLocationsFilter, unreadFilter } from './locationsAddress.ts'

interface LocationsFilter {
  readonly filter: DeviceFields
  /** A filter that an operator sets is also kept for the next visit. */
  readonly go: (next: Partial<DeviceFieldsChange>, way?: Way) => void
  readonly at: string | undefined
  readonly setAt: (at: string | undefined) => void
  readonly unread: readonly string[]
}

/** The filter comes from the address, or from the last visit if the address has none. */
export function useLocationsFilter(): LocationsFilter {
  const { given, values, unread, change } = useAddress('/locations')
  const isCustomerUser = useIsCustomerUser()
  const allowed = ({ customerId, ...others }: DeviceFields): DeviceFields =>
    isCustomerUser || customerId === undefined ? others : { customerId, ...others }
  const { restored, keep } = useRememberedFilter({
    of: 'locations',
    read: readDeviceFields,
    // A link to a place shows what its sender saw there.
    isBare: given.filter === undefined && given.at === undefined && given.view === undefined,
    restore: (filter) => change({ filter: allowed(filter) }, { replace: true }),
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is allowed follows from whose customer one is
  const filter = useMemo(() => allowed(restored ?? readLocationsFilter(given)), [given, restored, isCustomerUser])
  return {
    filter,
    go: (next, way) => {
      const read = readDeviceFields({ ...next })
      keep(read)
      // The saved view no longer applies if the filter is empty.
      change({ filter: filterParameter(read), ...(isFiltered(read) ? {} : { view: undefined }) }, way)
    },
    at: values.at,
    setAt: (at) => change({ at }, { replace: true }),
    unread: [...unreadFilter(given), ...unread],
  }
}
