import { Modal } from '@mantine/core'
import { useCall } from '#console/lib/call/useCall.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { getNotificationSettings } from '#contract/http/people/account.ts'
import { NotificationSettingsForm } from './NotificationSettingsForm.tsx'
import './notifications.css'

interface Props {
  readonly isOpen: boolean
  readonly onClose: () => void
}

/** The signed-in user chooses whether, and where, they are notified of alerts. */
export function NotificationSettingsModal({ isOpen, onClose }: Props) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Notification settings" size={400}>
      <LoadedSettings />
    </Modal>
  )
}

function LoadedSettings() {
  const settings = useCall(getNotificationSettings, {})
  return <AsyncView query={settings}>{(loaded) => <NotificationSettingsForm settings={loaded} />}</AsyncView>
}
