import { IconFileExport } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { usePaletteCommands } from '#console/lib/commands/commands.ts'
import { type CsvExport, useCsvExport } from '#console/lib/useCsvExport.ts'
import { lazyPart, useFirstUse } from '#console/ui/lazyPart.tsx'
import { MoreButton } from '#console/ui/menu/MoreButton.tsx'

const ExportMenu = lazyPart(() => import('./ExportMenu.tsx').then((part) => part.ExportMenu))

interface Props<Row> extends CsvExport<Row> {
  /** What the command palette calls the rows, where the name of the file is no plain word. */
  readonly label?: string
  readonly more?: ReactNode
}

/** The settings menu of a list exports what its filter shows (rules/lists 4). The menu comes with the first click. */
export function ListExportMenu<Row>({ label, more, ...file }: Props<Row>) {
  const { isRunning, start } = useCsvExport(file)
  const [isHere, reach] = useFirstUse(ExportMenu)
  usePaletteCommands([
    {
      actionId: 'list.export',
      id: `list.export ${file.name}`,
      label: `Export ${label ?? file.name} (CSV)`,
      searchTerms: 'export save file download',
      icon: IconFileExport,
      run: () => void start(),
    },
  ])
  return isHere ? (
    <ExportMenu isRunning={isRunning} onExport={() => void start()} more={more} />
  ) : (
    <MoreButton of="this list" aria-haspopup="menu" aria-expanded={false} onClick={() => void reach()} />
  )
}
