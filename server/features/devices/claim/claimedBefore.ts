import type { Caller } from '#server/http/call/caller.ts'
import type { KnownDevice, KnownHardware } from './claims.store.ts'

/**
 * Whether another customer has claimed this hardware: then it is no concern of this caller, and staff decide. A written
 * serial number decides nothing, because anybody may have written it.
 */
export const isForeign = ({ customerId }: Caller, known: KnownHardware | undefined): boolean =>
  known?.wasClaimed === true && customerId !== undefined && customerId !== known.customerId

/** Staff alone are told which device has the same hardware (rules/claims 4). */
export function shownTo(
  { customerId }: Caller,
  known: KnownHardware | undefined,
): Pick<KnownDevice, 'id' | 'guid' | 'name' | 'customerName'> | null {
  if (!known || customerId !== undefined) return null
  const { id, guid, name, customerName } = known
  return { id, guid, name, customerName }
}
