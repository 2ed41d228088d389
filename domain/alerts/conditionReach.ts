/** What a condition is meant for, as far as it says how many that are. */
interface Reaching {
  readonly deviceId?: number | null | undefined
  readonly modelId?: number | null | undefined
  readonly customerId?: number | null | undefined
  readonly tag?: string | null | undefined
}

/** Of all devices. */
export const WIDEST_REACH = 6

/** The lower, the fewer devices are meant: of several that replace the same one, the lowest counts. */
export function conditionReach({ deviceId, modelId, tag, customerId }: Reaching): number {
  const isOfCustomer = customerId !== undefined && customerId !== null
  if (deviceId !== undefined && deviceId !== null) return 1
  if (tag !== undefined && tag !== null) return isOfCustomer ? 2 : 3
  if (isOfCustomer) return 4
  return modelId !== undefined && modelId !== null ? 5 : WIDEST_REACH
}
