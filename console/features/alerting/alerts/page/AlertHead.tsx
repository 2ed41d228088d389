import { AlertSeverityBadge, ConditionStateBadge } from '#console/alertParts/AlertBadges.tsx'
import type { AlertPast } from '#console/alertParts/chart/useAlertPast.ts'
import { IncidentLink } from '#console/alertParts/IncidentLink.tsx'
import { PresentValueCell, presentTitle } from '#console/alertParts/PresentValueCell.tsx'
import { usePresentValues } from '#console/alertParts/presentValues.ts'
import { LeftDevice } from '#console/deviceParts/LeftDevice.tsx'
import { formatDateTime } from '#console/lib/time/time.ts'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import { Age } from '#console/ui/Age.tsx'
import { Fact } from '#console/ui/records/Fact.tsx'
import { severityTone } from '#console/ui/severityLook.ts'
import type { AlertDetails } from '#contract/http/alerting/alerts.ts'
import { ALERT_STATUS, CONDITION_STATE } from '#domain/alerts/alertLabels.ts'
import { isClockField } from '#domain/alerts/conditionKinds.ts'
import { toShownAddress } from '#domain/devices/site.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'

interface Props {
  readonly alert: AlertDetails
  readonly past: AlertPast
}

export function AlertHead({ alert, past }: Props) {
  const { deviceId, field_id: fieldId, deviceHasLeft, deviceModelId } = alert
  const present = usePresentValues([{ deviceId, fieldId, deviceHasLeft }])({ deviceId, fieldId, deviceHasLeft })
  const isNow = alert.statusId === ALERT_STATUS.opened && alert.conditionStateId === CONDITION_STATE.active
  return (
    <div className="alert-head" data-now={isNow ? severityTone(alert.severityId) : undefined}>
      <dl>
        <Fact name="Device">
          {deviceHasLeft ? (
            <LeftDevice name={alert.device_name} />
          ) : (
            <Link to={address('/devices/$guid/status', { guid: alert.deviceGuid })}>{alert.device_name}</Link>
          )}
        </Fact>
        <Fact name="Customer">{alert.customerName}</Fact>
        <Fact name="Place">{toShownAddress(alert.deviceAddress) || UNKNOWN_TEXT}</Fact>
        {!isClockField(fieldId) && (
          <Fact name="Now">
            <span title={presentTitle(present)}>
              <PresentValueCell present={present} modelId={deviceModelId} />
            </span>
            <small className="dim">{present && <Age at={present.at} />}</small>
          </Fact>
        )}
        {alert.incident && (
          <Fact name="Incident">
            <IncidentLink alert={alert} />
          </Fact>
        )}
        <Fact name="Severity">
          <AlertSeverityBadge alert={alert} />
        </Fact>
        <Fact name="State">
          <ConditionStateBadge alert={alert} />
          <small className="dim">
            <StateSince alert={alert} past={past} isNow={isNow} />
          </small>
        </Fact>
      </dl>
    </div>
  )
}

function StateSince({ alert, past, isNow }: Pick<Props, 'alert' | 'past'> & { readonly isNow: boolean }) {
  const [latest] = past.occurrences
  if (isNow) {
    // Its incident says for how long, from before the time that the condition waits.
    return (
      <>
        {past.occurrences.length > 1 ? 'raised again' : 'opened'} <Age at={latest?.from ?? alert.created} />
      </>
    )
  }
  const over = latest?.to ?? alert.closed
  return over ? <>since {formatDateTime(over)}</> : null
}
