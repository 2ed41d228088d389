import type { AlertCondition } from '#contract/http/alerting/thresholds.ts'
import { conditionReach } from '#domain/alerts/conditionReach.ts'
import { deviceModelName } from '#domain/devices/models.ts'
import { tagKey } from '#domain/devices/tags.ts'
import type { CustomerId, DeviceId, DeviceModelId } from '#domain/ids.ts'

/** A condition belongs to a device, a model, a customer, a tag, a tag of a customer, or all devices. */
export type ConditionOwner =
  | { readonly deviceId: DeviceId }
  | { readonly modelId: DeviceModelId }
  | { readonly customerId: CustomerId }
  | { readonly tag: string; readonly customerId?: CustomerId }
  | { readonly allDevices: true }

export type NarrowOwner = Exclude<ConditionOwner, { readonly allDevices: true }>

export function ownerOfCondition({ deviceId, modelId, customerId, tag }: AlertCondition): ConditionOwner {
  if (deviceId !== null) return { deviceId }
  if (modelId !== null) return { modelId }
  if (tag !== null) return customerId === null ? { tag } : { tag, customerId }
  return customerId === null ? { allDevices: true } : { customerId }
}

/** The devices of a customer or a tag are of several models, so their conditions use fields of all of these. */
export function fieldsAskedOf(owner: ConditionOwner): { deviceId?: DeviceId; modelId?: DeviceModelId } {
  if ('deviceId' in owner) return { deviceId: owner.deviceId }
  return 'modelId' in owner ? { modelId: owner.modelId } : {}
}

export const isOfMany = (owner: ConditionOwner): boolean => !('deviceId' in owner)

export function isSameOwner(condition: AlertCondition, owner: ConditionOwner): boolean {
  const own = ownerOfCondition(condition)
  if ('tag' in own && 'tag' in owner)
    return tagKey(own.tag) === tagKey(owner.tag) && own.customerId === owner.customerId
  return JSON.stringify(own) === JSON.stringify(owner)
}

export function mayOverride(base: AlertCondition, owner: ConditionOwner): boolean {
  if (base.overridesId !== null || base.deviceId !== null || 'allDevices' in owner) return false
  const isForeign = 'customerId' in owner && base.customerId !== null && base.customerId !== owner.customerId
  return !isForeign && conditionReach(owner) < conditionReach(base)
}

/** It maps each condition to the one that replaces it, provided that all of them concern the same device. */
export function replacements(conditions: readonly AlertCondition[]): ReadonlyMap<number, AlertCondition> {
  const narrowest = new Map<number, AlertCondition>()
  for (const one of conditions) {
    if (one.overridesId === null) continue
    const known = narrowest.get(one.overridesId)
    const isNarrower = known && [conditionReach(one) - conditionReach(known), one.id - known.id].find(Boolean)
    if (!known || (isNarrower ?? 0) < 0) narrowest.set(one.overridesId, one)
  }
  return narrowest
}

/** It reads, for example, `#sunny of City of Prague`, and names the device where it is not the one shown. */
export function ownerText({ deviceId, modelId, placeName }: AlertCondition, owner?: ConditionOwner): string {
  if (modelId !== null) return `Model ${deviceModelName(modelId)}`
  return deviceId !== null && owner && 'deviceId' in owner && owner.deviceId === deviceId ? 'This device' : placeName
}

export function hereText(owner: ConditionOwner): string {
  if ('deviceId' in owner) return 'this device'
  if ('tag' in owner) return `devices with #${owner.tag}`
  if ('allDevices' in owner) return 'all devices'
  return 'customerId' in owner ? 'devices of this customer' : 'devices of this model'
}

export const countOfDevices = (count: number): string => (count === 1 ? '1 device' : `${count} devices`)
