import { Modal } from '@mantine/core'
import type { ComponentProps } from 'react'
import { ModalForm } from './ModalForm.tsx'

interface Props extends Omit<ComponentProps<typeof ModalForm>, 'onCancel'> {
  readonly title: string
  readonly size: number
  readonly onClose: () => void
}

/** It is on the page only while it is open, so that its form begins anew each time. */
export function FormModal({ title, size, onClose, ...form }: Props) {
  return (
    <Modal opened onClose={onClose} title={title} size={size}>
      <ModalForm onCancel={onClose} {...form} />
    </Modal>
  )
}
