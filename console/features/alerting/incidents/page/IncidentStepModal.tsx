import { Modal } from '@mantine/core'
import { CloseAlertsForm } from '#console/alertParts/CloseAlertsForm.tsx'
import type { IncidentDetails } from '#contract/http/alerting/incidents.ts'
import { formatNumber } from '#domain/units/numbers.ts'
import { incidentMessages } from '../incidentLabels.ts'
import { AssignForm } from './AssignForm.tsx'
import type { Step } from './incidentDoing.ts'
import { MergeForm } from './MergeForm.tsx'
import { NoteForm } from './NoteForm.tsx'
import { SnoozeForm } from './SnoozeForm.tsx'

const TITLES = {
  assign: 'Assign incident',
  note: 'Add note',
  snooze: 'Snooze incident',
  merge: 'Merge incidents',
} as const

interface DialogProps {
  readonly incident: IncidentDetails
  readonly step: Step
  readonly onClose: () => void
}

export function IncidentStepModal({ incident, step, onClose }: DialogProps) {
  const title = typeof step === 'string' ? TITLES[step] : `Close alerts (${formatNumber(step.length)})`
  return (
    <Modal opened onClose={onClose} title={title} size={step === 'merge' ? 480 : 380}>
      <StepForm incident={incident} step={step} onClose={onClose} />
    </Modal>
  )
}

function StepForm({ incident, step, onClose }: DialogProps) {
  if (step === 'assign') return <AssignForm incident={incident} onEnd={onClose} />
  if (step === 'note') return <NoteForm incident={incident} onEnd={onClose} />
  if (step === 'snooze') return <SnoozeForm incident={incident} onEnd={onClose} />
  if (step === 'merge') return <MergeForm incident={incident} onEnd={onClose} />
  // Somebody else has closed the last of the alerts meanwhile.
  if (step.length === 0) return incidentMessages.nothingOpen
  return <CloseAlertsForm alertIds={step} onClosed={onClose} onCancel={onClose} />
}
