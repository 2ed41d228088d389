import { useEffect, useMemo, useState } from 'react'
import { readRemembered, remember } from '#console/lib/remembered.ts'
import { useIsCustomerUser, useUser } from '#console/lib/session.ts'
import { unreadParameters } from '#console/router/unread.ts'
import { useAddress } from '#console/router/useAddress.ts'
import type { UserId } from '#domain/ids.ts'
import {
  type DeviceListAddress,
  type DeviceListFilter,
  filterOf,
  isBare,
  isFiltered,
  readDeviceListAddress,
  readDeviceListFilter,
} from './deviceListAddress.ts'

// By user: a filter of the one before in this browser may name a customer that this one must not see.
const rememberedAs = (userId: UserId) => `devices.filter.${userId}`

/** Every parameter absent: setting an address in part would leave the others behind. */
const BARE = {
  customerId: undefined,
  deviceName: undefined,
  modelId: undefined,
  attrSerial: undefined,
  statusId: undefined,
  filter: undefined,
  sort: undefined,
  descending: undefined,
  page: undefined,
  next: undefined,
} satisfies { [Name in keyof Required<DeviceListAddress>]: undefined }

export interface DeviceListAddressHook {
  readonly address: DeviceListAddress
  /** What the address gave and the list cannot read, in words. */
  readonly unread: readonly string[]
  /** Goes to another order, page or filter. A filter that an operator sets is also kept for the next visit. */
  readonly go: (next: DeviceListAddress, options?: { readonly replace?: boolean }) => void
}

/**
 * What the device list shows, as its address says. Who enters it without any parameter gets the filter of the last
 * visit; later on a bare address means an empty filter, so that Back out of a filter works.
 */
export function useDeviceListAddress(): DeviceListAddressHook {
  const { given: search, change } = useAddress('/devices')
  const { id: userId } = useUser()
  const isCustomerUser = useIsCustomerUser()
  const inAddress = useMemo(() => {
    const { customerId, ...others } = readDeviceListAddress(search)
    return isCustomerUser || customerId === undefined ? others : { customerId, ...others }
  }, [search, isCustomerUser])
  const [restored, setRestored] = useState(() => rememberedFilter(userId))
  const isRestoring = restored !== undefined && isBare(inAddress)

  // biome-ignore lint/correctness/useExhaustiveDependencies: once, on entering
  useEffect(() => {
    if (isRestoring) change({ ...BARE, ...restored }, { replace: true })
  }, [])
  useEffect(() => {
    if (!isRestoring) setRestored(undefined)
  }, [isRestoring])

  const go = (next: DeviceListAddress, options: { readonly replace?: boolean } = {}) => {
    setRestored(undefined)
    remember(rememberedAs(userId), { ...filterOf(next) })
    change({ ...BARE, ...next }, options)
  }
  const unread = unreadParameters(search, Object.keys(BARE), readDeviceListAddress(search))
  return { address: isRestoring ? restored : inAddress, unread, go }
}

function rememberedFilter(userId: UserId): DeviceListFilter | undefined {
  const filter = readDeviceListFilter(readRemembered(rememberedAs(userId)))
  return isFiltered(filter) ? filter : undefined
}
