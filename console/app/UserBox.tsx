import { Menu } from '@mantine/core'
import { IconBell, IconLogout } from '@tabler/icons-react'
import { useState } from 'react'
import { NotificationSettingsModal } from '#console/features/notifications/NotificationSettingsModal.tsx'
import { signOut, useUser } from '#console/lib/session.ts'
import { initialsOf, nameOf } from './userName.ts'

/** Who is signed in, with what belongs to them. */
export function UserBox() {
  const user = useUser()
  const name = nameOf(user)
  const [showsNotifications, setShowsNotifications] = useState(false)
  return (
    <>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <button type="button" className="user-box">
            <span className="user-initials" aria-hidden>
              {initialsOf(user)}
            </span>
            <span className="user-lines">
              <span className="user-name">{name}</span>
              <span className="user-more">
                {user.email} · {user.roleName}
              </span>
            </span>
            <span className="visually-hidden">, user menu</span>
          </button>
        </Menu.Target>
        <Menu.Dropdown aria-label="User menu">
          <div className="user-menu-who">
            <div className="user-name">{name}</div>
            <div className="user-more">{user.email}</div>
            <div className="user-more">{user.roleName}</div>
          </div>
          <Menu.Item leftSection={<IconBell size={16} aria-hidden />} onClick={() => setShowsNotifications(true)}>
            Notification settings
          </Menu.Item>
          <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void signOut()}>
            Logout
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <NotificationSettingsModal isOpen={showsNotifications} onClose={() => setShowsNotifications(false)} />
    </>
  )
}
