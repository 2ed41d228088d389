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

/** Whether, and where, the signed-in user is told of alerts outside the console. */
export function NotificationSettingsModal({ isOpen, onClose }: Props) {
  return (
    <Modal opened={isOpen} onClose={onClose} title="Notification settings" size={400}>
      <LoadedSettings />
    </Modal>
  )
}

/** Drawn, and so read, while the modal is open. */
function LoadedSettings() {
  const settings = useCall(getNotificationSettings, {})
  return <AsyncView query={settings}>{(loaded) => <NotificationSettingsForm settings={loaded} />}</AsyncView>
}
