import { Menu } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { SettingsButton } from './SettingsButton.tsx'

interface Props {
  readonly isRunning: boolean
  readonly onExport: () => void
}

/** It is drawn when somebody has asked for it, and so begins open. */
export function ExportMenu({ isRunning, onExport }: Props) {
  return (
    <Menu position="bottom-end" defaultOpened>
      <Menu.Target>
        <SettingsButton isBusy={isRunning} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconDownload size={16} aria-hidden />} onClick={onExport}>
          Export (csv)
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
