import { Button, Group, Stack, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { messages } from '#console/lib/messages.ts'
import { useUser } from '#console/lib/session.ts'
import { toasts } from '#console/lib/toasts.ts'
import { refresh, useChange } from '#console/lib/useCall.ts'
import { UserPicker } from '#console/pickers/UserPicker.tsx'
import { type AlertDetails, acknowledgeAlert, getAlertDetails, listAlerts } from '#contract/http/alert.ts'
import type { UserId } from '#domain/ids.ts'
import { required } from '#domain/validation/messages.ts'

const LONGEST_NOTE = 4000

interface Props {
  readonly alert: AlertDetails
  readonly onDone: () => void
  readonly onCancel: () => void
}

interface Values {
  readonly ownerId: UserId | undefined
  readonly note: string
}

/** Who looks after an open alert, and what is known so far (before it is closed). */
export function AcknowledgeForm({ alert, onDone, onCancel }: Props) {
  const user = useUser()
  const acknowledge = useChange(acknowledgeAlert, {
    refreshes: [listAlerts, getAlertDetails],
    onDone: () => {
      toasts.success(messages.alertAcknowledged)
      onDone()
    },
  })
  const form = useForm<Values>({
    initialValues: { ownerId: user.id, note: alert.acknowledged?.note ?? '' },
    validate: { ownerId: (ownerId) => (ownerId === undefined ? required('Owner') : null) },
  })
  const submit = ({ ownerId, note }: Values) => {
    if (ownerId === undefined) return
    acknowledge.mutate(
      { body: { id: alert.id, ownerId, note: note.trim() } },
      { onError: () => void refresh(listAlerts, getAlertDetails) },
    )
  }
  return (
    <form noValidate onSubmit={form.onSubmit(submit)}>
      <Stack gap="md">
        <UserPicker
          label="Owner"
          deviceId={alert.deviceId}
          value={form.values.ownerId}
          chosenName={form.values.ownerId === user.id ? `${user.username} (you)` : undefined}
          onChange={(ownerId) => form.setFieldValue('ownerId', ownerId)}
          error={form.errors.ownerId}
        />
        <Textarea
          label="Note"
          data-autofocus
          size="xs"
          rows={4}
          resize="vertical"
          maxLength={LONGEST_NOTE}
          {...form.getInputProps('note')}
        />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={acknowledge.isPending}>
            Acknowledge
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
