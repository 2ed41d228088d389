import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useMay } from '#console/lib/session/session.ts'
import { AddDeviceModal } from './AddDeviceModal.tsx'

/** Only users who may create devices see "Add new" (rules/permissions 4). */
export function AddDeviceButton() {
  const mayAdd = useMay('createDevice')
  const [isOpen, setIsOpen] = useState(false)
  if (!mayAdd) return null
  return (
    <>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setIsOpen(true)}>
        Add new
      </Button>
      <AddDeviceModal isOpen={isOpen} onClose={() => setIsOpen(false)} />
    </>
  )
}
