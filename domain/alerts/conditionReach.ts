/** The target of a condition, as far as it decides how many devices that are. */
interface Reaching {
  readonly deviceId?: number | null | undefined
  readonly modelId?: number | null | undefined
  readonly customerId?: number | null | undefined
  readonly tag?: string | null | undefined
}

/** The reach of a condition for all devices. */
export const WIDEST_REACH = 6

/** Returns a lower number for fewer devices: of several conditions that override the same one, the lowest wins. */
export function conditionReach({ deviceId, modelId, tag, customerId }: Reaching): number {
  const isOfCustomer = customerId !== undefined && customerId !== null
  if (deviceId !== undefined && deviceId !== null) return 1
  if (tag !== undefined && tag !== null) return isOfCustomer ? 2 : 3
  if (isOfCustomer) return 4
  return modelId !== undefined && modelId !== null ? 5 : WIDEST_REACH
}
