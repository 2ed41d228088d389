import { type FormRules, formErrors } from '#console/lib/form/formErrors.ts'
import type { BodyOf } from '#contract/call/call.ts'
import { setDeviceDetails } from '#contract/http/devices/details.ts'
import type { Device } from '#contract/http/devices/devices.ts'
import type { CustomerId, DeviceModelId } from '#domain/ids.ts'
import { required } from '#domain/validation/messages.ts'

export type DetailsValues = {
  readonly name: string
  readonly address: string
  readonly attrSerial: string
  readonly description: string
  readonly tags: readonly string[]
  readonly internalIp: string
  readonly externalIp: string
  readonly latitude: number | string
  readonly longitude: number | string
  /** null means that the position or the customer's country decides. */
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
  tags: 'Tags',
  internalIp: 'Internal IP',
  externalIp: 'External IP',
  latitude: 'Latitude',
  longitude: 'Longitude',
  timeZone: 'Time zone',
  modelId: 'Model',
  customerId: 'Customer',
}

export function detailsValuesOf(device: Device): DetailsValues {
  const { name, address, attrSerial, description, tags } = device
  const { internalIp, externalIp, timeZone, modelId, customerId } = device
  return {
    ...{ name, address, attrSerial, description, tags, internalIp, externalIp, timeZone, modelId, customerId },
    latitude: device.latitude ?? '',
    longitude: device.longitude ?? '',
  }
}

/** The fields of the details follow rules/devices 3. */
export const DETAILS_RULES: FormRules<typeof setDeviceDetails, DetailsValues> = {
  labels: DETAILS_LABELS,
  content: ({ latitude, longitude, tags, ...others }) => ({
    ...others,
    tags: [...tags],
    latitude: latitude === '' ? null : Number(latitude),
    longitude: longitude === '' ? null : Number(longitude),
  }),
  requires: ['modelId', 'customerId'],
  // A position has both coordinates or none.
  check: ({ latitude, longitude }) => ({
    ...(latitude === '' && longitude !== '' ? { latitude: required(DETAILS_LABELS.latitude) } : {}),
    ...(longitude === '' && latitude !== '' ? { longitude: required(DETAILS_LABELS.longitude) } : {}),
  }),
}

export const detailsErrors = (values: DetailsValues) => formErrors(setDeviceDetails, values, DETAILS_RULES)

/** It returns degrees, or null when the field is empty or no number. */
export function degreesOf(value: number | string): number | null {
  const degrees = value === '' ? Number.NaN : Number(value)
  return Number.isFinite(degrees) ? degrees : null
}

export const POSITION = ['latitude', 'longitude'] as const

type Changes = Pick<BodyOf<typeof setDeviceDetails>, DetailsField>

/** Only changed fields are sent, so that two people who edit different fields do not undo each other. */
export function detailsChanges(before: DetailsValues, after: DetailsValues): Changes {
  const { latitude, longitude, tags, ...others } = after
  const changed = Object.entries(others).filter(([name, value]) => value !== before[name as DetailsField])
  const hasMoved = latitude !== before.latitude || longitude !== before.longitude
  return {
    ...Object.fromEntries(changed.map(([name, value]) => [name, name === 'description' ? value : trimmed(value)])),
    ...(tags.join() === before.tags.join() ? {} : { tags: [...tags] }),
    ...(hasMoved ? { latitude: degreesOf(latitude), longitude: degreesOf(longitude) } : {}),
  }
}

const trimmed = <Value>(value: Value): Value | string => (typeof value === 'string' ? value.trim() : value)

/** It returns the values that the user saw for the fields that change, so that the server can detect a conflict. */
export function basedOnOf(device: Device, changes: Changes): Changes {
  const names = Object.keys(changes) as DetailsField[]
  return Object.fromEntries(names.map((name) => [name, device[name]]))
}

export function differingDetails(one: DetailsValues, other: DetailsValues): readonly DetailsField[] {
  const names = Object.keys(DETAILS_LABELS) as DetailsField[]
  return names.filter((name) => String(one[name]) !== String(other[name]))
}
