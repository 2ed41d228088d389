import { Switch } from '@mantine/core'
import { IconBellOff, IconMailOff } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { messages } from '#console/lib/call/messages.ts'
import { useChange } from '#console/lib/call/useCall.ts'
import { useUser } from '#console/lib/session/session.ts'
import { type NotificationSettings, setNotificationSettings } from '#contract/http/people/account.ts'

/** The switch takes effect at once, and goes back when the server refuses. */
export function NotificationSettingsForm({ settings }: { readonly settings: NotificationSettings }) {
  const { roleName } = useUser()
  const change = useChange(setNotificationSettings)
  const { email, mayReceive } = settings
  const isOn = change.isPending ? change.variables?.body.isEmailOn : settings.isEmailOn
  return (
    <div className="notification-settings">
      <Switch
        label="Alert e-mails"
        description="Of the devices that you may see, while they are Paired"
        checked={mayReceive && isOn}
        disabled={!mayReceive}
        data-autofocus
        onChange={({ currentTarget }) => change.mutate({ body: { isEmailOn: currentTarget.checked } })}
      />
      <dl>
        <dt>Address</dt>
        <dd>{email || 'No address'}</dd>
      </dl>
      {!mayReceive && (
        <Reason icon={<IconBellOff size={16} aria-hidden />}>{messages.roleReceivesNothing(roleName)}</Reason>
      )}
      {mayReceive && !email && (
        <Reason icon={<IconMailOff size={16} aria-hidden />}>{messages.noAddressForAlerts}</Reason>
      )}
    </div>
  )
}

function Reason({ icon, children }: { readonly icon: ReactNode; readonly children: ReactNode }) {
  return (
    <p className="notification-reason">
      {icon}
      <span>{children}</span>
    </p>
  )
}
