import { useState } from 'react'
import { AlertNeighbours } from '#console/alertParts/AlertNeighbours.tsx'
import { AlertChart } from '#console/alertParts/chart/AlertChart.tsx'
import { chosenOccurrence, useAlertPast } from '#console/alertParts/chart/useAlertPast.ts'
import { useAlertDetails } from '#console/alertParts/useAlertDetails.ts'
import { GoBack } from '#console/lib/GoBack.tsx'
import { useMay } from '#console/lib/session/session.ts'
import { address } from '#console/router/addressText.ts'
import { useAddress } from '#console/router/useAddress.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { lazyDialog } from '#console/ui/lazyDialog.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { Screen } from '#console/ui/page/Screen.tsx'
import { MissingRecord } from '#console/ui/records/MissingRecord.tsx'
import { type AlertDetails, listAlerts } from '#contract/http/alerting/alerts.ts'
import { originText } from '#domain/alerts/alertOrigin.ts'
import type { AlertId } from '#domain/ids.ts'
import { AlertFacts } from '../AlertFacts.tsx'
import { type AlertStep, AlertStepButtons } from '../AlertSteps.tsx'
import { AlertHead } from './AlertHead.tsx'
import { AlertHistory } from './AlertHistory.tsx'
import { AlertMenu } from './AlertMenu.tsx'
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
  if (details.error?.code === 'not_found') {
    const note = 'This alert does not exist, or you may not see it'
    return <MissingRecord title={`Alert ${id}`} note={note} list={address('/alerts')} listName="alerts" />
  }
  return (
    <Screen title={`Alert ${id}`}>
      <AsyncView query={details}>{() => null}</AsyncView>
    </Screen>
  )
}

function OpenAlert({ alert, at }: { readonly alert: AlertDetails; readonly at: string | undefined }) {
  const past = useAlertPast(alert)
  const [step, setStep] = useState<AlertStep>()
  const end = () => setStep(undefined)
  const shown = chosenOccurrence(past.occurrences, at)
  return (
    <Screen
      title={alert.title}
      actions={
        <>
          <AlertStepButtons alert={alert} onStep={setStep} />
          <AlertMenu alert={alert} shown={shown} />
        </>
      }
    >
      {/* The condition's own words stand beneath the title. */}
      <p className="alert-condition-text dim">
        {alert.condition_text} · {originText(alert.conditionOrigin)}
      </p>
      <AlertHead alert={alert} past={past} />
      <div className="alert-page">
        <div className="alert-page-main">
          {/* The readings of a device that left stay with it. */}
          {!alert.deviceHasLeft && <AlertChart alert={alert} past={past} at={at} />}
          <Panel title="History">
            <AlertHistory alert={alert} past={past} at={at} />
          </Panel>
          <Panel title="Other alerts of this device at that time">
            <AlertNeighbours alert={alert} />
          </Panel>
        </div>
        <Panel title="Details" isPadded>
          <AlertFacts alert={alert} isBesideHead />
        </Panel>
      </div>
      {step && <AlertStepModal alert={alert} step={step} onClose={end} />}
    </Screen>
  )
}
