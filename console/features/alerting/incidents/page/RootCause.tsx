import { IconArrowRight } from '@tabler/icons-react'
import { alertDetails } from '#console/alertParts/alertDetails.ts'
import { LeftDevice } from '#console/deviceParts/LeftDevice.tsx'
import { REFRESH_EVERY_MS } from '#console/lib/call/refreshPeriods.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { formatDateTime } from '#console/lib/time/time.ts'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import type { IncidentDetails } from '#contract/http/alerting/incidents.ts'
import { getDarkness } from '#contract/http/insight/darkness.ts'
import { namesPlace } from '#domain/devices/site.ts'

export function FirstCause({ incident }: { readonly incident: IncidentDetails }) {
  const { began, cause } = incident
  return (
    <Panel title="Root cause" meta={formatDateTime(began)} isPadded>
      <p className="incident-cause">
        <Link to={alertDetails(cause.alertId)}>
          {cause.text} <IconArrowRight size={15} aria-hidden />
        </Link>
      </p>
      <p className="incident-place">
        {cause.deviceHasLeft ? (
          <LeftDevice name={cause.deviceName} />
        ) : (
          <Link to={address('/devices/$guid/status', { guid: cause.deviceGuid })}>{cause.deviceName}</Link>
        )}
        {namesPlace(cause.deviceAddress) && <span className="dim">{cause.deviceAddress}</span>}
      </p>
      {incident.state === 'active' && !cause.deviceHasLeft && <WhyDark deviceId={cause.deviceId} />}
    </Panel>
  )
}

function WhyDark({ deviceId }: Pick<IncidentDetails['cause'], 'deviceId'>) {
  const darkness = useCall(getDarkness, { deviceId }, { refreshEveryMs: REFRESH_EVERY_MS.besideLive })
  const wrong = darkness.data?.walks.filter(({ verdict: { kind } }) => kind !== 'lit' && kind !== 'planned') ?? []
  if (wrong.length === 0) return null
  return (
    <ul className="incident-verdicts" aria-label="Displays now">
      {wrong.map(({ displayNumber, displayName, verdict }) => (
        <li key={displayNumber}>
          <b>{displayName}</b> {verdict.sentence}
        </li>
      ))}
    </ul>
  )
}
