import { AlertNeighbours } from '#console/alertParts/AlertNeighbours.tsx'
import { AlertChart } from '#console/alertParts/chart/AlertChart.tsx'
import { useAlertPast } from '#console/alertParts/chart/useAlertPast.ts'
import { REFRESH_EVERY_MS } from '#console/lib/call/refreshPeriods.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { Panel } from '#console/ui/Panel.tsx'
import type { AlertDetails } from '#contract/http/alerting/alerts.ts'
import type { IncidentDetails } from '#contract/http/alerting/incidents.ts'
import { getDarkness } from '#contract/http/insight/darkness.ts'
import { originText } from '#domain/alerts/alertOrigin.ts'

interface CauseProps {
  readonly alert: AlertDetails
}

/** The condition's own words stand beneath the title. */
export const CauseCondition = ({ alert }: { readonly alert: AlertDetails | undefined }) => (
  <p className="incident-condition dim">
    {alert ? `${alert.condition_text}${alert.conditionOrigin ? ` · ${originText(alert.conditionOrigin)}` : ''}` : ' '}
  </p>
)

export function CauseChart({ alert, isShort = false }: CauseProps & { readonly isShort?: boolean }) {
  const past = useAlertPast(alert)
  // The readings of a device that left stay with it.
  return alert.deviceHasLeft ? null : <AlertChart alert={alert} past={past} at={undefined} isShort={isShort} />
}

export const CauseNeighbours = ({ alert }: CauseProps) => (
  <Panel title="Other alerts of this device then">
    <AlertNeighbours alert={alert} />
  </Panel>
)

/** It says why displays of the cause are dark now, and nothing while the incident is over. */
export function CauseVerdicts({ incident: { state, cause } }: { readonly incident: IncidentDetails }) {
  return state === 'active' && !cause.deviceHasLeft ? <WhyDark deviceId={cause.deviceId} /> : null
}

function WhyDark({ deviceId }: Pick<IncidentDetails['cause'], 'deviceId'>) {
  const darkness = useCall(getDarkness, { deviceId }, { refreshEveryMs: REFRESH_EVERY_MS.besideLive })
  const wrong = darkness.data?.walks.filter(({ verdict: { kind } }) => kind !== 'lit' && kind !== 'planned') ?? []
  if (wrong.length === 0) return null
  return (
    <ul className="incident-verdicts" aria-label="Displays now">
      {wrong.map(({ displayNumber, displayName, verdict }) => (
        <li key={displayNumber}>
          {/* Most sentences begin with the name of the display. */}
          {!verdict.sentence.startsWith(displayName) && <b>{displayName} </b>}
          {verdict.sentence}
        </li>
      ))}
    </ul>
  )
}
