import { ChangePasswordModal } from '#console/features/account/ChangePasswordModal.tsx'
import { PersonalDataModal } from '#console/features/account/PersonalDataModal.tsx'
import { SessionsModal } from '#console/features/account/SessionsModal.tsx'
import { TimeZoneModal } from '#console/features/account/TimeZoneModal.tsx'
import { NotificationSettingsModal } from '#console/features/notifications/NotificationSettingsModal.tsx'

interface Props {
  /** One of `ACCOUNT_ENTRIES`; any other word shows none. */
  readonly shown: string | undefined
  readonly onClose: () => void
}

export function AccountDialogs({ shown, onClose }: Props) {
  return (
    <>
      <ChangePasswordModal isOpen={shown === 'password'} onClose={onClose} />
      <SessionsModal isOpen={shown === 'sessions'} onClose={onClose} />
      <TimeZoneModal isOpen={shown === 'timeZone'} onClose={onClose} />
      <NotificationSettingsModal isOpen={shown === 'notifications'} onClose={onClose} />
      <PersonalDataModal isOpen={shown === 'personalData'} onClose={onClose} />
    </>
  )
}
