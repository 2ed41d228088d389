import { Menu } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import type { ViewedDevice } from './viewHistory.ts'

/** It leads back to devices opened before this one, and is absent while there is none. */
export function RecentDevicesMenu({ devices }: { readonly devices: readonly ViewedDevice[] }) {
  if (devices.length === 0) return null
  return (
    <Menu position="bottom-end" width={280}>
      <Menu.Target>
        <ActionButton icon={IconHistory}>Recent</ActionButton>
      </Menu.Target>
      <Menu.Dropdown className="recent-devices">
        {devices.map(({ guid, name }) => (
          <Menu.Item key={guid} component={Link} to={address('/devices/$guid/status', { guid })} title={name}>
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
