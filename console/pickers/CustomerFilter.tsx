import { useCall } from '#console/lib/call/useCall.ts'
import { useIsCustomerUser } from '#console/lib/session/session.ts'
import { PlainSelect } from '#console/ui/plain/PlainSelect.tsx'
import { listCustomers } from '#contract/http/operation/lookups.ts'
import type { CustomerId } from '#domain/ids.ts'
import { LOOKUP_FRESH_MS } from './lookupFresh.ts'

const ALL_CUSTOMERS = { value: '', label: 'All customers' }
const NOT_LOADED = { value: 'notLoaded', label: 'Could not be loaded', isDisabled: true }

interface Props {
  readonly value: CustomerId | undefined
  readonly onChange: (value: CustomerId | undefined) => void
}

/**
 * It is the `CustomerPicker` of the Overview, which is shown before the UI kit is loaded. It is absent for users of a
 * customer, who have only their own.
 */
export function CustomerFilter({ value, onChange }: Props) {
  const isCustomerUser = useIsCustomerUser()
  const lookup = useCall(listCustomers, {}, { freshMs: LOOKUP_FRESH_MS, enabled: !isCustomerUser })
  if (isCustomerUser) return null
  const known = (lookup.data ?? []).map(({ id, name, isActive }) => ({
    value: String(id),
    label: isActive === false ? `${name} (deactivated)` : name,
  }))
  const isKnown = value === undefined || known.some((choice) => choice.value === String(value))
  const unknown = { value: String(value), label: lookup.isPending ? 'Loading…' : `Customer ${value}` }
  return (
    <PlainSelect
      aria-label="Customer"
      choices={[ALL_CUSTOMERS, ...known, ...(isKnown ? [] : [unknown]), ...(lookup.isError ? [NOT_LOADED] : [])]}
      value={String(value ?? ALL_CUSTOMERS.value)}
      onChange={(chosen) => onChange(chosen === ALL_CUSTOMERS.value ? undefined : (Number(chosen) as CustomerId))}
    />
  )
}
