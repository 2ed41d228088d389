import { Button } from '@mantine/core'
import { IconCircleCheck, IconUserCheck } from '@tabler/icons-react'
import { useMay } from '#console/lib/call/session.ts'
import { type AlertDetails, closeAlerts } from '#contract/http/alert.ts'
import { ALERT_STATUS } from '#domain/alerts/alertWords.ts'
import { AcknowledgeForm } from './AcknowledgeForm.tsx'
import { CloseAlertsForm } from './CloseAlertsForm.tsx'

/** What can be done about an alert. */
export type AlertStep = 'acknowledge' | 'close'

export const STEP_TITLES: Record<AlertStep, string> = { acknowledge: 'Acknowledge alert', close: 'Close alert' }

interface ButtonsProps {
  readonly alert: AlertDetails
  readonly onStep: (step: AlertStep) => void
}

/** Absent for a closed alert, and for those who may only look. */
export function AlertStepButtons({ alert, onStep }: ButtonsProps) {
  const mayChange = useMay(closeAlerts.permission)
  if (!mayChange || alert.statusId !== ALERT_STATUS.opened) return null
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconUserCheck size={16} aria-hidden />}
        onClick={() => onStep('acknowledge')}
      >
        Acknowledge
      </Button>
      <Button leftSection={<IconCircleCheck size={16} aria-hidden />} onClick={() => onStep('close')}>
        Close alert
      </Button>
    </>
  )
}

interface FormProps {
  readonly alert: AlertDetails
  readonly step: AlertStep
  /** Done or given up. */
  readonly onEnd: () => void
}

export function AlertStepForm({ alert, step, onEnd }: FormProps) {
  if (step === 'close') return <CloseAlertsForm alertIds={[alert.id]} onClosed={onEnd} onCancel={onEnd} />
  return <AcknowledgeForm alert={alert} onDone={onEnd} onCancel={onEnd} />
}
