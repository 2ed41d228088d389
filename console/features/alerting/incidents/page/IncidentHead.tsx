import { alertsText, devicesText } from '#console/alertParts/incidentCounts.ts'
import { OpenFor } from '#console/alertParts/OpenFor.tsx'
import { formatDateTime, formatMinute } from '#console/lib/time/time.ts'
import { Fact } from '#console/ui/records/Fact.tsx'
import type { IncidentDetails } from '#contract/http/alerting/incidents.ts'
import { formatNumber } from '#domain/units/numbers.ts'
import { IncidentSeverity, IncidentStateBadge, SnoozeBadge } from '../IncidentBadges.tsx'

export function IncidentHead({ incident }: { readonly incident: IncidentDetails }) {
  const { state, began, over, customerName, activeCount, openCount, ownerName, ownerId, acknowledged } = incident
  return (
    <div className="alert-head" data-now={state === 'active' || undefined}>
      <dl>
        <Fact name="Severity">
          <IncidentSeverity incident={incident} />
        </Fact>
        <Fact name="State">
          <IncidentStateBadge incident={incident} />
          <small className="dim">{over === null ? 'ongoing' : `resolved ${formatDateTime(over)}`}</small>
        </Fact>
        <Fact name="Began">
          {formatDateTime(began)}
          <small className="dim">
            for <OpenFor created={began} closed={over} />
          </small>
        </Fact>
        <Fact name="Customer">{customerName || 'Several customers'}</Fact>
        <Fact name="Affected devices">{devicesText(incident)}</Fact>
        <Fact name="Alerts">
          {alertsText(incident)}
          <small className="dim">
            {formatNumber(activeCount)} active, {formatNumber(openCount)} not closed
          </small>
        </Fact>
        <Fact name="Owner">
          {ownerName || <span className="dim">{ownerId === null ? 'None' : 'Somebody else'}</span>}
          {acknowledged !== null && <small className="dim">since {formatMinute(acknowledged)}</small>}
        </Fact>
        {incident.snoozedUntil !== null && (
          <Fact name="Mails">
            <SnoozeBadge incident={incident} />
          </Fact>
        )}
      </dl>
    </div>
  )
}
