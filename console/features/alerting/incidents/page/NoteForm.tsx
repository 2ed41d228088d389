import { Textarea } from '@mantine/core'
import { useCallForm } from '#console/lib/form/useCallForm.ts'
import { FormNote } from '#console/ui/form/FormNote.tsx'
import { ModalForm } from '#console/ui/form/ModalForm.tsx'
import { noteIncident } from '#contract/http/alerting/incidents.ts'
import { incidentMessages } from '../incidentLabels.ts'
import type { IncidentFormProps } from './AssignForm.tsx'

export function NoteForm({ incident, onEnd }: IncidentFormProps) {
  const { field, submit, isBusy, failure } = useCallForm(noteIncident, {
    labels: { note: 'Note' },
    initial: { note: '' },
    content: ({ note }) => ({ id: incident.id, note: note.trim() }),
    requires: ['note'],
    saved: incidentMessages.noted,
    keepsFailure: true,
    onSaved: onEnd,
  })
  return (
    <ModalForm onSubmit={submit} isBusy={isBusy} submitLabel="Add note" onCancel={onEnd}>
      {failure && <FormNote kind="failed" text={failure} />}
      <Textarea {...field('note')} data-autofocus size="xs" rows={5} resize="vertical" />
    </ModalForm>
  )
}
