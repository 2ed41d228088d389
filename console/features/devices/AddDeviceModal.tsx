import { Modal } from '@mantine/core'
import { useState } from 'react'
import { useChange } from '#console/lib/useCall.ts'
import { createDevice, type Device, listDevices } from '#contract/http/device.ts'
import { AddDeviceForm } from './AddDeviceForm.tsx'
import { DeviceAdded } from './DeviceAdded.tsx'

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** Model, name and customer of a new device, and then the file that it connects with. */
export function AddDeviceModal({ isOpen, onClose }: Props) {
  const [added, setAdded] = useState<Device>()
  const create = useChange(createDevice, { refreshes: [listDevices], onDone: setAdded })
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      onExitTransitionEnd={() => setAdded(undefined)}
      title={added ? 'Device added' : 'Add device'}
      size={400}
    >
      {added ? (
        <DeviceAdded device={added} onClose={onClose} />
      ) : (
        <AddDeviceForm isBusy={create.isPending} onSubmit={(body) => create.mutate({ body })} onCancel={onClose} />
      )}
    </Modal>
  )
}
