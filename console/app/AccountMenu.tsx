import { Menu } from '@mantine/core'
import { IconBell, IconClock, IconDevices, IconKey, IconLogout } from '@tabler/icons-react'
import { useState } from 'react'
import { ChangePasswordModal } from '#console/features/account/ChangePasswordModal.tsx'
import { SessionsModal } from '#console/features/account/SessionsModal.tsx'
import { TimeZoneModal } from '#console/features/account/TimeZoneModal.tsx'
import { NotificationSettingsModal } from '#console/features/notifications/NotificationSettingsModal.tsx'
import { signOut, useUser } from '#console/lib/call/session.ts'
import { nameOf } from '#console/lib/userName.ts'
import { UserButton } from './UserButton.tsx'

/** What belongs to who is signed in. It is drawn when somebody has asked for it, and so begins open. */
export function AccountMenu() {
  const user = useUser()
  const [shown, setShown] = useState<'password' | 'sessions' | 'timeZone' | 'notifications'>()
  const close = () => setShown(undefined)
  return (
    <>
      <Menu position="bottom-end" width={220} defaultOpened>
        <Menu.Target>
          <UserButton />
        </Menu.Target>
        <Menu.Dropdown aria-label="User menu">
          <div className="user-menu-who">
            <div className="user-name">{nameOf(user)}</div>
            <div className="user-more">{user.email}</div>
            <div className="user-more">{user.roleName}</div>
          </div>
          <Menu.Item leftSection={<IconKey size={16} aria-hidden />} onClick={() => setShown('password')}>
            Change password
          </Menu.Item>
          <Menu.Item leftSection={<IconDevices size={16} aria-hidden />} onClick={() => setShown('sessions')}>
            Sessions
          </Menu.Item>
          <Menu.Item leftSection={<IconClock size={16} aria-hidden />} onClick={() => setShown('timeZone')}>
            Time zone
          </Menu.Item>
          <Menu.Item leftSection={<IconBell size={16} aria-hidden />} onClick={() => setShown('notifications')}>
            Notification settings
          </Menu.Item>
          <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void signOut()}>
            Logout
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <ChangePasswordModal isOpen={shown === 'password'} onClose={close} />
      <SessionsModal isOpen={shown === 'sessions'} onClose={close} />
      <TimeZoneModal isOpen={shown === 'timeZone'} onClose={close} />
      <NotificationSettingsModal isOpen={shown === 'notifications'} onClose={close} />
    </>
  )
}
