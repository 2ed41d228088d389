import { Modal } from '@mantine/core'
import { useState } from 'react'
import type { Device } from '#contract/http/devices/devices.ts'
import { AddDeviceForm } from './AddDeviceForm.tsx'
import { DeviceAdded } from './DeviceAdded.tsx'

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function AddDeviceModal({ isOpen, onClose }: Props) {
  const [added, setAdded] = useState<Device>()
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
        <AddDeviceForm onAdded={setAdded} onCancel={onClose} />
      )}
    </Modal>
  )
}
