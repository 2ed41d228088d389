import { alertDetails } from '#console/alertParts/alertDetails.ts'
import { formatDateTime } from '#console/lib/time/time.ts'
import { Link } from '#console/router/Router.tsx'
import { LineMark } from '#console/ui/chart/LineMark.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { type Column, DataTable } from '#console/ui/table/DataTable.tsx'
import { textColumn } from '#console/ui/table/textColumn.ts'
import { useVirtualRows } from '#console/ui/table/useVirtualRows.ts'
import type { AlertMarkers, ShownAlert } from './read/useAlertMarkers.ts'

/** Only the rows on the screen are drawn in a longer list. */
const MOST_DRAWN = 100

/** The list makes the chart's markers reachable by keyboard, also several at one place; each leads to its details. */
export function AlertsPanel({ alerts: { alerts, hasFailed } }: { readonly alerts: AlertMarkers }) {
  const isLong = alerts.length > MOST_DRAWN
  return (
    <Panel title="Alerts" meta={alerts.length === 0 ? undefined : alerts.length}>
      {hasFailed && (
        <p className="analytics-note" role="alert">
          Some alerts could not be loaded.
        </p>
      )}
      {alerts.length > 0 ? (
        <div className="analytics-alerts">
          <DataTable
            label="Alerts"
            columns={COLUMNS}
            rows={alerts}
            rowKey={({ id, metric }) => `${metric.key}/${id}`}
            // Another way of drawing rows needs another table.
            key={isLong ? 'long' : 'short'}
            {...(isLong && { useDrawnRows: useVirtualRows })}
          />
        </div>
      ) : (
        !hasFailed && <p className="analytics-note">No alert of these metrics opened in this period.</p>
      )}
    </Panel>
  )
}

const COLUMNS: readonly Column<ShownAlert>[] = [
  {
    id: 'color',
    header: 'Colour',
    hidesHeader: true,
    widthPx: 66,
    cell: ({ metric }) => <LineMark of={metric} />,
  },
  { id: 'opened', header: 'Opened', widthPx: 140, cell: ({ openedAt }) => formatDateTime(openedAt) },
  textColumn('device', 'Device', ({ deviceName }) => deviceName, { leaves: 1 }),
  {
    id: 'condition',
    header: 'Condition',
    cell: ({ id, title }) => <Link to={alertDetails(id)}>{title}</Link>,
    title: ({ conditionText }) => conditionText,
  },
]
