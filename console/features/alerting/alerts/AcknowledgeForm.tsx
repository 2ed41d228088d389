import { Textarea } from '@mantine/core'
import { messages } from '#console/lib/call/messages.ts'
import { refreshAfter } from '#console/lib/call/useCall.ts'
import { useCallForm } from '#console/lib/form/useCallForm.ts'
import { useUser } from '#console/lib/session/session.ts'
import { UserPicker } from '#console/pickers/UserPicker.tsx'
import { ModalForm } from '#console/ui/form/ModalForm.tsx'
import { type AlertDetails, acknowledgeAlert } from '#contract/http/alerting/alerts.ts'
import type { UserId } from '#domain/ids.ts'

interface Props {
  readonly alert: AlertDetails
  readonly onDone: () => void
  readonly onCancel: () => void
}

export function AcknowledgeForm({ alert, onDone, onCancel }: Props) {
  const user = useUser()
  const { values, field, submit, isBusy } = useCallForm(acknowledgeAlert, {
    labels: { ownerId: 'Owner', note: 'Note' },
    initial: { ownerId: user.id as UserId | undefined, note: alert.acknowledged?.note ?? '' },
    content: ({ ownerId, note }) => ({ id: alert.id, ownerId, note: note.trim() }),
    requires: ['ownerId'],
    saved: messages.alertAcknowledged,
    onSaved: onDone,
    onFailed: () => void refreshAfter(acknowledgeAlert),
  })
  return (
    <ModalForm onSubmit={submit} isBusy={isBusy} submitLabel="Acknowledge" onCancel={onCancel}>
      <UserPicker
        {...field('ownerId')}
        withAsterisk={false}
        deviceId={alert.deviceId}
        chosenName={values.ownerId === user.id ? `${user.username} (you)` : undefined}
      />
      <Textarea {...field('note')} data-autofocus size="xs" rows={4} resize="vertical" />
    </ModalForm>
  )
}
