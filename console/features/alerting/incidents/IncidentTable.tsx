import { IconUser } from '@tabler/icons-react'
import { alertsText, devicesText } from '#console/alertParts/incidentCounts.ts'
import { incidentPage } from '#console/alertParts/incidentPage.ts'
import { OpenFor } from '#console/alertParts/OpenFor.tsx'
import { formatClock, formatDateTime } from '#console/lib/time/time.ts'
import { Link, useNavigate } from '#console/router/Router.tsx'
import { type Column, DataTable, type ShownPage, type StackedCell } from '#console/ui/table/DataTable.tsx'
import { textColumn } from '#console/ui/table/textColumn.ts'
import type { Incident } from '#contract/http/alerting/incidents.ts'
import { formatNumber, UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import { IncidentSeverity, IncidentStateBadge, mailedAfter, SnoozeBadge } from './IncidentBadges.tsx'

const Title = ({ incident: { id, title } }: { readonly incident: Incident }) => (
  <Link to={incidentPage(id)}>{title}</Link>
)

const COLUMNS: readonly Column<Incident>[] = [
  { id: 'severity', header: 'Severity', widthPx: 108, cell: (incident) => <IncidentSeverity incident={incident} /> },
  {
    id: 'title',
    header: 'Incident',
    isStrong: true,
    cell: (incident) => <Title incident={incident} />,
    title: ({ title }) => title,
  },
  { id: 'state', header: 'State', widthPx: 92, cell: (incident) => <IncidentStateBadge incident={incident} /> },
  textColumn('cause', 'Root cause', ({ cause }) => `${cause.deviceName}: ${cause.text}`, { widthPx: 210, leaves: 2 }),
  { id: 'alerts', header: 'Alerts', widthPx: 104, isRight: true, cell: alertsText, title: alertsLabel },
  {
    id: 'devices',
    header: 'Devices',
    widthPx: 74,
    leaves: 3,
    isRight: true,
    cell: ({ deviceCount }) => formatNumber(deviceCount),
    title: devicesText,
  },
  { id: 'began', header: 'Began', widthPx: 136, cell: ({ began }) => formatDateTime(began) },
  {
    id: 'lasts',
    header: 'For',
    widthPx: 84,
    leaves: 5,
    isRight: true,
    cell: ({ began, over }) => <OpenFor created={began} closed={over} />,
  },
  {
    id: 'customer',
    header: 'Customer',
    widthPx: 130,
    leaves: 1,
    isDim: true,
    cell: ({ customerName }) => customerName || UNKNOWN_TEXT,
    title: ({ customerName }) => customerName || 'Devices of several customers',
  },
  {
    id: 'owner',
    header: 'Owner',
    widthPx: 140,
    leaves: 6,
    cell: ({ ownerName }) => ownerName || <span className="dim">{UNKNOWN_TEXT}</span>,
    title: ({ ownerName }) => ownerName || 'No owner',
  },
  {
    id: 'snoozed',
    header: 'Snoozed until',
    widthPx: 128,
    leaves: 4,
    cell: ({ snoozedUntil }) => (snoozedUntil === null ? null : formatClock(snoozedUntil)),
    title: ({ snoozedUntil }) => (snoozedUntil === null ? '' : mailedAfter(snoozedUntil)),
  },
]

function alertsLabel({ activeCount, openCount }: Incident): string {
  return `${formatNumber(activeCount)} of them active now, ${formatNumber(openCount)} not closed`
}

const STACKED: StackedCell<Incident> = {
  header: 'Incident',
  cell: (incident) => {
    const { began, over, ownerName } = incident
    return (
      <>
        <b>
          <Title incident={incident} />
        </b>
        <span>
          <IncidentSeverity incident={incident} />
          <IncidentStateBadge incident={incident} />
          <SnoozeBadge incident={incident} />
        </span>
        <span>
          {alertsText(incident)} · {devicesText(incident)}
        </span>
        <span className="is-dim">
          {formatDateTime(began)} · <OpenFor created={began} closed={over} />
        </span>
        {ownerName !== '' && (
          <span className="incident-owner">
            <IconUser size={14} aria-hidden /> {ownerName}
          </span>
        )}
      </>
    )
  },
}

interface Props extends ShownPage {
  readonly incidents: readonly Incident[]
}

export function IncidentTable({ incidents, ...table }: Props) {
  const navigate = useNavigate()
  return (
    <DataTable
      label="Incidents"
      columns={COLUMNS}
      rows={incidents}
      rowKey={({ id }) => id}
      onOpen={({ id }) => navigate(incidentPage(id))}
      opensOnClick
      rowAttributes={({ state }) => ({ 'data-now': state === 'active' || undefined })}
      minWidthPx={1540}
      stacked={STACKED}
      {...table}
    />
  )
}
