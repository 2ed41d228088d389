import { DEVICE_MODELS, deviceModelName } from '#domain/devices/models.ts'
import { distinctTags, tagKey } from '#domain/devices/tags.ts'
import type { CustomerId } from '#domain/ids.ts'
import { notValid, required } from '#domain/validation/messages.ts'
import type { Given } from '#server/features/feature.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError } from '#server/http/call/callError.ts'
import { type Caller, type Scope, scopeOf } from '#server/http/call/caller.ts'
import { foundRow } from '#server/http/call/changeSteps.store.ts'
import type { RequestedCondition } from './conditionLabels.ts'
import { type ConditionPlace, findCustomerName, findPlacedDevice, type NamedCondition } from './thresholds.store.ts'

const refused = (sentence: string) => new CallError('invalid_request', sentence)
/** Nothing narrows this place down, so it names all devices. */
export const NOWHERE: ConditionPlace = { deviceId: null, modelId: null, customerId: null, tag: null, tagKey: null }

export interface Placed {
  readonly place: ConditionPlace
  readonly placeName: string
  /** The customer of the audit row; null for a condition of everybody's devices. */
  readonly customerId: CustomerId | null
}

type Database = Given['db'] | Tx
type RequestedPlace = Pick<RequestedCondition, 'deviceId' | 'modelId' | 'customerId' | 'tag' | 'allDevices'>

/** Finds the place of a new condition, or of one that is only previewed, within the caller's scope. */
export async function placeOf(
  db: Database,
  { deviceId, modelId, customerId, tag, allDevices }: RequestedPlace,
  caller: Caller,
): Promise<Placed> {
  if (allDevices) {
    if ([deviceId, modelId, customerId, tag].some((one) => one != null)) throw refused(notValid('allDevices'))
    requireStaff(caller)
    return { place: NOWHERE, placeName: ALL_DEVICES, customerId: null }
  }
  if (deviceId != null && modelId != null) throw refused(notValid('modelId'))
  const isOfOne = deviceId != null || modelId != null
  if (isOfOne && customerId != null) throw refused(notValid('customerId'))
  if (isOfOne && tag != null) throw refused(notValid('tag'))
  if (modelId != null) {
    requireStaff(caller)
    if (!DEVICE_MODELS.some(({ id }) => id === modelId)) throw refused(notValid('modelId'))
    return { place: { ...NOWHERE, modelId }, placeName: deviceModelName(modelId), customerId: null }
  }
  if (customerId != null || tag != null) return ofMany(db, { customerId, tag }, caller)
  if (deviceId == null) throw refused(required('deviceId'))
  const device = await foundRow(findPlacedDevice(db, deviceId, scopeOf(caller)))
  return { place: { ...NOWHERE, deviceId }, placeName: device.name, customerId: device.customerId }
}

/** When a customer's user chooses a tag, only the customer's own devices are meant. */
async function ofMany(
  db: Database,
  asked: Pick<RequestedPlace, 'customerId' | 'tag'>,
  caller: Caller,
): Promise<Placed> {
  const customerId = asked.customerId ?? caller.customerId ?? null
  const customer = customerId === null ? null : await foundRow(findCustomerName(db, customerId, scopeOf(caller)))
  const customerName = customer?.name ?? null
  if (asked.tag == null)
    return { place: { ...NOWHERE, customerId }, placeName: nameOfMany(customerName, null), customerId }
  const [tag = asked.tag] = distinctTags([asked.tag])
  const place = { ...NOWHERE, customerId, tag, tagKey: tagKey(tag) }
  return { place, placeName: nameOfMany(customerName, tag), customerId }
}

export const ALL_DEVICES = 'All devices'

const nameOfMany = (customerName: string | null, tag: string | null): string =>
  [tag === null ? '' : `#${tag}`, customerName ?? ''].filter(Boolean).join(' of ') || ALL_DEVICES

export function placeNameOf({ modelId, deviceName, customerName, tag }: NamedCondition): string {
  return modelId === null ? (deviceName ?? nameOfMany(customerName, tag)) : deviceModelName(modelId)
}

export async function whoseOf(
  db: Database,
  { deviceId, modelId, customerId, tag }: Pick<ConditionPlace, 'deviceId' | 'modelId' | 'customerId' | 'tag'>,
  scope: Scope,
): Promise<Omit<Placed, 'place'>> {
  if (modelId !== null) return { customerId: null, placeName: deviceModelName(modelId) }
  if (deviceId === null) {
    const customer = customerId === null ? undefined : await findCustomerName(db, customerId, scope)
    return { customerId, placeName: nameOfMany(customer?.name ?? null, tag) }
  }
  const device = await findPlacedDevice(db, deviceId, scope)
  return { customerId: device?.customerId ?? null, placeName: device?.name ?? '' }
}

/** Only staff may change what watches the devices of all customers (rules/alerts 6). */
export function requireMayEdit(
  { deviceId, customerId }: Pick<ConditionPlace, 'deviceId' | 'customerId'>,
  caller: Caller,
) {
  if (deviceId === null && customerId === null) requireStaff(caller)
}

function requireStaff(caller: Caller): void {
  if (caller.customerId !== undefined) throw new CallError('forbidden')
}
