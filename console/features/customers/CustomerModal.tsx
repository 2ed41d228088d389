import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { fieldErrorsOf } from '#console/lib/fieldErrors.ts'
import { messages } from '#console/lib/messages.ts'
import { toasts } from '#console/lib/toasts.ts'
import { useCall, useChange } from '#console/lib/useCall.ts'
import { LOOKUP_FRESH_MS, LookupPicker } from '#console/pickers/LookupPicker.tsx'
import {
  type CustomerRecord,
  LONGEST_CUSTOMER_NAME,
  listCustomerRecords,
  setCustomer,
} from '#contract/http/customer.ts'
import { listCountries, listCustomers } from '#contract/http/lookups.ts'
import type { CountryId } from '#domain/ids.ts'
import { required } from '#domain/validation/messages.ts'

interface Props {
  /** Absent: a new one. */
  readonly customer: CustomerRecord | undefined
  readonly onClose: () => void
}

interface Values {
  readonly name: string
  readonly countryId: CountryId | undefined
}

const LABELS = { name: 'Name', countryId: 'Country' } as const

/** Name and country of a customer. */
export function CustomerModal({ customer, onClose }: Props) {
  const countries = useCall(listCountries, {}, { freshMs: LOOKUP_FRESH_MS })
  const form = useForm<Values>({
    initialValues: { name: customer?.name ?? '', countryId: customer?.countryId ?? undefined },
    validate: { name: (name) => (name.trim() === '' ? required(LABELS.name) : null) },
  })
  const save = useChange(setCustomer, {
    refreshes: [listCustomerRecords, listCustomers],
    showsFailure: true,
    onDone: () => {
      toasts.success(messages.customerSaved)
      onClose()
    },
  })
  const submit = ({ name, countryId }: Values) =>
    save.mutate(
      { body: { id: customer?.id ?? 0, name: name.trim(), countryId: countryId ?? null } },
      {
        onError: (failure) => {
          const errors =
            failure.code === 'customer_name_taken' ? { name: failure.message } : fieldErrorsOf(failure, LABELS)
          if (errors) form.setErrors(errors)
          else toasts.failure(failure)
        },
      },
    )
  return (
    <Modal opened onClose={onClose} title={customer ? 'Edit customer' : 'Add customer'} size={400}>
      <form noValidate onSubmit={form.onSubmit(submit)}>
        <Stack gap="md">
          <TextInput
            label={LABELS.name}
            withAsterisk
            data-autofocus
            maxLength={LONGEST_CUSTOMER_NAME}
            {...form.getInputProps('name')}
          />
          <LookupPicker
            name={LABELS.countryId}
            label={LABELS.countryId}
            description="Its devices take its holidays, and its time zone where none was chosen"
            lookup={countries}
            value={form.values.countryId}
            onChange={(countryId) => form.setFieldValue('countryId', countryId)}
            error={form.errors.countryId}
          />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={save.isPending}>
              Save
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
