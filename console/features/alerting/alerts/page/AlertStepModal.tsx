import { Modal } from '@mantine/core'
import type { AlertDetails } from '#contract/http/alerting/alerts.ts'
import { AlertStepForm } from '../AlertStepForm.tsx'
import { type AlertStep, STEP_TITLES } from '../AlertSteps.tsx'

interface Props {
  readonly alert: AlertDetails
  readonly step: AlertStep
  readonly onClose: () => void
}

export function AlertStepModal({ alert, step, onClose }: Props) {
  return (
    <Modal opened onClose={onClose} title={STEP_TITLES[step]} size={380}>
      <AlertStepForm alert={alert} step={step} onEnd={onClose} />
    </Modal>
  )
}
