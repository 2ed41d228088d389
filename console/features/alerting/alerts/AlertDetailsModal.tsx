import { Button, Modal } from '@mantine/core'
import { IconArrowRight } from '@tabler/icons-react'
import { useState } from 'react'
import { alertDetails } from '#console/alertParts/alertDetails.ts'
import { useAlertDetails } from '#console/alertParts/useAlertDetails.ts'
import { Link } from '#console/router/Router.tsx'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import type { AlertId } from '#domain/ids.ts'
import { AlertFacts } from './AlertFacts.tsx'
import { AlertStepForm } from './AlertStepForm.tsx'
import { type AlertStep, AlertStepButtons, STEP_TITLES } from './AlertSteps.tsx'
import '#console/alertParts/alertParts.css'
import './alerts.css'

interface Props {
  readonly alertId: AlertId
  readonly onClose: () => void
}

export function AlertDetailsModal({ alertId, onClose }: Props) {
  const details = useAlertDetails(alertId)
  const [step, setStep] = useState<AlertStep>()
  const back = () => setStep(undefined)
  return (
    <Modal opened onClose={step ? back : onClose} title={step ? STEP_TITLES[step] : `Alert ${alertId}`} size={380}>
      <AsyncView query={details}>
        {(alert) =>
          step ? (
            <AlertStepForm alert={alert} step={step} onEnd={back} />
          ) : (
            <>
              <p className="alert-title">{alert.title}</p>
              <p className="alert-condition-text dim">{alert.condition_text}</p>
              <AlertFacts alert={alert} />
              <div className="alert-buttons">
                <Button
                  variant="default"
                  component={Link}
                  to={alertDetails(alert.id)}
                  rightSection={<IconArrowRight size={14} aria-hidden />}
                >
                  Open
                </Button>
                <AlertStepButtons alert={alert} onStep={setStep} />
              </div>
            </>
          )
        }
      </AsyncView>
    </Modal>
  )
}
