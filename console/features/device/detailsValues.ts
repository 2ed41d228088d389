import type { BodyOf } from '#contract/http/call.ts'
import type { Device } from '#contract/http/device.ts'
import type { setDeviceDetails } from '#contract/http/deviceDetails.ts'
import type { CustomerId, DeviceModelId } from '#domain/ids.ts'
import { isIpAddressOrEmpty } from '#domain/validation/ipAddress.ts'
import { notAnIpAddress, notValid, required } from '#domain/validation/messages.ts'

/** What the details form holds; a number that is being typed is still text. */
export interface DetailsValues {
  readonly name: string
  readonly address: string
  readonly attrSerial: string
  readonly description: string
  readonly internalIp: string
  readonly externalIp: string
  readonly latitude: number | string
  readonly longitude: number | string
  /** null: as the position or the customer's country says. */
  readonly timeZone: string | null
  readonly modelId: DeviceModelId | undefined
  readonly customerId: CustomerId | undefined
}
export type DetailsField = keyof DetailsValues

export const DETAILS_LABELS: Readonly<Record<DetailsField, string>> = {
  name: 'Name',
  address: 'Address',
  attrSerial: 'Serial number',
  description: 'Description',
  internalIp: 'Internal IP',
  externalIp: 'External IP',
  latitude: 'Latitude',
  longitude: 'Longitude',
  timeZone: 'Time zone',
  modelId: 'Model',
  customerId: 'Customer',
}

/** As many characters as the call takes. */
export const LONGEST = { name: 200, address: 500, attrSerial: 200, description: 4000, ip: 15 } as const

export function detailsValuesOf(device: Device): DetailsValues {
  const { name, address, attrSerial, description, internalIp, externalIp, timeZone, modelId, customerId } = device
  return {
    ...{ name, address, attrSerial, description, internalIp, externalIp, timeZone, modelId, customerId },
    latitude: device.latitude ?? '',
    longitude: device.longitude ?? '',
  }
}

/** P1 §5 "Device details form": the sentence for each field that is filled in wrongly. */
export function detailsErrors(values: DetailsValues): Partial<Record<DetailsField, string>> {
  const { latitude, longitude } = DETAILS_LABELS
  return withoutAbsent({
    name: values.name.trim() === '' ? required(DETAILS_LABELS.name) : undefined,
    internalIp: isIpAddressOrEmpty(values.internalIp) ? undefined : notAnIpAddress(DETAILS_LABELS.internalIp),
    externalIp: isIpAddressOrEmpty(values.externalIp) ? undefined : notAnIpAddress(DETAILS_LABELS.externalIp),
    latitude: degreesError(latitude, values.latitude, 90, values.longitude),
    longitude: degreesError(longitude, values.longitude, 180, values.latitude),
    modelId: values.modelId === undefined ? required(DETAILS_LABELS.modelId) : undefined,
    customerId: values.customerId === undefined ? required(DETAILS_LABELS.customerId) : undefined,
  })
}

/** A position has both coordinates or none. */
function degreesError(label: string, value: number | string, most: number, other: number | string) {
  if (value === '') return other === '' ? undefined : required(label)
  const degrees = degreesOf(value)
  return degrees !== null && Math.abs(degrees) <= most ? undefined : notValid(label)
}

/** Degrees of a field; null when it is empty or no number. */
export function degreesOf(value: number | string): number | null {
  const degrees = value === '' ? Number.NaN : Number(value)
  return Number.isFinite(degrees) ? degrees : null
}

type Changes = Omit<BodyOf<typeof setDeviceDetails>, 'id'>

/** Only what was changed is sent, so that two people who edit different fields do not undo each other. */
export function detailsChanges(before: DetailsValues, after: DetailsValues): Changes {
  const { latitude, longitude, ...others } = after
  const changed = Object.entries(others).filter(([name, value]) => value !== before[name as DetailsField])
  const hasMoved = latitude !== before.latitude || longitude !== before.longitude
  return {
    ...Object.fromEntries(changed.map(([name, value]) => [name, name === 'name' ? String(value).trim() : value])),
    ...(hasMoved ? { latitude: degreesOf(latitude), longitude: degreesOf(longitude) } : {}),
  }
}

function withoutAbsent<Name extends string>(errors: Record<Name, string | undefined>): Partial<Record<Name, string>> {
  return Object.fromEntries(Object.entries(errors).filter(([, text]) => text !== undefined)) as Partial<
    Record<Name, string>
  >
}
