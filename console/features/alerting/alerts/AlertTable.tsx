import { IconTool } from '@tabler/icons-react'
import type { MouseEvent } from 'react'
import {
  AlertSeverityBadge,
  AlertStatusBadge,
  ConditionStateBadge,
  isActiveNow,
} from '#console/alertParts/AlertBadges.tsx'
import { alertDetails } from '#console/alertParts/alertDetails.ts'
import { IncidentLink, incidentPart } from '#console/alertParts/IncidentLink.tsx'
import { OpenFor } from '#console/alertParts/OpenFor.tsx'
import { PresentValueCell, presentTitle } from '#console/alertParts/PresentValueCell.tsx'
import { type PresentValues, usePresentValues } from '#console/alertParts/presentValues.ts'
import { LeftDevice } from '#console/deviceParts/LeftDevice.tsx'
import { formatDateTime } from '#console/lib/time/time.ts'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import { Age } from '#console/ui/Age.tsx'
import { MoreButton } from '#console/ui/menu/MoreButton.tsx'
import { severityTone } from '#console/ui/severityLook.ts'
import { buttonColumn } from '#console/ui/table/buttonColumn.tsx'
import { choiceColumn } from '#console/ui/table/choiceColumn.tsx'
import { type Column, DataTable, type ShownPage, type StackedCell } from '#console/ui/table/DataTable.tsx'
import type { Alert } from '#contract/http/alerting/alerts.ts'
import { ALERT_STATUS } from '#domain/alerts/alertLabels.ts'
import { originText, originWord } from '#domain/alerts/alertOrigin.ts'
import { toShownAddress } from '#domain/devices/site.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import type { AlertSelection } from './useAlertSelection.ts'

type ColumnId =
  | 'chosen'
  | 'severity'
  | 'state'
  | 'alert'
  | 'device'
  | 'address'
  | 'changed'
  | 'created'
  | 'openFor'
  | 'status'
  | 'owner'
  | 'incident'
  | 'id'
type AnyColumnId = ColumnId | 'present' | 'buttons'

const COLUMNS: Record<Exclude<ColumnId, 'chosen'>, Column<Alert, AnyColumnId>> = {
  state: {
    id: 'state',
    header: 'Condition',
    widthPx: 108,
    cell: (alert) => <ConditionStateBadge alert={alert} />,
    title: ({ activeCount }) => (activeCount > 1 ? `Raised ${activeCount} times` : 'Raised once'),
  },
  severity: {
    id: 'severity',
    header: 'Severity',
    widthPx: 104,
    cell: (alert) => <AlertSeverityBadge alert={alert} />,
  },
  alert: {
    id: 'alert',
    header: 'Alert',
    cell: (alert) => <ConditionText alert={alert} />,
    to: ({ id }) => alertDetails(id),
    opensRow: true,
    title: (alert) => `${alert.title}\n${alert.conditionText}${originOf(alert)}${raisedUnder(alert)}`,
  },
  device: {
    id: 'device',
    header: 'Device',
    widthPx: 140,
    isStrong: true,
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
    foldsFor: ({ deviceAddress }) => toShownAddress(deviceAddress) !== '',
    isDim: true,
    cell: ({ deviceAddress }) => toShownAddress(deviceAddress) || UNKNOWN_TEXT,
    title: ({ deviceAddress }) => deviceAddress,
  },
  changed: {
    id: 'changed',
    header: 'Last change',
    widthPx: 100,
    leaves: 5,
    foldsFor: ({ lastChanged, created }) => lastChanged !== created,
    foldedName: 'changed',
    cell: ({ lastChanged }) => <Age at={lastChanged} />,
  },
  created: {
    id: 'created',
    header: 'Created',
    widthPx: 86,
    leaves: 8,
    cell: ({ created }) => <Age at={created} />,
    title: ({ created }) => formatDateTime(created),
  },
  openFor: {
    id: 'openFor',
    header: 'Open for',
    widthPx: 86,
    leaves: 4,
    foldsFor: ({ closed }) => closed !== null,
    isRight: true,
    cell: ({ created, closed }) => <OpenFor created={created} closed={closed} />,
  },
  status: {
    id: 'status',
    header: 'Status',
    widthPx: 92,
    leaves: 7,
    foldsFor: ({ statusId }) => statusId !== ALERT_STATUS.opened,
    cell: ({ statusId }) => <AlertStatusBadge statusId={statusId} />,
  },
  owner: {
    id: 'owner',
    header: 'Owner',
    widthPx: 120,
    leaves: 3,
    foldsFor: ({ ownerName }) => ownerName !== '',
    isDim: true,
    cell: ({ ownerName }) => ownerName || UNKNOWN_TEXT,
    title: ({ ownerName }) => ownerName,
  },
  incident: {
    id: 'incident',
    header: 'Incident',
    widthPx: 100,
    leaves: 6,
    foldsFor: ({ incident }) => incident !== null && incident.alertCount > 1,
    cell: (alert) => <IncidentLink alert={alert} isShort />,
    title: incidentPart,
  },
  id: { id: 'id', header: 'Id', widthPx: 76, leaves: 2, isRight: true, isDim: true, cell: ({ id }) => id },
}

