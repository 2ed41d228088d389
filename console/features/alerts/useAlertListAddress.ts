import { useMemo } from 'react'
import { useIsCustomerUser } from '#console/lib/session.ts'
import { unreadParameters } from '#console/router/unread.ts'
import { useAddress } from '#console/router/useAddress.ts'
import type { DeviceId } from '#domain/ids.ts'
import { type AlertListAddress, readAlertListAddress } from './alertListAddress.ts'

/** Every parameter absent: setting an address in part would leave the others behind. */
const BARE = {
  customerId: undefined,
  deviceId: undefined,
  statusId: undefined,
  conditionStateId: undefined,
  id: undefined,
  alertText: undefined,
  filter: undefined,
  page: undefined,
  next: undefined,
} satisfies { [Name in keyof Required<AlertListAddress>]: undefined }

export interface AlertListAddressHook {
  readonly address: AlertListAddress
  /** What the address gave and the list cannot read, in words. */
  readonly unread: readonly string[]
  readonly go: (next: AlertListAddress, options?: { readonly replace?: boolean }) => void
}

/** What a list of alerts shows, as its address says; on the page of a device always that device. */
export function useAlertListAddress(ofDevice?: DeviceId): AlertListAddressHook {
  const { given: search, change } = useAddress('/alerts')
  const isCustomerUser = useIsCustomerUser()
  const address = useMemo(() => {
    const { customerId, deviceId, ...others } = readAlertListAddress(search)
    if (ofDevice !== undefined) return { ...others, deviceId: ofDevice }
    return {
      ...others,
      ...(customerId === undefined || isCustomerUser ? {} : { customerId }),
      ...(deviceId === undefined ? {} : { deviceId }),
    }
  }, [search, isCustomerUser, ofDevice])
  const go = (next: AlertListAddress, options: { readonly replace?: boolean } = {}) => {
    const fixed = ofDevice === undefined ? {} : { deviceId: undefined, customerId: undefined }
    change({ ...BARE, ...next, ...fixed }, options)
  }
  return { address, unread: unreadParameters(search, Object.keys(BARE), readAlertListAddress(search)), go }
}
