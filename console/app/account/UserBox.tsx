import { IconLicense, IconLogout } from '@tabler/icons-react'
import { useState } from 'react'
import { signOut, useUser } from '#console/lib/session/session.ts'
import { nameOf } from '#console/lib/userName.ts'
import { address } from '#console/router/addressText.ts'
import { useNavigate } from '#console/router/Router.tsx'
import { Menu } from '#console/ui/kit/Menu.tsx'
import { lazyDialog } from '#console/ui/lazyDialog.tsx'
import { MenuItem } from '#console/ui/menu/MenuItem.tsx'
import { ACCOUNT_ENTRIES, type AccountDialog } from './accountEntries.ts'
import { UserButton } from './UserButton.tsx'

const AccountDialogs = lazyDialog(() => import('./AccountDialogs.tsx').then((part) => part.AccountDialogs))

export function UserBox() {
  const user = useUser()
  const navigate = useNavigate()
  const [shown, setShown] = useState<AccountDialog>()
  return (
    <>
      <Menu position="bottom-end" width={220}>
        <Menu.Target>
          <UserButton />
        </Menu.Target>
        <Menu.Dropdown aria-label="User menu">
          <div className="user-menu-who">
            <div className="user-name">{nameOf(user)}</div>
            <div className="user-more">{user.email}</div>
            <div className="user-more">{user.roleName}</div>
          </div>
          {ACCOUNT_ENTRIES.map(({ dialog, label, icon: Icon }) => (
            <MenuItem icon={Icon} key={dialog} onClick={() => setShown(dialog)}>
              {label}
            </MenuItem>
          ))}
          <MenuItem icon={IconLicense} onClick={() => navigate(address('/licences'))}>
            Licences
          </MenuItem>
          <MenuItem icon={IconLogout} onClick={() => void signOut()}>
            Logout
          </MenuItem>
        </Menu.Dropdown>
      </Menu>
      <AccountDialogs shown={shown} isOpen={shown !== undefined} onClose={() => setShown(undefined)} />
    </>
  )
}
