import { Button, Menu } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ViewedDevice } from './viewHistory.ts'

/** Way back to the devices opened before this one. Absent while there is none. */
export function RecentDevicesMenu({ devices }: { readonly devices: readonly ViewedDevice[] }) {
  if (devices.length === 0) return null
  return (
    <Menu position="bottom-end" width={280}>
      <Menu.Target>
        <Button variant="default" leftSection={<IconHistory size={16} aria-hidden />}>
          Recent
        </Button>
      </Menu.Target>
      <Menu.Dropdown className="recent-devices">
        {devices.map(({ guid, name }) => (
          <Menu.Item key={guid} component={Link} to="/devices/$guid/status" params={{ guid } as never} title={name}>
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
