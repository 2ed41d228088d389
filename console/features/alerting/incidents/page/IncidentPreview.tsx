import { IconArrowsMaximize } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { alertDetails } from '#console/alertParts/alertDetails.ts'
import { incidentPage } from '#console/alertParts/incidentPage.ts'
import { SeverityIcon } from '#console/alertParts/SeverityBadge.tsx'
import { useAlertDetails } from '#console/alertParts/useAlertDetails.ts'
import { LeftDevice } from '#console/deviceParts/LeftDevice.tsx'
import { formatMinute } from '#console/lib/time/time.ts'
import { address } from '#console/router/addressText.ts'
import { Link, useNavigate } from '#console/router/Router.tsx'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { IconButton } from '#console/ui/button/IconButton.tsx'
import { FormNote } from '#console/ui/form/FormNote.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import type { IncidentAlert, IncidentDetails } from '#contract/http/alerting/incidents.ts'
import type { IncidentId } from '#domain/ids.ts'
import { formatNumber } from '#domain/units/numbers.ts'
import { whyNotChanged } from '../incidentLabels.ts'
import { CauseChart, CauseCondition, CauseNeighbours, CauseVerdicts } from './IncidentCause.tsx'
import { IncidentFacts } from './IncidentFacts.tsx'
import { useIncidentSteps } from './IncidentSteps.tsx'
import { IncidentTimeline } from './IncidentTimeline.tsx'
import { useIncident } from './useIncident.ts'

/** The incident beside the list: enough to decide; its page has the rest. */
export function IncidentPreview({ id }: { readonly id: IncidentId }) {
  const { details, alerts } = useIncident(id, 1)
  return (
    <section className="incident-preview" aria-label="Incident">
      <AsyncView query={details}>
        {(incident) => {
          const whyNot = whyNotChanged(incident)
          const rows = alerts.data?.rows ?? []
          if (whyNot === undefined) return <Changeable incident={incident} alerts={rows} />
          return <Preview incident={incident} alerts={rows} notes={<FormNote kind="info" text={whyNot} />} />
        }}
      </AsyncView>
    </section>
  )
}

interface Props {
  readonly incident: IncidentDetails
  readonly alerts: readonly IncidentAlert[]
}

function Changeable(props: Props) {
  const navigate = useNavigate()
  // Alerts are split off where they can be selected.
  const onSplit = () => navigate(incidentPage(props.incident.id))
  const { buttons, refusal, dialog } = useIncidentSteps(props.incident, onSplit)
  return (
    <>
      <Preview {...props} buttons={buttons} notes={refusal} />
      {dialog}
    </>
  )
}

interface PreviewProps extends Props {
  readonly buttons?: ReactNode
  readonly notes: ReactNode
}

function Preview({ incident, alerts, buttons, notes }: PreviewProps) {
  const alert = useAlertDetails(incident.cause.alertId).data
  return (
    <>
      <PreviewHead incident={incident} />
      <CauseCondition alert={alert} />
      {buttons}
      {notes}
      <CauseVerdicts incident={incident} />
      <IncidentFacts incident={incident} alert={alert} />
      {alert && <CauseChart alert={alert} isShort />}
      <div className="incident-preview-two">
        <Panel title="Timeline">
          <IncidentTimeline incident={incident} alerts={alerts} />
        </Panel>
        <div>
          <PreviewAlerts incident={incident} alerts={alerts} />
          {alert && <CauseNeighbours alert={alert} />}
        </div>
      </div>
    </>
  )
}

function PreviewHead({ incident }: { readonly incident: IncidentDetails }) {
  const { id, cause, severityId, state } = incident
  const navigate = useNavigate()
  return (
    <header className="incident-preview-head">
      <SeverityIcon severityId={severityId} isActive={state === 'active'} size={20} />
      <h2>{cause.text}</h2>
      {cause.deviceHasLeft ? (
        <LeftDevice name={cause.deviceName} />
      ) : (
        <Link to={address('/devices/$guid/status', { guid: cause.deviceGuid })}>{cause.deviceName}</Link>
      )}
      <span className="incident-preview-open">
        <IconButton icon={IconArrowsMaximize} tip="Open incident" hasFrame onClick={() => navigate(incidentPage(id))} />
      </span>
    </header>
  )
}

const MOST_SHOWN = 8

function PreviewAlerts({ incident, alerts }: Props) {
  return (
    <Panel title="Alerts" meta={formatNumber(incident.alertCount)}>
      <ul className="incident-alerts">
        {alerts.slice(0, MOST_SHOWN).map(({ alertId, text, deviceName, severityId, over, began, isCause }) => (
          <li key={alertId}>
            <SeverityIcon severityId={severityId} isActive={over === null} size={16} />
            <Link to={alertDetails(alertId)}>{text}</Link>
            <time dateTime={began} className="dim">
              {formatMinute(began)}
            </time>
            <span className="dim">
              {[isCause ? 'Root cause' : deviceName, over === null ? 'active' : 'resolved'].join(' · ')}
            </span>
          </li>
        ))}
      </ul>
      {incident.alertCount > MOST_SHOWN && (
        <p className="alert-none">
          <Link to={incidentPage(incident.id)}>Show all {formatNumber(incident.alertCount)}</Link>
        </p>
      )}
    </Panel>
  )
}
