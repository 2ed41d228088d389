import { Modal } from '@mantine/core'
import type { AlertId } from '#domain/ids.ts'
import { CloseAlertsForm } from './CloseAlertsForm.tsx'

interface Props {
  readonly title: string
  readonly alertIds: readonly AlertId[]
  readonly onClosed?: () => void
  readonly onClose: () => void
}

export function CloseAlertsModal({ title, alertIds, onClose, onClosed = onClose }: Props) {
  return (
    <Modal opened onClose={onClose} title={title} size={380}>
      <CloseAlertsForm alertIds={alertIds} onClosed={onClosed} onCancel={onClose} />
    </Modal>
  )
}
