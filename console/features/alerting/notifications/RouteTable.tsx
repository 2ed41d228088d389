import { IconCircleCheckFilled, IconPencil, IconPlayerPause, IconTrash } from '@tabler/icons-react'
import { Fragment } from 'react'
import type { Address } from '#console/router/addressText.ts'
import { Badge } from '#console/ui/Badge.tsx'
import { buttonColumn } from '#console/ui/table/buttonColumn.tsx'
import { type Column, DataTable, type StackedCell } from '#console/ui/table/DataTable.tsx'
import { RowButton } from '#console/ui/table/RowButton.tsx'
import { textColumn } from '#console/ui/table/textColumn.ts'
import type { NotifyRoute } from '#contract/http/alerting/notificationRoutes.ts'
import { defaultLabel, matchLabel, routeSentence, stepLabels } from './routeMessages.ts'

interface Props {
  readonly routes: readonly NotifyRoute[]
  readonly linkTo: (route: NotifyRoute) => Address
  readonly onEdit: (route: NotifyRoute) => void
  readonly onDelete: (route: NotifyRoute) => void
}

interface RouteProps {
  readonly route: NotifyRoute
}

function State({ isOn, isDefault }: NotifyRoute) {
  const Icon = isOn ? IconCircleCheckFilled : IconPlayerPause
  return (
    <Badge tone={isOn ? 'ok' : 'off'} icon={Icon}>
      {isOn ? 'On' : 'Off'}
      {isDefault && <span className="dim"> · default</span>}
    </Badge>
  )
}

/** The words that never change stand back, so that a list of routes is read by what differs. */
function Sentence({ route }: RouteProps) {
  return (
    <span className="route-sentence">
      <i>When</i> {matchLabel(route)} <i>→ notify</i>{' '}
      {stepLabels(route).map(({ after, who }, place) => (
        <Fragment key={`${after} ${who}`}>
          {place > 0 && ', '}
          {after && <i>{after} </i>}
          <b>{who}</b>
        </Fragment>
      ))}
      {route.isDefault && <small>{defaultLabel(route)}</small>}
    </span>
  )
}

const COLUMNS: readonly Column<NotifyRoute>[] = [
  { id: 'route', header: 'Route', cell: (route) => <Sentence route={route} />, title: routeSentence },
  { id: 'state', header: 'State', widthPx: 150, cell: State },
]

const STACKED: StackedCell<NotifyRoute> = {
  header: 'Route',
  cell: (route, name) => (
    <>
      <b>{name}</b>
      <Sentence route={route} />
      <State {...route} />
    </>
  ),
}

export function RouteTable({ routes, linkTo, onEdit, onDelete }: Props) {
  const name = textColumn('name', 'Name', (route: NotifyRoute) => route.name, {
    widthPx: 200,
    isStrong: true,
    to: (route) => (route.mayChange ? linkTo(route) : undefined),
  })
  const buttons = buttonColumn(
    'Edit and delete',
    84,
    (route: NotifyRoute) =>
      route.mayChange && (
        <>
          <RowButton name="Edit" of={route.name} icon={IconPencil} onClick={() => onEdit(route)} />
          {!route.isDefault && (
            <RowButton name="Delete" of={route.name} icon={IconTrash} onClick={() => onDelete(route)} />
          )}
        </>
      ),
  )
  return (
    <DataTable
      label="Routes"
      columns={[name, ...COLUMNS, buttons]}
      stacked={STACKED}
      rows={routes}
      rowKey={({ id }) => id}
      onOpen={(route) => route.mayChange && onEdit(route)}
      minWidthPx={800}
    />
  )
}
