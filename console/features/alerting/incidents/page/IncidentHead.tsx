import type { ReactNode } from 'react'
import { alertsText, devicesText } from '#console/alertParts/incidentCounts.ts'
import { OpenFor } from '#console/alertParts/OpenFor.tsx'
import { formatDateTime, formatMinute } from '#console/lib/time/time.ts'
import type { IncidentDetails } from '#contract/http/alerting/incidents.ts'
import { formatNumber } from '#domain/units/numbers.ts'
import { IncidentSeverity, IncidentStateBadge, SnoozeBadge } from '../IncidentBadges.tsx'

export function IncidentHead({ incident }: { readonly incident: IncidentDetails }) {
  const { state, began, over, customerName, activeCount, openCount, ownerName, ownerId, acknowledged } = incident
  return (
    <div className="alert-head" data-now={state === 'active' || undefined}>
      <dl>
        <Item name="Severity">
          <IncidentSeverity incident={incident} />
        </Item>
        <Item name="State">
          <IncidentStateBadge incident={incident} />
          <small className="dim">{over === null ? 'ongoing' : `resolved ${formatDateTime(over)}`}</small>
        </Item>
        <Item name="Began">
          {formatDateTime(began)}
          <small className="dim">
            for <OpenFor created={began} closed={over} />
          </small>
        </Item>
        <Item name="Customer">{customerName || 'Several customers'}</Item>
        <Item name="Affected devices">{devicesText(incident)}</Item>
        <Item name="Alerts">
          {alertsText(incident)}
          <small className="dim">
            {formatNumber(activeCount)} active, {formatNumber(openCount)} not closed
          </small>
        </Item>
        <Item name="Owner">
          {ownerName || <span className="dim">{ownerId === null ? 'None' : 'Somebody else'}</span>}
          {acknowledged !== null && <small className="dim">since {formatMinute(acknowledged)}</small>}
        </Item>
        {incident.snoozedUntil !== null && (
          <Item name="Mails">
            <SnoozeBadge incident={incident} />
          </Item>
        )}
      </dl>
    </div>
  )
}

function Item({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
