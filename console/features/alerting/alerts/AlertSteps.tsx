import { IconCircleCheck, IconUserCheck } from '@tabler/icons-react'
import { messages } from '#console/lib/call/messages.ts'
import { usePaletteCommands } from '#console/lib/commands/commands.ts'
import { useMay } from '#console/lib/session/session.ts'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { type AlertDetails, closeAlerts } from '#contract/http/alerting/alerts.ts'
import { ALERT_STATUS } from '#domain/alerts/alertLabels.ts'

export type AlertStep = 'acknowledge' | 'close'

export const STEP_TITLES: Record<AlertStep, string> = { acknowledge: 'Acknowledge alert', close: 'Close alert' }

interface ButtonsProps {
  readonly alert: AlertDetails
  readonly onStep: (step: AlertStep) => void
}

/** The buttons are absent for a closed alert, and for users who may only read. */
export function AlertStepButtons({ alert, onStep }: ButtonsProps) {
  const mayChange = useMay(closeAlerts.permission)
  const isOpened = alert.statusId === ALERT_STATUS.opened
  const refused = isOpened ? undefined : messages.alertIsClosed
  usePaletteCommands([
    {
      actionId: 'alert.acknowledge',
      label: STEP_TITLES.acknowledge,
      searchTerms: 'take own',
      icon: IconUserCheck,
      refused,
      run: () => onStep('acknowledge'),
    },
    { actionId: 'alert.close', label: STEP_TITLES.close, icon: IconCircleCheck, refused, run: () => onStep('close') },
  ])
  if (!mayChange || !isOpened) return null
  return (
    <>
      <ActionButton icon={IconUserCheck} onClick={() => onStep('acknowledge')}>
        Acknowledge
      </ActionButton>
      <ActionButton icon={IconCircleCheck} isMain onClick={() => onStep('close')}>
        Close alert
      </ActionButton>
    </>
  )
}
