import { Modal, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import { messages } from '#console/lib/call/messages.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { queryClient, useChange } from '#console/lib/call/useCall.ts'
import { address } from '#console/router/addressText.ts'
import { useNavigate } from '#console/router/Router.tsx'
import { ModalForm } from '#console/ui/form/ModalForm.tsx'
import { deleteDevice } from '#contract/http/devices/details.ts'
import { type Device, getDevice, listDevices } from '#contract/http/devices/devices.ts'
import { CONSEQUENCES } from '#domain/devices/commandLabels.ts'

interface Props {
  readonly device: Device
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly onDeleted: () => void
}

/** It deletes a device once its name was typed, and then shows the list, read again (rules/devices 7). */
export function DeleteDeviceModal({ device, isOpen, onClose, onDeleted }: Props) {
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const remove = useChange(deleteDevice, {
    onDone: () => {
      onDeleted()
      toasts.success(messages.deviceDeleted(device.name))
      queryClient.removeQueries({ queryKey: [listDevices.path] })
      // Unsaved changes to this device have nowhere to be saved any more.
      flushSync(() => navigate(address('/devices'), { leavesAll: true }))
      queryClient.removeQueries({ queryKey: [getDevice.path, { guid: device.guid }] })
    },
  })
  const isSame = plain(typed) === plain(device.name)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isSame && !remove.isPending) remove.mutate({ query: { id: device.id } })
  }

  return (
    <Modal opened={isOpen} onClose={onClose} onExitTransitionEnd={() => setTyped('')} title="Delete device" size={420}>
      <ModalForm
        onSubmit={submit}
        isBusy={remove.isPending}
        isDisabled={!isSame}
        isDangerous
        submitLabel="Delete device"
        onCancel={onClose}
      >
        <Text size="md" className="dialog-text">
          This deletes <b>{device.name}</b> {CONSEQUENCES.deleted}
        </Text>
        <TextInput
          label="Type the name of the device to confirm"
          placeholder={device.name}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      </ModalForm>
    </Modal>
  )
}

/** Names are compared as they look on the screen, where several spaces look like one. */
const plain = (text: string) => text.normalize('NFC').trim().replaceAll(/\s+/g, ' ')
