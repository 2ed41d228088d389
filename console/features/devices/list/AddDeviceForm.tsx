import { TextInput } from '@mantine/core'
import { useCallForm } from '#console/lib/form/useCallForm.ts'
import { useIsCustomerUser } from '#console/lib/session/session.ts'
import { CustomerPicker } from '#console/pickers/CustomerPicker.tsx'
import { ModelPicker } from '#console/pickers/ModelPicker.tsx'
import { ModalForm } from '#console/ui/form/ModalForm.tsx'
import { createDevice, type Device } from '#contract/http/devices/devices.ts'
import type { CustomerId, DeviceModelId } from '#domain/ids.ts'

interface Props {
  readonly onAdded: (device: Device) => void
  readonly onCancel: () => void
}

/** It asks for model and name, and for a customer unless the user has only one (rules/devices 2). */
export function AddDeviceForm({ onAdded, onCancel }: Props) {
  const isCustomerUser = useIsCustomerUser()
  const { field, submit, isBusy } = useCallForm(createDevice, {
    labels: { customerId: 'Customer', modelId: 'Model', name: 'Name' },
    initial: {
      customerId: undefined as CustomerId | undefined,
      modelId: undefined as DeviceModelId | undefined,
      name: '',
    },
    content: ({ name, ...chosen }) => ({ ...chosen, name: name.trim() }),
    requires: isCustomerUser ? [] : ['customerId'],
    onSaved: onAdded,
  })
  return (
    <ModalForm onSubmit={submit} isBusy={isBusy} submitLabel="Add device" onCancel={onCancel}>
      <CustomerPicker isForNew {...field('customerId')} data-autofocus={!isCustomerUser} />
      <ModelPicker {...field('modelId')} data-autofocus={isCustomerUser} />
      <TextInput {...field('name')} />
    </ModalForm>
  )
}
