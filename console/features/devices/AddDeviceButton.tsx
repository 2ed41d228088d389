import { Button, Modal } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useMay } from '#console/lib/session.ts'
import { useChange } from '#console/lib/useCall.ts'
import { createDevice, type Device, listDevices } from '#contract/http/device.ts'
import { AddDeviceForm } from './AddDeviceForm.tsx'
import { DeviceAdded } from './DeviceAdded.tsx'

/** "Add new" with its modal, for admins and users with the CreateDevice function (P1 §6). */
export function AddDeviceButton() {
  const mayAdd = useMay('createDevice')
  const [isOpen, setIsOpen] = useState(false)
  const [added, setAdded] = useState<Device>()
  const create = useChange(createDevice, { refreshes: [listDevices], onDone: setAdded })
  const close = () => setIsOpen(false)

  if (!mayAdd) return null
  return (
    <>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setIsOpen(true)}>
        Add new
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        onExitTransitionEnd={() => setAdded(undefined)}
        title={added ? 'Device added' : 'Add device'}
        size={400}
      >
        {added ? (
          <DeviceAdded device={added} onClose={close} />
        ) : (
          <AddDeviceForm isBusy={create.isPending} onSubmit={(body) => create.mutate({ body })} onCancel={close} />
        )}
      </Modal>
    </>
  )
}
