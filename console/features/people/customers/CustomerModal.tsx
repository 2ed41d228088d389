import { TextInput } from '@mantine/core'
import { messages } from '#console/lib/call/messages.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { useCallForm } from '#console/lib/form/useCallForm.ts'
import { LookupPicker } from '#console/pickers/LookupPicker.tsx'
import { LOOKUP_FRESH_MS } from '#console/pickers/lookupFresh.ts'
import { FormModal } from '#console/ui/form/FormModal.tsx'
import { listCountries } from '#contract/http/operation/lookups.ts'
import { type CustomerRecord, setCustomer } from '#contract/http/people/customers.ts'

interface Props {
  /** A new customer has none. */
  readonly customer: CustomerRecord | undefined
  readonly onClose: () => void
}

export function CustomerModal({ customer, onClose }: Props) {
  const countries = useCall(listCountries, {}, { freshMs: LOOKUP_FRESH_MS })
  const { field, submit, isBusy } = useCallForm(setCustomer, {
    labels: { name: 'Name', countryId: 'Country', keptDays: 'Keep data for (days)' },
    initial: {
      ...{ name: customer?.name ?? '', countryId: customer?.countryId ?? undefined },
      keptDays: customer?.keptDays?.toString() ?? '',
    },
    content: ({ name, countryId, keptDays }) => ({
      ...{ id: customer?.id ?? 0, name: name.trim(), countryId: countryId ?? null },
      keptDays: keptDays.trim() === '' ? null : Number(keptDays),
    }),
    refusals: { customer_name_taken: 'name' },
    saved: messages.customerSaved,
    onSaved: onClose,
  })
  return (
    <FormModal
      title={customer ? 'Edit customer' : 'Add customer'}
      size={400}
      onSubmit={submit}
      isBusy={isBusy}
      onClose={onClose}
    >
      <TextInput {...field('name')} data-autofocus />
      <LookupPicker
        {...field('countryId')}
        name="Country"
        description="Its devices take its holidays, and its time zone where none was chosen"
        lookup={countries}
      />
      <TextInput
        {...field('keptDays')}
        inputMode="numeric"
        description="At least 90. Older readings, messages, hourly means, light and closed alerts are deleted. Empty: as for all customers"
      />
    </FormModal>
  )
}
