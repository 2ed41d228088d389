import { useSession } from '#console/lib/session/session.ts'
import type { WrittenValues } from '#console/router/addressText.ts'
import { useAddress } from '#console/router/useAddress.ts'
import type { CustomerId, DeviceId, DeviceModelId } from '#domain/ids.ts'
import type { ConditionOwner } from './condition/conditionOwner.ts'

export type ThresholdsMode = 'all' | 'device' | 'model' | 'customer' | 'tag'

export interface ThresholdsAddress {
  readonly mode: ThresholdsMode
  readonly deviceId?: DeviceId
  readonly modelId?: DeviceModelId
  readonly customerId?: CustomerId
  readonly tag?: string
  /** It is the event type of the fields; absent means all. */
  readonly fieldGroupId?: number
}

export const STAFF_MODES: readonly ThresholdsMode[] = ['all', 'model']

export type ThresholdsChange = WrittenValues<'/thresholds'>

/**
 * Conditions of all devices or a whole model are for staff (rules/alerts 6). Users of a customer see their own customer
 * alone, so for them all devices are the devices of their customer.
 */
export function useThresholdsAddress() {
  const { values, change } = useAddress('/thresholds')
  const ownCustomerId = useSession()?.user.customerId
  const isStaff = ownCustomerId === undefined
  const widest = isStaff ? 'all' : 'customer'
  const mode = values.mode ?? (values.deviceId === undefined ? widest : 'device')
  const address: ThresholdsAddress = {
    ...values,
    mode: STAFF_MODES.includes(mode) && !isStaff ? (values.deviceId === undefined ? widest : 'device') : mode,
    ...(isStaff ? {} : { customerId: ownCustomerId }),
  }
  return { address, change, isStaff }
}

export function ownerOf({ mode, deviceId, modelId, customerId, tag }: ThresholdsAddress): ConditionOwner | undefined {
  if (mode === 'all') return { allDevices: true }
  if (mode === 'model') return modelId === undefined ? undefined : { modelId }
  if (mode === 'customer') return customerId === undefined ? undefined : { customerId }
  if (mode === 'tag')
    return tag === undefined ? undefined : { tag, ...(customerId === undefined ? {} : { customerId }) }
  return deviceId === undefined ? undefined : { deviceId }
}
