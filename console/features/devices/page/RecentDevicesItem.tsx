import { IconHistory } from '@tabler/icons-react'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import { Menu } from '#console/ui/kit/Menu.tsx'
import type { ViewedDevice } from './viewHistory.ts'

/** It leads back to devices opened before this one, and is absent while there is none. */
export function RecentDevicesItem({ devices }: { readonly devices: readonly ViewedDevice[] }) {
  if (devices.length === 0) return null
  return (
    <Menu.Sub position="left-start">
      <Menu.Sub.Target>
        <Menu.Sub.Item leftSection={<IconHistory size={16} aria-hidden />}>Recent devices</Menu.Sub.Item>
      </Menu.Sub.Target>
      <Menu.Sub.Dropdown className="recent-devices">
        {devices.map(({ guid, name }) => (
          <Menu.Item key={guid} component={Link} to={address('/devices/$guid/status', { guid })} title={name}>
            {name}
          </Menu.Item>
        ))}
      </Menu.Sub.Dropdown>
    </Menu.Sub>
  )
}
