import { Modal } from '@mantine/core'
import { AddUserForm } from './AddUserForm.tsx'

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** "Add user" opens it (rules/addresses 10). */
export function AddUserModal({ isOpen, onClose }: Props) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Add user" size={560} closeOnClickOutside={false}>
      <AddUserForm onAdded={onClose} onCancel={onClose} />
    </Modal>
  )
}
