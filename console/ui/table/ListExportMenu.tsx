import { IconDownload, IconFileExport } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import { usePaletteCommands } from '#console/lib/commands/commands.ts'
import { csvNote } from '#console/lib/csv.ts'
import { type CsvExport, useCsvExport } from '#console/lib/useCsvExport.ts'
import { Menu } from '#console/ui/kit/Menu.tsx'
import { MenuItem } from '#console/ui/menu/MenuItem.tsx'
import { MoreMenu } from '#console/ui/menu/MoreMenu.tsx'

interface Props<Row> extends CsvExport<Row> {
  /** What the command palette calls the rows, where the name of the file is no plain word. */
  readonly label?: string
  readonly more?: ReactNode
}

/** The settings menu of a list exports what its filter shows (rules/lists 4). */
export function ListExportMenu<Row>({ label, more, ...file }: Props<Row>) {
  const { isRunning, start } = useCsvExport(file)
  const noteId = useId()
  usePaletteCommands([
    {
      actionId: 'list.export',
      id: `list.export ${file.name}`,
      label: `Export ${label ?? file.name} (CSV)`,
      searchTerms: 'save file download',
      icon: IconFileExport,
      run: () => void start(),
    },
  ])
  return (
    <MoreMenu of="this list" isBusy={isRunning}>
      <MenuItem icon={IconDownload} aria-describedby={noteId} onClick={() => void start()}>
        Export (csv)
      </MenuItem>
      <Menu.Label id={noteId}>{csvNote()}</Menu.Label>
      {more}
    </MoreMenu>
  )
}
