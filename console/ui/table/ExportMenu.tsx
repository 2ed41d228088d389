import { Menu } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { Kit } from '#console/ui/kit/Kit.tsx'
import { SettingsButton } from './SettingsButton.tsx'

interface Props {
  readonly isRunning: boolean
  readonly onExport: () => void
}

/** The click that opens the menu also loads it, so it begins open. */
export function ExportMenu({ isRunning, onExport }: Props) {
  return (
    <Kit>
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
    </Kit>
  )
}
