import { ActionIcon, Checkbox } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import type { MouseEvent } from 'react'
import { LeftDevice } from '#console/device/LeftDevice.tsx'
import { formatDateTime } from '#console/lib/time/time.ts'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import { type Column, DataTable, type ShownPage, type StackedCell } from '#console/ui/table/DataTable.tsx'
import type { Alert } from '#contract/http/alert.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import { AlertStatusBadge, ConditionStateBadge } from './AlertBadges.tsx'
import { OpenFor } from './OpenFor.tsx'
import type { AlertSelection } from './useAlertSelection.ts'

type ColumnId = 'chosen' | 'state' | 'alert' | 'device' | 'address' | 'created' | 'openFor' | 'status' | 'owner' | 'id'
type AnyColumnId = ColumnId | 'more'

const COLUMNS: Record<Exclude<ColumnId, 'chosen'>, Column<Alert, AnyColumnId>> = {
  state: {
    id: 'state',
    header: 'Condition',
    widthPx: 112,
    cell: ({ conditionStateId }) => <ConditionStateBadge conditionStateId={conditionStateId} />,
    title: ({ activeCount }) => (activeCount > 1 ? `Met ${activeCount} times` : 'Met once'),
  },
  alert: {
    id: 'alert',
    header: 'Alert',
    isStrong: true,
    cell: ({ conditionText }) => conditionText,
    title: ({ conditionText }) => conditionText,
  },
  device: {
    id: 'device',
    header: 'Device',
    widthPx: 150,
    cell: ({ deviceGuid, deviceName, deviceHasLeft }) =>
      deviceHasLeft ? (
        <LeftDevice name={deviceName} />
      ) : (
        <Link to={address('/devices/$guid/status', { guid: deviceGuid })}>{deviceName}</Link>
      ),
    title: ({ deviceName }) => deviceName,
  },
  address: {
    id: 'address',
    header: 'Address',
    widthPx: 170,
    leaves: 1,
    isDim: true,
    cell: ({ deviceAddress }) => deviceAddress || UNKNOWN_TEXT,
    title: ({ deviceAddress }) => deviceAddress,
  },
  created: { id: 'created', header: 'Created', widthPx: 136, cell: ({ created }) => formatDateTime(created) },
  openFor: {
    id: 'openFor',
    header: 'Open for',
    widthPx: 86,
    leaves: 4,
    isRight: true,
    cell: ({ created, closed }) => <OpenFor created={created} closed={closed} />,
  },
  status: {
    id: 'status',
    header: 'Status',
    widthPx: 100,
    cell: ({ statusId }) => <AlertStatusBadge statusId={statusId} />,
  },
  owner: {
    id: 'owner',
    header: 'Owner',
    widthPx: 120,
    leaves: 3,
    isDim: true,
    cell: ({ ownerName }) => ownerName || UNKNOWN_TEXT,
    title: ({ ownerName }) => ownerName,
  },
  id: { id: 'id', header: 'Id', widthPx: 76, leaves: 2, isRight: true, isDim: true, cell: ({ id }) => id },
}

const ORDER = ['state', 'alert', 'device', 'address', 'created', 'openFor', 'status', 'owner', 'id'] as const

interface Props extends ShownPage<AnyColumnId> {
  readonly alerts: readonly Alert[]
  /** False on the page of a device. */
  readonly hasDevices: boolean
  readonly selection: AlertSelection
  readonly onOpen: (alert: Alert) => void
}

export function AlertTable({ alerts, hasDevices, selection, onOpen, ...table }: Props) {
  const shown = ORDER.filter((id) => hasDevices || (id !== 'device' && id !== 'address'))
  return (
    <DataTable
      label="Alerts"
      columns={[choiceColumn(alerts, selection), ...shown.map((id) => COLUMNS[id]), MORE]}
      rows={alerts}
      rowKey={({ id }) => id}
      onOpen={onOpen}
      opensOnClick
      rowAttributes={({ id }) => ({ 'data-alert-id': id, 'data-chosen': selection.has(id) || undefined })}
      minWidthPx={hasDevices ? 1180 : 880}
      stacked={hasDevices ? STACKED : STACKED_OF_DEVICE}
      {...table}
    />
  )
}

function choiceColumn(alerts: readonly Alert[], selection: AlertSelection): Column<Alert, AnyColumnId> {
  const chosenCount = alerts.filter(({ id }) => selection.has(id)).length
  const isAll = alerts.length > 0 && chosenCount === alerts.length
  return {
    id: 'chosen',
    header: 'Selected',
    headerCell: (
      <Checkbox
        size="xs"
        aria-label="Select all alerts of this page"
        checked={isAll}
        indeterminate={chosenCount > 0 && !isAll}
        onChange={() => (isAll ? selection.remove(alerts) : selection.add(alerts))}
      />
    ),
    widthPx: 40,
    staysWhenStacked: true,
    cell: (alert) => (
      <Checkbox
        size="xs"
        aria-label={`Select alert ${alert.id}`}
        checked={selection.has(alert.id)}
        onChange={() => selection.toggle(alert)}
      />
    ),
  }
}

const stackedCell = (hasDevice: boolean): StackedCell<Alert> => ({
  header: 'Alert',
  cell: (alert) => (
    <>
      <b>{alert.conditionText}</b>
      {hasDevice && COLUMNS.device.cell(alert)}
      <span>
        <ConditionStateBadge conditionStateId={alert.conditionStateId} />
        <AlertStatusBadge statusId={alert.statusId} />
      </span>
      <span className="is-dim">
        {formatDateTime(alert.created)} · <OpenFor created={alert.created} closed={alert.closed} />
      </span>
    </>
  ),
})
const STACKED = stackedCell(true)
const STACKED_OF_DEVICE = stackedCell(false)

/** What the right mouse button and a long press open, for those who have neither. */
const MORE: Column<Alert, AnyColumnId> = {
  id: 'more',
  header: 'More',
  hidesHeader: true,
  staysWhenStacked: true,
  widthPx: 44,
  isRight: true,
  cell: ({ id }) => (
    <ActionIcon size={24} aria-label={`More about alert ${id}`} aria-haspopup="menu" onClick={openContextMenu}>
      <IconDots size={16} aria-hidden />
    </ActionIcon>
  ),
}

function openContextMenu({ currentTarget }: MouseEvent) {
  const { left, bottom } = currentTarget.getBoundingClientRect()
  currentTarget.dispatchEvent(
    new window.MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX: left, clientY: bottom }),
  )
}
