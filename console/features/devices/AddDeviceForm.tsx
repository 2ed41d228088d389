import { Button, Group, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useIsCustomerUser } from '#console/lib/session.ts'
import { CustomerPicker } from '#console/pickers/CustomerPicker.tsx'
import { ModelPicker } from '#console/pickers/ModelPicker.tsx'
import type { BodyOf } from '#contract/http/call.ts'
import type { createDevice } from '#contract/http/device.ts'
import type { CustomerId, DeviceModelId } from '#domain/ids.ts'
import { required } from '#domain/validation/messages.ts'

interface Props {
  readonly isBusy: boolean
  readonly onSubmit: (device: BodyOf<typeof createDevice>) => void
  readonly onCancel: () => void
}

interface Values {
  readonly customerId: CustomerId | undefined
  readonly modelId: DeviceModelId | undefined
  readonly name: string
}

const LONGEST_NAME = 200

/** P1 §5 "Add device": model and name, and a customer unless the user has only one. */
export function AddDeviceForm({ isBusy, onSubmit, onCancel }: Props) {
  const isCustomerUser = useIsCustomerUser()
  const form = useForm<Values>({
    initialValues: { customerId: undefined, modelId: undefined, name: '' },
    validate: {
      customerId: (customerId) => (isCustomerUser || customerId !== undefined ? null : required('Customer')),
      modelId: (modelId) => (modelId === undefined ? required('Model') : null),
      name: (name) => (name.trim() === '' ? required('Name') : null),
    },
  })

  const submit = ({ customerId, modelId, name }: Values) => {
    if (modelId === undefined) return
    onSubmit({ modelId, name: name.trim(), ...(customerId === undefined ? {} : { customerId }) })
  }

  return (
    <form noValidate onSubmit={form.onSubmit(submit)}>
      <Stack gap="md">
        <CustomerPicker
          isForNew
          label="Customer"
          withAsterisk
          data-autofocus={!isCustomerUser}
          value={form.values.customerId}
          onChange={(customerId) => form.setFieldValue('customerId', customerId)}
          error={form.errors.customerId}
        />
        <ModelPicker
          label="Model"
          withAsterisk
          data-autofocus={isCustomerUser}
          value={form.values.modelId}
          onChange={(modelId) => form.setFieldValue('modelId', modelId)}
          error={form.errors.modelId}
        />
        <TextInput label="Name" withAsterisk maxLength={LONGEST_NAME} {...form.getInputProps('name')} />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={isBusy}>
            Add device
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
