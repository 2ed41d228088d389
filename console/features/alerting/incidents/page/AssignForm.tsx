import { Textarea } from '@mantine/core'
import { refreshAfter } from '#console/lib/call/useCall.ts'
import { useCallForm } from '#console/lib/form/useCallForm.ts'
import { useUser } from '#console/lib/session/session.ts'
import { UserPicker } from '#console/pickers/UserPicker.tsx'
import { FormNote } from '#console/ui/form/FormNote.tsx'
import { ModalForm } from '#console/ui/form/ModalForm.tsx'
import { acknowledgeIncident, type IncidentDetails } from '#contract/http/alerting/incidents.ts'
import type { UserId } from '#domain/ids.ts'
import { incidentMessages } from '../incidentLabels.ts'

export interface IncidentFormProps {
  readonly incident: IncidentDetails
  readonly onEnd: () => void
}

/** It sets the owner and a note, and acknowledges the open alerts of the incident. */
export function AssignForm({ incident, onEnd }: IncidentFormProps) {
  const user = useUser()
  const { ownerId, ownerName } = incident
  const { values, field, submit, isBusy, failure } = useCallForm(acknowledgeIncident, {
    labels: { ownerId: 'Owner', note: 'Note' },
    initial: { ownerId: (ownerId ?? user.id) as UserId | undefined, note: '' },
    content: ({ ownerId: chosen, note }) => ({ id: incident.id, ownerId: chosen, note: note.trim() }),
    requires: ['ownerId'],
    saved: incidentMessages.assigned,
    keepsFailure: true,
    onSaved: onEnd,
    onFailed: () => void refreshAfter(acknowledgeIncident),
  })
  const chosenName =
    values.ownerId === user.id ? `${user.username} (you)` : values.ownerId === ownerId ? ownerName : undefined
  return (
    <ModalForm onSubmit={submit} isBusy={isBusy} submitLabel="Assign" onCancel={onEnd}>
      {failure && <FormNote kind="failed" text={failure} />}
      <UserPicker
        {...field('ownerId')}
        withAsterisk={false}
        {...(incident.cause.deviceHasLeft ? {} : { deviceId: incident.cause.deviceId })}
        chosenName={chosenName || undefined}
        data-autofocus
      />
      <Textarea {...field('note')} size="xs" rows={4} resize="vertical" />
    </ModalForm>
  )
}
