import { CloseAlertsForm } from '#console/alertParts/CloseAlertsForm.tsx'
import type { AlertDetails } from '#contract/http/alerting/alerts.ts'
import { AcknowledgeForm } from './AcknowledgeForm.tsx'
import type { AlertStep } from './AlertSteps.tsx'

interface FormProps {
  readonly alert: AlertDetails
  readonly step: AlertStep
  /** It is called when the step is done or cancelled. */
  readonly onEnd: () => void
}

export function AlertStepForm({ alert, step, onEnd }: FormProps) {
  if (step === 'close') return <CloseAlertsForm alertIds={[alert.id]} onClosed={onEnd} onCancel={onEnd} />
  return <AcknowledgeForm alert={alert} onDone={onEnd} onCancel={onEnd} />
}