const FIRST = ['device', 'address', 'severity', 'alert', 'state'] as const
const THEN = ['changed', 'created', 'openFor', 'status', 'incident', 'owner', 'id'] as const

interface Props extends ShownPage<AnyColumnId> {
  readonly alerts: readonly Alert[]
  readonly hasDevices: boolean
  /** It is absent where no action takes several alerts. */
  readonly selection: AlertSelection | undefined
  readonly onOpen: (alert: Alert) => void
}

export function AlertTable({ alerts, hasDevices, selection, onOpen, ...table }: Props) {
  const present = usePresentValues(alerts)
  // An alert that is its whole incident says nothing new there.
  const isAnyJoined = alerts.some(({ incident }) => incident !== null && incident.alertCount > 1)
  const shown = (ids: readonly Exclude<ColumnId, 'chosen'>[]) =>
    ids
      .filter((id) => hasDevices || (id !== 'device' && id !== 'address'))
      .filter((id) => id !== 'incident' || isAnyJoined)
      .map((id) => COLUMNS[id])
  return (
    <DataTable
      label="Alerts"
      columns={[
        ...(selection ? [alertChoice(alerts, selection)] : []),
        ...shown(FIRST),
        presentColumn(present),
        ...shown(THEN),
        MORE,
      ]}
      rows={alerts}
      rowKey={({ id }) => id}
      onOpen={onOpen}
      opensOnClick
      rowAttributes={(alert) => ({
        'data-alert-id': alert.id,
        'data-chosen': selection?.has(alert.id) || undefined,
        'data-now': isActiveNow(alert) ? severityTone(alert.severityId) : undefined,
      })}
      minWidthPx={hasDevices ? 1690 : 1390}
      stacked={stackedCell(hasDevices, present)}
      {...table}
    />
  )
}

const alertChoice = (alerts: readonly Alert[], { has, toggle, add, remove }: AlertSelection) =>
  choiceColumn({
    rows: alerts,
    isChosen: ({ id }) => has(id),
    toggle,
    nameOf: ({ id }) => `Select alert ${id}`,
    all: {
      name: 'Select all alerts of this page',
      set: (isChosen) => (isChosen ? add(alerts) : remove(alerts)),
    },
  })

/** The present value is loaded apart, so that the rest of the table does not wait for it. */
const presentColumn = (present: PresentValues): Column<Alert, AnyColumnId> => ({
  id: 'present',
  header: 'Now',
  widthPx: 128,
  cell: (alert) => <PresentValueCell present={present(alert)} modelId={alert.deviceModelId} />,
  title: (alert) => presentTitle(present(alert)),
})

const originOf = ({ conditionOrigin }: Alert) => (conditionOrigin ? `, defined by ${originText(conditionOrigin)}` : '')

const raisedUnder = ({ maintenance }: Alert) => (maintenance ? `, raised in maintenance: ${maintenance.reason}` : '')

/** A long condition loses its end, but never its owner. */
function ConditionText({ alert }: { readonly alert: Alert }) {
  return (
    <span className="alert-condition">
      <span>{alert.title}</span>
      {alert.conditionOrigin && <span className="alert-origin"> · {originWord(alert.conditionOrigin)}</span>}
      {alert.maintenance && (
        <span className="alert-origin" title={alert.maintenance.reason}>
          {' '}
          · <IconTool size={12} aria-hidden /> in maintenance
        </span>
      )}
    </span>
  )
}

const stackedCell = (hasDevice: boolean, present: PresentValues): StackedCell<Alert> => ({
  header: 'Alert',
  cell: (alert, text) => (
    <>
      {hasDevice && <b>{COLUMNS.device.cell(alert)}</b>}
      <span>{text}</span>
      <span>
        <AlertSeverityBadge alert={alert} />
        <ConditionStateBadge alert={alert} />
        <AlertStatusBadge statusId={alert.statusId} />
      </span>
      {present(alert) && (
        <span>
          <PresentValueCell present={present(alert)} modelId={alert.deviceModelId} />
        </span>
      )}
      <span className="is-dim">
        {formatDateTime(alert.created)} · <OpenFor created={alert.created} closed={alert.closed} />
      </span>
      {alert.incident && alert.incident.alertCount > 1 && (
        <span className="is-dim">
          Incident: <IncidentLink alert={alert} />
        </span>
      )}
    </>
  ),
})

/** The button opens the menu of a row for those who have neither a right mouse button nor a long press. */
const MORE = buttonColumn('More', 52, ({ id }: Alert) => (
  <MoreButton of={`alert ${id}`} isInRow aria-haspopup="menu" onClick={openContextMenu} />
))

function openContextMenu({ currentTarget }: MouseEvent) {
  const { left, bottom } = currentTarget.getBoundingClientRect()
  currentTarget.dispatchEvent(
    new window.MouseEvent('contextmenu', { bubbles: true, cancelable: true, clientX: left, clientY: bottom }),
  )
}
