import { type ReactNode, type Ref, useEffect, useRef, useState } from 'react'
import { alertDetails } from '#console/alertParts/alertDetails.ts'
import { alertsText, devicesText } from '#console/alertParts/incidentCounts.ts'
import { useAlertDetails } from '#console/alertParts/useAlertDetails.ts'
import { LeftDevice } from '#console/deviceParts/LeftDevice.tsx'
import { callKey, queryClient } from '#console/lib/call/useCall.ts'
import { GoBack } from '#console/lib/GoBack.tsx'
import { useMay } from '#console/lib/session/session.ts'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import { useAddress } from '#console/router/useAddress.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { FormNote } from '#console/ui/form/FormNote.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { Screen } from '#console/ui/page/Screen.tsx'
import { Fact } from '#console/ui/records/Fact.tsx'
import { MissingRecord } from '#console/ui/records/MissingRecord.tsx'
import { AUDIT_ENTITY_IDS } from '#contract/call/call.ts'
import { getIncident, type IncidentDetails } from '#contract/http/alerting/incidents.ts'
import { listAudit } from '#contract/http/insight/auditLog.ts'
import { namesPlace } from '#domain/devices/site.ts'
import type { IncidentId } from '#domain/ids.ts'
import { formatNumber } from '#domain/units/numbers.ts'
import { incidentMessages, whyNotChanged } from '../incidentLabels.ts'
import { IncidentAlerts } from './IncidentAlerts.tsx'
import { CauseChart, CauseCondition, CauseNeighbours, CauseVerdicts } from './IncidentCause.tsx'
import { IncidentFacts } from './IncidentFacts.tsx'
import { useIncidentSteps } from './IncidentSteps.tsx'
import { IncidentTimeline } from './IncidentTimeline.tsx'
import { type IncidentRead, useIncident } from './useIncident.ts'
import '#console/alertParts/alertParts.css'
import '../incidents.css'

/** The page `/incidents/incident` goes back if the id of an incident is missing (rules/addresses 8). */
export function IncidentScreen() {
  const { values, change } = useAddress('/incidents/incident')
  const { data: id, page = 1 } = values
  const [joined, setJoined] = useState<IncidentId>()
  if (id === undefined) return <GoBack fallback={address('/incidents')} />
  return (
    <IncidentById
      id={id}
      page={page}
      wasJoined={joined === id}
      onPage={(next) => change({ page: next === 1 ? undefined : next })}
      onJoined={(into) => {
        setJoined(into)
        change({ data: { id: into }, page: undefined }, { replace: true })
      }}
    />
  )
}

interface ByIdProps {
  readonly id: IncidentId
  readonly page: number
  readonly wasJoined: boolean
  readonly onPage: (page: number) => void
  readonly onJoined: (into: IncidentId) => void
}

function IncidentById({ id, page, wasJoined, onPage, onJoined }: ByIdProps) {
  const read = useIncident(id, page)
  const { data, isPlaceholderData } = read.details
  const into = data && !isPlaceholderData && data.id !== id ? data.id : undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when another one is answered
  useEffect(() => {
    if (into === undefined || data === undefined) return
    queryClient.setQueryData(callKey(getIncident, { id: into }), { ...data, wasJoined: false })
    onJoined(into)
  }, [into])
  if (data && !isPlaceholderData && into === undefined) {
    return <OpenIncident key={data.id} incident={data} read={read} wasJoined={wasJoined} page={page} onPage={onPage} />
  }
  if (read.details.error?.code === 'not_found') {
    const note = 'This incident does not exist, or you may not see it'
    return <MissingRecord title={`Incident ${id}`} note={note} list={address('/incidents')} listName="incidents" />
  }
  return (
    <Screen title={`Incident ${id}`}>
      <AsyncView query={read.details}>{() => null}</AsyncView>
    </Screen>
  )
}

interface OpenProps {
  readonly incident: IncidentDetails
  readonly read: IncidentRead
  readonly wasJoined: boolean
  readonly page: number
  readonly onPage: (page: number) => void
}

function OpenIncident(props: OpenProps) {
  const whyNot = whyNotChanged(props.incident)
  if (whyNot === undefined) return <ChangeableIncident {...props} />
  return <IncidentPage {...props} notes={<FormNote kind="info" text={whyNot} />} />
}

function ChangeableIncident(props: OpenProps) {
  const table = useRef<HTMLDivElement>(null)
  const onSplit = () => table.current?.querySelector<HTMLElement>('input[type="checkbox"]')?.focus()
  const { buttons, refusal, dialog } = useIncidentSteps(props.incident, onSplit)
  return (
    <>
      <IncidentPage {...props} tableRef={table} actions={buttons} notes={refusal} />
      {dialog}
    </>
  )
}

interface PageProps extends OpenProps {
  readonly actions?: ReactNode
  readonly notes: ReactNode
  readonly tableRef?: Ref<HTMLDivElement>
}

function IncidentPage({ incident, read, wasJoined, page, onPage, actions, notes, tableRef }: PageProps) {
  const alert = useAlertDetails(incident.cause.alertId).data
  return (
    <Screen title={incident.title} actions={actions}>
      <CauseCondition alert={alert} />
      {wasJoined && <FormNote kind="info" text={incidentMessages.wasJoined} />}
      {notes}
      <div className="incident-head panel">
        <IncidentFacts incident={incident} alert={alert}>
          <CauseFacts incident={incident} />
        </IncidentFacts>
        <CauseVerdicts incident={incident} />
      </div>
      <div className="incident-page">
        <div className="incident-page-main">
          {alert && <CauseChart alert={alert} />}
          <div ref={tableRef}>
            <IncidentAlerts incident={incident} alerts={read.alerts} page={page} onPage={onPage} />
          </div>
        </div>
        <div className="incident-page-side">
          <Panel title="Timeline" meta={<AuditLink incidentId={incident.id} />}>
            <IncidentTimeline incident={incident} alerts={read.alerts.data?.rows ?? []} />
          </Panel>
          {alert && <CauseNeighbours alert={alert} />}
        </div>
      </div>
    </Screen>
  )
}

function CauseFacts({ incident }: { readonly incident: IncidentDetails }) {
  const { cause, activeCount, openCount } = incident
  return (
    <>
      <Fact name="Device">
        {cause.deviceHasLeft ? (
          <LeftDevice name={cause.deviceName} />
        ) : (
          <Link to={address('/devices/$guid/status', { guid: cause.deviceGuid })}>{cause.deviceName}</Link>
        )}
        {namesPlace(cause.deviceAddress) && <small className="dim">{cause.deviceAddress}</small>}
      </Fact>
      <Fact name="Root cause">
        <Link to={alertDetails(cause.alertId)}>Alert {cause.alertId}</Link>
      </Fact>
      <Fact name="Affected devices">{devicesText(incident)}</Fact>
      <Fact name="Alerts">
        {alertsText(incident)}
        {incident.alertCount > 1 && (
          <small className="dim">
            {formatNumber(activeCount)} active, {formatNumber(openCount)} not closed
          </small>
        )}
      </Fact>
    </>
  )
}

function AuditLink({ incidentId }: { readonly incidentId: IncidentId }) {
  const mayRead = useMay(listAudit.permission)
  if (!mayRead) return null
  return (
    <Link to={address('/audit-log', { entityTypeId: AUDIT_ENTITY_IDS.Incident, entityId: incidentId })}>Audit log</Link>
  )
}
