import { Menu } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { MenuItem } from '#console/ui/button/MenuItem.tsx'
import { Kit } from '#console/ui/kit/Kit.tsx'
import { SettingsButton } from './SettingsButton.tsx'

interface Props {
  readonly isRunning: boolean
  readonly onExport: () => void
  /** More entries of this list's menu. */
  readonly more?: ReactNode
}

/** The click that opens the menu also loads it, so it begins open. */
export function ExportMenu({ isRunning, onExport, more }: Props) {
  return (
    <Kit>
      <Menu position="bottom-end" defaultOpened>
        <Menu.Target>
          <SettingsButton isBusy={isRunning} />
        </Menu.Target>
        <Menu.Dropdown>
          <MenuItem icon={IconDownload} onClick={onExport}>
            Export (csv)
          </MenuItem>
          {more}
        </Menu.Dropdown>
      </Menu>
    </Kit>
  )
}
