import { Select, TextInput } from '@mantine/core'
import { useCallForm } from '#console/lib/form/useCallForm.ts'
import { CustomerPicker } from '#console/pickers/CustomerPicker.tsx'
import { ModalForm } from '#console/ui/form/ModalForm.tsx'
import { createClaimKey } from '#contract/http/devices/claims.ts'
import type { CustomerId } from '#domain/ids.ts'

interface Props {
  readonly onMade: (key: string, name: string) => void
  readonly onCancel: () => void
}

const DURATIONS = [
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
]

export function ClaimKeyForm({ onMade, onCancel }: Props) {
  const form = useCallForm(createClaimKey, {
    labels: { name: 'Name', customerId: 'Customer', mostDevices: 'Most devices', expiresInDays: 'Valid for' },
    initial: {
      ...{ name: '', mostDevices: '10', expiresInDays: '30' },
      customerId: undefined as CustomerId | undefined,
    },
    content: ({ name, mostDevices, expiresInDays, customerId }) => ({
      ...{ name: name.trim(), mostDevices: Number(mostDevices), expiresInDays: Number(expiresInDays) },
      customerId: customerId ?? null,
    }),
    onSaved: ({ key }) => onMade(key, form.values.name.trim()),
  })
  const { field, submit, isBusy } = form
  return (
    <ModalForm onSubmit={submit} isBusy={isBusy} submitLabel="Create key" onCancel={onCancel} label="New claim key">
      <TextInput {...field('name')} placeholder="The image that has it" data-autofocus />
      <CustomerPicker
        {...field('customerId')}
        description="Its administrators accept the devices; without one, staff do"
        placeholder="Staff"
      />
      <TextInput {...field('mostDevices')} inputMode="numeric" />
      <Select {...field('expiresInDays')} data={DURATIONS} allowDeselect={false} />
    </ModalForm>
  )
}
