import { useMay } from '#console/lib/session/session.ts'
import { Link } from '#console/router/Router.tsx'
import type { Alert } from '#contract/http/alerting/alerts.ts'
import { listIncidents } from '#contract/http/alerting/incidents.ts'
import { formatNumber, UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import { incidentPage } from './incidentPage.ts'

/** It names the alert's role in its incident, such as `first cause of 12 more`. */
export function incidentPart({ incident }: Pick<Alert, 'incident'>): string {
  if (incident === null) return ''
  const { alertCount, isCause } = incident
  if (!isCause) return `consequence, one of ${formatNumber(alertCount)}`
  return alertCount === 1 ? 'this alert alone' : `root cause of ${formatNumber(alertCount - 1)} more`
}

const shortPart = ({ isCause, alertCount }: NonNullable<Alert['incident']>): string =>
  isCause ? `cause of ${formatNumber(alertCount - 1)}` : `one of ${formatNumber(alertCount)}`

interface Props {
  readonly alert: Pick<Alert, 'incident'>
  readonly isShort?: boolean
}

export function IncidentLink({ alert, isShort = false }: Props) {
  const mayOpen = useMay(listIncidents.permission)
  if (alert.incident === null) return UNKNOWN_TEXT
  if (isShort && alert.incident.alertCount === 1) return UNKNOWN_TEXT
  const words = isShort ? shortPart(alert.incident) : incidentPart(alert)
  return mayOpen ? <Link to={incidentPage(alert.incident.id)}>{words}</Link> : words
}
