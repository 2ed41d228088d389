import { text, wholeNumber } from '#console/router/addressFields.ts'
import type { CustomerId, DeviceModelId } from '#domain/ids.ts'
import { type Parameters, withoutEmpty } from './listAddress.ts'

/** What the filter bars of devices hold, by the parameter names of the calls (P1 §2). */
export interface DeviceFields {
  readonly customerId?: CustomerId
  /** Contained in the name, whatever the case. */
  readonly deviceName?: string
  readonly modelId?: DeviceModelId
  readonly attrSerial?: string
  readonly statusId?: number
}

/** Absent and empty values take a part of the filter away. */
export type DeviceFieldsChange = { readonly [Key in keyof DeviceFields]: DeviceFields[Key] | undefined }

/** Read leniently: what makes no sense is left out, the rest still counts. */
export function readDeviceFields(parameters: Parameters): DeviceFields {
  return withoutEmpty({
    customerId: wholeNumber(parameters.customerId) as CustomerId | undefined,
    deviceName: text(parameters.deviceName),
    modelId: wholeNumber(parameters.modelId) as DeviceModelId | undefined,
    attrSerial: text(parameters.attrSerial),
    statusId: wholeNumber(parameters.statusId),
  })
}
