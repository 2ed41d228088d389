import { AlertStatusBadge } from '#console/alertParts/AlertBadges.tsx'
import { alertDetails } from '#console/alertParts/alertDetails.ts'
import { formatDateTime } from '#console/lib/time/time.ts'
import { Link } from '#console/router/Router.tsx'
import type { AlertDetails } from '#contract/http/alerting/alerts.ts'
import { formatDuration } from '#domain/units/durations.ts'

/** Each of the device's other alerts says how long before or after this one it opened. */
export function AlertNeighbours({ alert }: { readonly alert: AlertDetails }) {
  if (alert.neighbours.length === 0) return <p className="alert-none">None</p>
  return (
    <ul className="alert-neighbours">
      {alert.neighbours.map(({ id, created, title, conditionText, statusId }) => (
        <li key={id}>
          <Link to={alertDetails(id)} title={conditionText}>
            {title}
          </Link>
          <AlertStatusBadge statusId={statusId} />
          <time dateTime={created} title={formatDateTime(created)} className="dim">
            {distance(Date.parse(created) - Date.parse(alert.created))}
          </time>
        </li>
      ))}
    </ul>
  )
}

function distance(laterMs: number): string {
  if (laterMs === 0) return 'at the same time'
  return `${formatDuration(Math.abs(laterMs) / 1000)} ${laterMs > 0 ? 'later' : 'before'}`
}
