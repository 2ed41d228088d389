import { Menu } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import { csvNote } from '#console/lib/csv.ts'
import { Kit } from '#console/ui/kit/Kit.tsx'
import { MenuItem } from '#console/ui/menu/MenuItem.tsx'
import { MoreMenu } from '#console/ui/menu/MoreMenu.tsx'

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
      <MoreMenu of="this list" isBusy={isRunning} defaultOpened>
        <MenuItem icon={IconDownload} aria-describedby={noteId} onClick={onExport}>
          Export (csv)
        </MenuItem>
        <Menu.Label id={noteId}>{csvNote()}</Menu.Label>
        {more}
      </MoreMenu>
    </Kit>
  )
}
