import { useIsCustomerUser } from '#console/lib/session.ts'
import { useCall } from '#console/lib/useCall.ts'
import { listCustomers } from '#contract/http/lookups.ts'
import type { CustomerId } from '#domain/ids.ts'
import { LOOKUP_FRESH_MS, LookupPicker, type PickerProps } from './LookupPicker.tsx'

/** Absent for customer users, who have only their own customer (P1 §6). */
export function CustomerPicker(props: PickerProps<CustomerId>) {
  const isCustomerUser = useIsCustomerUser()
  const lookup = useCall(listCustomers, {}, { freshMs: LOOKUP_FRESH_MS, enabled: !isCustomerUser })
  return isCustomerUser ? null : <LookupPicker name="Customer" lookup={lookup} {...props} />
}
