import { NotificationSettingsModal } from '#console/features/alerting/notifications/NotificationSettingsModal.tsx'
import { ChangePasswordModal } from '#console/features/people/account/ChangePasswordModal.tsx'
import { PersonalDataModal } from '#console/features/people/account/PersonalDataModal.tsx'
import { SessionsModal } from '#console/features/people/account/SessionsModal.tsx'
import { TimeZoneModal } from '#console/features/people/account/TimeZoneModal.tsx'
import { ApiTokensModal } from '#console/features/people/apiTokens/ApiTokensModal.tsx'
import { SecondFactorModal } from '#console/features/people/factors/SecondFactorModal.tsx'

interface Props {
  /** One of `ACCOUNT_ENTRIES`; any other text shows no dialog. */
  readonly shown: string | undefined
  readonly onClose: () => void
}

export function AccountDialogs({ shown, onClose }: Props) {
  return (
    <>
      <ChangePasswordModal isOpen={shown === 'password'} onClose={onClose} />
      <SecondFactorModal isOpen={shown === 'factors'} onClose={onClose} />
      <SessionsModal isOpen={shown === 'sessions'} onClose={onClose} />
      <ApiTokensModal isOpen={shown === 'apiTokens'} onClose={onClose} />
      <TimeZoneModal isOpen={shown === 'timeZone'} onClose={onClose} />
      <NotificationSettingsModal isOpen={shown === 'notifications'} onClose={onClose} />
      <PersonalDataModal isOpen={shown === 'personalData'} onClose={onClose} />
    </>
  )
}
