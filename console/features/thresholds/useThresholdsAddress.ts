import type { WrittenValues } from '#console/router/addressText.ts'
import { useAddress } from '#console/router/useAddress.ts'
import type { DeviceId, DeviceModelId } from '#domain/ids.ts'

/** What the conditions are of: one device with those of its model, or a whole model. */
export type ThresholdsMode = 'device' | 'model'

/** Whose conditions, and of which group of fields; everything in the address. */
export interface ThresholdsAddress {
  readonly mode: ThresholdsMode
  readonly deviceId?: DeviceId
  readonly modelId?: DeviceModelId
  /** Event type of the fields; absent: all. */
  readonly fieldGroupId?: number
}

export type ThresholdsChange = WrittenValues<'/thresholds'>

/** The device or model that conditions belong to. */
export type ConditionOwner = { readonly deviceId: DeviceId } | { readonly modelId: DeviceModelId }

/** Model mode is for staff (decisions: Who may do what); for others its address means the device. */
export function useThresholdsAddress(mayUseModels: boolean) {
  const { values, change } = useAddress('/thresholds')
  const address: ThresholdsAddress = { ...values, mode: mayUseModels ? (values.mode ?? 'device') : 'device' }
  return { address, change }
}

/** undefined while nothing is chosen. */
export function ownerOf({ mode, deviceId, modelId }: ThresholdsAddress): ConditionOwner | undefined {
  if (mode === 'model') return modelId === undefined ? undefined : { modelId }
  return deviceId === undefined ? undefined : { deviceId }
}
