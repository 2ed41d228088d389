import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useMay } from '#console/lib/session/session.ts'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { lazyDialog } from '#console/ui/lazyDialog.tsx'

const AddDeviceModal = lazyDialog(() => import('./AddDeviceModal.tsx').then((part) => part.AddDeviceModal))

/** Only users who may create devices see "Add new" (rules/permissions 4). */
export function AddDeviceButton() {
  const mayAdd = useMay('createDevice')
  const [isOpen, setIsOpen] = useState(false)
  if (!mayAdd) return null
  return (
    <>
      <ActionButton icon={IconPlus} isMain onClick={() => setIsOpen(true)}>
        Add new
      </ActionButton>
      <AddDeviceModal isOpen={isOpen} onClose={() => setIsOpen(false)} />
    </>
  )
}
