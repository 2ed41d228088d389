import { ActionIcon, Menu } from '@mantine/core'
import { IconDownload, IconSettings } from '@tabler/icons-react'

interface Props {
  readonly isRunning: boolean
  readonly onExport: () => void
}

/** The settings menu of a list (P2 §2): everything that its filter shows as a file. */
export function ListExportMenu({ isRunning, onExport }: Props) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" size={30} aria-label="Settings of this list" title="Settings" loading={isRunning}>
          <IconSettings size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconDownload size={16} aria-hidden />} onClick={onExport}>
          Export (csv)
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
