import { Kit } from '#console/ui/kit/Kit.tsx'
import { lazyDialog } from '#console/ui/lazyDialog.tsx'

const NotificationSettingsModal = lazyDialog(() =>
  import('#console/features/alerting/notifications/NotificationSettingsModal.tsx').then(
    (part) => part.NotificationSettingsModal,
  ),
)
const ChangePasswordModal = lazyDialog(() =>
  import('#console/features/people/account/ChangePasswordModal.tsx').then((part) => part.ChangePasswordModal),
)
const PersonalDataModal = lazyDialog(() =>
  import('#console/features/people/account/PersonalDataModal.tsx').then((part) => part.PersonalDataModal),
)
const SessionsModal = lazyDialog(() =>
  import('#console/features/people/account/SessionsModal.tsx').then((part) => part.SessionsModal),
)
const TimeZoneModal = lazyDialog(() =>
  import('#console/features/people/account/TimeZoneModal.tsx').then((part) => part.TimeZoneModal),
)
const ApiTokensModal = lazyDialog(() =>
  import('#console/features/people/apiTokens/ApiTokensModal.tsx').then((part) => part.ApiTokensModal),
)
const SecondFactorModal = lazyDialog(() =>
  import('#console/features/people/factors/SecondFactorModal.tsx').then((part) => part.SecondFactorModal),
)

interface Props {
  /** One of `ACCOUNT_ENTRIES`; any other text shows no dialog. */
  readonly shown: string | undefined
  /** It loads them all when the first one opens. */
  readonly isOpen?: boolean
  readonly onClose: () => void
}

export function AccountDialogs({ shown, onClose }: Props) {
  return (
    <Kit>
      <ChangePasswordModal isOpen={shown === 'password'} onClose={onClose} />
      <SecondFactorModal isOpen={shown === 'factors'} onClose={onClose} />
      <SessionsModal isOpen={shown === 'sessions'} onClose={onClose} />
      <ApiTokensModal isOpen={shown === 'apiTokens'} onClose={onClose} />
      <TimeZoneModal isOpen={shown === 'timeZone'} onClose={onClose} />
      <NotificationSettingsModal isOpen={shown === 'notifications'} onClose={onClose} />
      <PersonalDataModal isOpen={shown === 'personalData'} onClose={onClose} />
    </Kit>
  )
}
