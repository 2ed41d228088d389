import { conditionReach } from '#domain/alerts/conditionReach.ts'
import type { CustomerId, DeviceId, DeviceModelId } from '#domain/ids.ts'

export interface PlacedCondition {
  readonly id: number
  readonly deviceId: DeviceId | undefined
  readonly modelId: DeviceModelId | undefined
  /** Together with a tag it covers only the devices of the customer that have the tag. */
  readonly customerId: CustomerId | undefined
  readonly tagKey: string | undefined
  readonly overridesId: number | undefined
  /** Whether the wider condition is switched off here, with nothing in its place. */
  readonly isOff: boolean
}

export interface PlacedDevice {
  readonly id: DeviceId
  readonly modelId: DeviceModelId
  readonly customerId: CustomerId
  readonly tagKeys: readonly string[]
}

function names(condition: PlacedCondition, device: PlacedDevice): boolean {
  if (condition.deviceId !== undefined) return condition.deviceId === device.id
  if (condition.modelId !== undefined) return condition.modelId === device.modelId
  return (
    (condition.customerId === undefined || condition.customerId === device.customerId) &&
    (condition.tagKey === undefined || device.tagKeys.includes(condition.tagKey))
  )
}

const reach = ({ tagKey, ...place }: PlacedCondition): number => conditionReach({ ...place, tag: tagKey })

/** Conditions by what they cover. The SQL function `condition_applies` must decide the same. */
export class ConditionPlaces<Condition extends PlacedCondition> {
  readonly #byDevice = new Map<DeviceId, Condition[]>()
  readonly #byModel = new Map<DeviceModelId, Condition[]>()
  /** The conditions of customers, of tags and of all devices. */
  readonly #others: Condition[] = []

  constructor(conditions: readonly Condition[]) {
    for (const condition of conditions) {
      if (condition.deviceId !== undefined) append(this.#byDevice, condition.deviceId, condition)
      else if (condition.modelId !== undefined) append(this.#byModel, condition.modelId, condition)
      else this.#others.push(condition)
    }
  }

  mayApplyTo(deviceId: DeviceId): boolean {
    return this.#byModel.size > 0 || this.#others.length > 0 || this.#byDevice.has(deviceId)
  }

  of(device: PlacedDevice): readonly Condition[] {
    const named = [
      ...(this.#byDevice.get(device.id) ?? []),
      ...(this.#byModel.get(device.modelId) ?? []),
      ...this.#others.filter((condition) => names(condition, device)),
    ]
    const overrides = named.filter(({ overridesId }) => overridesId !== undefined)
    if (overrides.length === 0) return named
    const narrowest = new Map<number, Condition>()
    for (const one of overrides) {
      const key = one.overridesId as number
      const known = narrowest.get(key)
      if (!known || reach(one) < reach(known) || (reach(one) === reach(known) && one.id < known.id)) {
        narrowest.set(key, one)
      }
    }
    const present = new Set(named.map(({ id }) => id))
    return named.filter((one) => {
      if (one.overridesId === undefined) return !narrowest.has(one.id)
      return !one.isOff && present.has(one.overridesId) && narrowest.get(one.overridesId) === one
    })
  }
}

function append<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value) {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}
