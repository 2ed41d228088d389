import { IconCircleCheckFilled, IconPencil, IconPlayerPause, IconTrash } from '@tabler/icons-react'
import { Badge } from '#console/ui/Badge.tsx'
import { buttonColumn } from '#console/ui/table/buttonColumn.tsx'
import { type Column, DataTable, type StackedCell } from '#console/ui/table/DataTable.tsx'
import { RowButton } from '#console/ui/table/RowButton.tsx'
import { textColumn } from '#console/ui/table/textColumn.ts'
import type { NotifyRoute } from '#contract/http/alerting/notificationRoutes.ts'
import { matchLabel, stepLabel } from './routeMessages.ts'

interface Props {
  readonly routes: readonly NotifyRoute[]
  readonly onEdit: (route: NotifyRoute) => void
  readonly onDelete: (route: NotifyRoute) => void
}

function State({ isOn }: { readonly isOn: boolean }) {
  const Icon = isOn ? IconCircleCheckFilled : IconPlayerPause
  return (
    <Badge tone={isOn ? 'ok' : 'off'} icon={Icon}>
      {isOn ? 'On' : 'Off'}
    </Badge>
  )
}

const COLUMNS: readonly Column<NotifyRoute>[] = [
  textColumn('name', 'Name', ({ name }) => name, { widthPx: 200, isStrong: true }),
  textColumn('which', 'When', matchLabel),
  textColumn('steps', 'Notify', stepLabel),
  { id: 'state', header: 'State', widthPx: 90, cell: State },
]

const STACKED: StackedCell<NotifyRoute> = {
  header: 'Route',
  cell: (route) => (
    <>
      <b>{route.name}</b>
      <span className="is-dim">When {matchLabel(route)}</span>
      <span>Notify {stepLabel(route)}</span>
      <State isOn={route.isOn} />
    </>
  ),
}

export function RouteTable({ routes, onEdit, onDelete }: Props) {
  const buttons = buttonColumn('Edit and delete', 84, (route: NotifyRoute) => (
    <>
      <RowButton name="Edit" of={route.name} icon={IconPencil} onClick={() => onEdit(route)} />
      <RowButton name="Delete" of={route.name} icon={IconTrash} onClick={() => onDelete(route)} />
    </>
  ))
  return (
    <DataTable
      label="Routes"
      columns={[...COLUMNS, buttons]}
      stacked={STACKED}
      rows={routes}
      rowKey={({ id }) => id}
      onOpen={onEdit}
      minWidthPx={900}
    />
  )
}
