import { useEffect, useMemo, useState } from 'react'
import { readRemembered, remember, useAddress } from '#console/lib/address.ts'
import {
  type DeviceListAddress,
  type DeviceListFilter,
  filterOf,
  isBare,
  isFiltered,
  readDeviceListAddress,
  readDeviceListFilter,
} from './deviceListAddress.ts'

const REMEMBERED_AS = 'devices.filter'

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
  /** Goes to another order, page or filter. A filter that an operator sets is also kept for the next visit. */
  readonly go: (next: DeviceListAddress, options?: { readonly replace?: boolean }) => void
}

/**
 * What the device list shows, as its address says. Who enters it without any parameter gets the filter of the last
 * visit; later on a bare address means an empty filter, so that Back out of a filter works.
 */
export function useDeviceListAddress(): DeviceListAddressHook {
  const [search, change] = useAddress()
  const inAddress = useMemo(() => readDeviceListAddress(search), [search])
  const [restored, setRestored] = useState(() => (isBare(inAddress) ? rememberedFilter() : undefined))
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
    remember(REMEMBERED_AS, { ...filterOf(next) })
    change({ ...BARE, ...next }, options)
  }
  return { address: isRestoring ? restored : inAddress, go }
}

function rememberedFilter(): DeviceListFilter | undefined {
  const filter = readDeviceListFilter(readRemembered(REMEMBERED_AS))
  return isFiltered(filter) ? filter : undefined
}
