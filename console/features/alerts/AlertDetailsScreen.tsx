import { Modal } from '@mantine/core'
import { useState } from 'react'
import { useMay } from '#console/lib/call/session.ts'
import { GoBack } from '#console/lib/GoBack.tsx'
import { address } from '#console/router/addressText.ts'
import { useAddress } from '#console/router/useAddress.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { Screen } from '#console/ui/Screen.tsx'
import { type AlertDetails, listAlerts } from '#contract/http/alert.ts'
import type { AlertId } from '#domain/ids.ts'
import { AlertChart } from './AlertChart.tsx'
import { AlertFacts } from './AlertFacts.tsx'
import { AlertHistory } from './AlertHistory.tsx'
import { AlertNeighbours } from './AlertNeighbours.tsx'
import { type AlertStep, AlertStepButtons, AlertStepForm, STEP_TITLES } from './AlertSteps.tsx'
import { useAlertDetails } from './useAlertDetails.ts'
import './alerts.css'

/** `/alerts/alert-details`: without route data the app goes back (P2 §8). */
export function AlertDetailsScreen() {
  const { data: id } = useAddress('/alerts/alert-details').values
  const mayList = useMay(listAlerts.permission)
  return id === undefined ? <GoBack fallback={address(mayList ? '/alerts' : '/')} /> : <AlertById key={id} id={id} />
}

function AlertById({ id }: { readonly id: AlertId }) {
  const details = useAlertDetails(id)
  const [step, setStep] = useState<AlertStep>()
  const end = () => setStep(undefined)
  const alert = details.data
  return (
    <Screen
      title={alert?.condition_text ?? `Alert ${id}`}
      subtitle={alert && `Alert ${id}`}
      actions={alert && <AlertStepButtons alert={alert} onStep={setStep} />}
    >
      <AsyncView query={details}>{(found) => <AlertPanels alert={found} />}</AsyncView>
      {alert && step && (
        <Modal opened onClose={end} title={STEP_TITLES[step]} size={380}>
          <AlertStepForm alert={alert} step={step} onEnd={end} />
        </Modal>
      )}
    </Screen>
  )
}

function AlertPanels({ alert }: { readonly alert: AlertDetails }) {
  return (
    <div className="alert-page">
      <Panel title="Details" isPadded>
        <AlertFacts alert={alert} />
      </Panel>
      <div className="alert-page-main">
        {/* Readings stay with the device. */}
        {!alert.deviceHasLeft && <AlertChart alert={alert} />}
        <Panel title="History">
          <AlertHistory alert={alert} />
        </Panel>
        <Panel title="Other alerts of this device at that time">
          <AlertNeighbours alert={alert} />
        </Panel>
      </div>
    </div>
  )
}
