import { useCall } from '#console/lib/call/useCall.ts'
import { useIsCustomerUser } from '#console/lib/session/session.ts'
import { listCustomers } from '#contract/http/operation/lookups.ts'
import type { CustomerId } from '#domain/ids.ts'
import { LookupPicker, type LookupResult, type PickerProps } from './LookupPicker.tsx'
import { LOOKUP_FRESH_MS } from './lookupFresh.ts'

interface Props extends PickerProps<CustomerId> {
  /** It hides deactivated customers, to which nothing can be added. The chosen one stays in any case. */
  readonly isForNew?: boolean
}

/** It is absent for users of a customer, who have only their own (rules/permissions 9). */
export function CustomerPicker({ isForNew = false, ...props }: Props) {
  const isCustomerUser = useIsCustomerUser()
  const lookup = useCall(listCustomers, {}, { freshMs: LOOKUP_FRESH_MS, enabled: !isCustomerUser })
  if (isCustomerUser) return null
  const offered = lookup.data
    ?.filter(({ id, isActive }) => !isForNew || isActive !== false || id === props.value)
    .map(({ id, name, isActive }) => ({ id, name: isActive === false ? `${name} (deactivated)` : name }))
  return <LookupPicker name="Customer" lookup={{ ...lookup, data: offered } as LookupResult} {...props} />
}
