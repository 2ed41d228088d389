import { useCall } from '#console/lib/call/useCall.ts'
import { useIsCustomerUser } from '#console/lib/session/session.ts'
import { LaterSelect } from '#console/ui/select/LaterSelect.tsx'
import { listCustomers } from '#contract/http/operation/lookups.ts'
import type { CustomerId } from '#domain/ids.ts'
import { LOOKUP_FRESH_MS } from './lookupFresh.ts'

const MOST_OFFERED = 200

interface Props {
  readonly value: CustomerId | undefined
  readonly onChange: (value: CustomerId | undefined) => void
}

/** As `CustomerPicker`, for a page that is there before the kit. Absent for customer users, who have only their own. */
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
    <LaterSelect
      aria-label="Customer"
      placeholder="All customers"
      data={isKnown ? known : [...known, unknown]}
      value={value === undefined ? null : String(value)}
      onChange={(chosen) => onChange(chosen === null ? undefined : (Number(chosen) as CustomerId))}
      searchable
      limit={MOST_OFFERED}
      clearable
      nothingFoundMessage={lookup.isPending ? 'Loading…' : lookup.isError ? 'Could not be loaded' : 'Nothing found'}
      maxDropdownHeight={320}
    />
  )
}
