import { Modal, TextInput } from '@mantine/core'
import { toasts } from '#console/lib/call/toasts.ts'
import { useCallForm } from '#console/lib/form/useCallForm.ts'
import { useIsCustomerUser } from '#console/lib/session/session.ts'
import { CustomerPicker } from '#console/pickers/CustomerPicker.tsx'
import { ModelPicker } from '#console/pickers/ModelPicker.tsx'
import { FormNote } from '#console/ui/form/FormNote.tsx'
import { ModalForm } from '#console/ui/form/ModalForm.tsx'
import { acceptDevices, type WaitingDevice } from '#contract/http/devices/claims.ts'
import { isNamePattern, nameByPattern } from '#domain/claims/namePattern.ts'
import type { CustomerId, DeviceModelId } from '#domain/ids.ts'
import { claimMessages, nameOfFacts } from './claimText.ts'

interface Props {
  readonly devices: readonly WaitingDevice[]
  readonly onClose: () => void
}

export function AcceptModal({ devices, onClose }: Props) {
  const isCustomerUser = useIsCustomerUser()
  const [first] = devices
  const { field, submit, isBusy, values } = useCallForm(acceptDevices, {
    labels: { customerId: 'Customer', modelId: 'Model', namePattern: 'Name', firstNumber: 'First number' },
    initial: {
      customerId: first?.customerId ?? (undefined as CustomerId | undefined),
      modelId: undefined as DeviceModelId | undefined,
      namePattern: 'Totem {nn}',
      firstNumber: '1',
    },
    content: ({ namePattern, firstNumber, ...chosen }) => ({
      ...chosen,
      ...{ ids: devices.map(({ id }) => id), namePattern: namePattern.trim(), firstNumber: Number(firstNumber) },
    }),
    check: ({ namePattern }) =>
      devices.length > 1 && !isNamePattern(namePattern)
        ? { namePattern: 'Several devices need {n}, {serial} or {mac} in their name.' }
        : {},
    requires: isCustomerUser ? [] : ['customerId'],
    onSaved: ({ names }) => {
      toasts.success(names.length === 1 ? `Accepted: ${names[0]}.` : `${names.length} devices accepted.`)
      onClose()
    },
  })
  const known = devices.flatMap(({ knownAs, facts }) => (knownAs ? [{ ...knownAs, box: nameOfFacts(facts) }] : []))
  const named = first && nameByPattern(values.namePattern, Number(values.firstNumber) || 0, first.facts)
  const last = devices.at(-1)
  const lastNamed =
    last && nameByPattern(values.namePattern, (Number(values.firstNumber) || 0) + devices.length - 1, last.facts)
  return (
    <Modal opened onClose={onClose} title={devices.length === 1 ? 'Accept device' : `Accept ${devices.length} devices`}>
      <ModalForm onSubmit={submit} isBusy={isBusy} submitLabel="Accept" onCancel={onClose}>
        {known.length > 0 && <FormNote kind="failed" text={claimMessages.addedAgain(known)} />}
        <CustomerPicker isForNew {...field('customerId')} />
        <ModelPicker {...field('modelId')} />
        <TextInput
          {...field('namePattern')}
          description={`{nn} counts in two digits, {serial} and {mac} are the device's: ${[named, devices.length > 1 && lastNamed].filter(Boolean).join(' … ')}`}
        />
        <TextInput {...field('firstNumber')} inputMode="numeric" />
      </ModalForm>
    </Modal>
  )
}
