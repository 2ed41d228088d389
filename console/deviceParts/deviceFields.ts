import { DEVICE_FIELDS } from '#console/router/addresses.ts'
import type { Given } from '#console/router/addressText.ts'
import { type FieldValues, readFields } from '#console/router/useAddress.ts'

/** The filter bars of devices hold these fields, by the parameter names of the calls (rules/addresses 6). */
export type DeviceFields = FieldValues<typeof DEVICE_FIELDS>

export type DeviceFieldsChange = { readonly [Name in keyof DeviceFields]: DeviceFields[Name] | undefined }

/** It reads leniently: an invalid value is dropped, the rest still counts. */
export const readDeviceFields = (given: Given): DeviceFields => readFields(DEVICE_FIELDS, given)
