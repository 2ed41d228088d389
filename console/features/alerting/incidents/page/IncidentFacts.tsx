import type { ReactNode } from 'react'
import { OpenFor } from '#console/alertParts/OpenFor.tsx'
import { PresentValueCell, presentTitle } from '#console/alertParts/PresentValueCell.tsx'
import { usePresentValues } from '#console/alertParts/presentValues.ts'
import { formatDateTime, formatMinute } from '#console/lib/time/time.ts'
import { Fact } from '#console/ui/records/Fact.tsx'
import type { AlertDetails } from '#contract/http/alerting/alerts.ts'
import type { IncidentDetails } from '#contract/http/alerting/incidents.ts'
import { IncidentStateBadge, SnoozeBadge } from '../IncidentBadges.tsx'

interface Props {
  readonly incident: IncidentDetails
  /** The alert of its root cause; undefined while it loads. */
  readonly alert: AlertDetails | undefined
  readonly children?: ReactNode
}

/** The facts have fixed places, so that nothing moves when one of them changes. */
export function IncidentFacts({ incident, alert, children }: Props) {
  const { began, over, customerName, ownerName, ownerId, acknowledged } = incident
  return (
    <dl className="incident-facts">
      <Fact name="State">
        <IncidentStateBadge incident={incident} />
        <small className="dim" title={`Began ${formatDateTime(began)}`}>
          {over === null ? (
            <>
              for <OpenFor created={began} closed={null} />
            </>
          ) : (
            <>
              {formatDateTime(over)}, after <OpenFor created={began} closed={over} />
            </>
          )}
        </small>
      </Fact>
      <Fact name="Value now">{alert ? <PresentValue alert={alert} /> : '–'}</Fact>
      <Fact name="Customer">{customerName || 'Several customers'}</Fact>
      <Fact name="Owner">
        {ownerName || <span className="dim">{ownerId === null ? 'No owner' : 'Somebody else'}</span>}
        {acknowledged !== null && <small className="dim">since {formatMinute(acknowledged)}</small>}
        <SnoozeBadge incident={incident} />
      </Fact>
      {children}
    </dl>
  )
}

function PresentValue({ alert }: { readonly alert: AlertDetails }) {
  const { deviceId, field_id: fieldId, deviceHasLeft, deviceModelId } = alert
  const watched = { deviceId, fieldId, deviceHasLeft }
  const present = usePresentValues([watched])(watched)
  return (
    <span title={presentTitle(present)}>
      <PresentValueCell present={present} modelId={deviceModelId} />
    </span>
  )
}
