import { Menu } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import { csvNote } from '#console/lib/csv.ts'
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
  const noteId = useId()
  return (
    <Kit>
      <Menu position="bottom-end" defaultOpened>
        <Menu.Target>
          <SettingsButton isBusy={isRunning} />
        </Menu.Target>
        <Menu.Dropdown>
          <MenuItem icon={IconDownload} aria-describedby={noteId} onClick={onExport}>
            Export (csv)
          </MenuItem>
          <Menu.Label id={noteId}>{csvNote()}</Menu.Label>
          {more}
        </Menu.Dropdown>
      </Menu>
    </Kit>
  )
}
