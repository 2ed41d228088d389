import { useState } from 'react'
import { AlertNeighbours } from '#console/alertParts/AlertNeighbours.tsx'
import { AlertChart } from '#console/alertParts/chart/AlertChart.tsx'
import { chosenOccurrence, useAlertPast } from '#console/alertParts/chart/useAlertPast.ts'
import { useAlertDetails } from '#console/alertParts/useAlertDetails.ts'
import { GoBack } from '#console/lib/GoBack.tsx'
import { useMay } from '#console/lib/session/session.ts'
import { address } from '#console/router/addressText.ts'
import { Link } from '#console/router/Router.tsx'
import { useAddress } from '#console/router/useAddress.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { lazyDialog } from '#console/ui/lazyDialog.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { Screen } from '#console/ui/page/Screen.tsx'
import { AUDIT_ENTITY_IDS } from '#contract/call/call.ts'
import { type AlertDetails, listAlerts } from '#contract/http/alerting/alerts.ts'
import { listAudit } from '#contract/http/insight/auditLog.ts'
import { originText } from '#domain/alerts/alertOrigin.ts'
import { conditionTitle } from '#domain/alerts/conditionTitle.ts'
import type { AlertId } from '#domain/ids.ts'
import { AlertFacts } from '../AlertFacts.tsx'
import { type AlertStep, AlertStepButtons } from '../AlertSteps.tsx'
import { AlertHead } from './AlertHead.tsx'
import { AlertHistory } from './AlertHistory.tsx'
import '#console/alertParts/alertParts.css'
import '../alerts.css'

const AlertStepModal = lazyDialog(() => import('./AlertStepModal.tsx').then((part) => part.AlertStepModal))

/** The page `/alerts/alert-details` goes back if the id of an alert is missing (rules/addresses 8). */
export function AlertDetailsScreen() {
  const { data: id, at } = useAddress('/alerts/alert-details').values
  const mayList = useMay(listAlerts.permission)
  return id === undefined ? (
    <GoBack fallback={address(mayList ? '/alerts' : '/')} />
  ) : (
    <AlertById key={id} id={id} at={at} />
  )
}

interface ByIdProps {
  readonly id: AlertId
  /** The beginning of the occurrence that is shown; undefined means the latest. */
  readonly at: string | undefined
}

function AlertById({ id, at }: ByIdProps) {
  const details = useAlertDetails(id)
  const alert = details.data
  if (alert) return <OpenAlert alert={alert} at={at} />
  return (
    <Screen title={`Alert ${id}`}>
      <AsyncView query={details}>{() => null}</AsyncView>
    </Screen>
  )
}

function AuditLink({ alertId }: { readonly alertId: AlertId }) {
  const mayRead = useMay(listAudit.permission)
  if (!mayRead) return null
  return <Link to={address('/audit-log', { entityTypeId: AUDIT_ENTITY_IDS.Alert, entityId: alertId })}>Audit log</Link>
}

function OpenAlert({ alert, at }: { readonly alert: AlertDetails; readonly at: string | undefined }) {
  const past = useAlertPast(alert)
  const [step, setStep] = useState<AlertStep>()
  const end = () => setStep(undefined)
  return (
    <Screen title={conditionTitle(alert.condition_text)} actions={<AlertStepButtons alert={alert} onStep={setStep} />}>
      {/* The condition's own words stand beneath the title. */}
      <p className="alert-condition-text dim">
        {alert.condition_text} · {originText(alert.conditionOrigin)}
      </p>
      <AlertHead alert={alert} past={past} shown={chosenOccurrence(past.occurrences, at)} />
      <div className="alert-page">
        <div className="alert-page-main">
          {/* The readings of a device that left stay with it. */}
          {!alert.deviceHasLeft && <AlertChart alert={alert} past={past} at={at} />}
          <Panel title="History" meta={alert.activeCount > 1 ? `raised ${alert.activeCount} times` : undefined}>
            <AlertHistory alert={alert} past={past} at={at} />
          </Panel>
          <Panel title="Other alerts of this device at that time">
            <AlertNeighbours alert={alert} />
          </Panel>
        </div>
        <Panel title="Details" meta={<AuditLink alertId={alert.id} />} isPadded>
          <AlertFacts alert={alert} isBesideHead />
        </Panel>
      </div>
      {step && <AlertStepModal alert={alert} step={step} onClose={end} />}
    </Screen>
  )
}
