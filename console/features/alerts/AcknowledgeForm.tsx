import { Button, Group, Select, Stack, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { messages } from '#console/lib/messages.ts'
import { useUser } from '#console/lib/session.ts'
import { toasts } from '#console/lib/toasts.ts'
import { refresh, useChange } from '#console/lib/useCall.ts'
import { type AlertDetails, acknowledgeAlert, getAlertDetails, listAlerts } from '#contract/http/alert.ts'
import type { SignedInUser } from '#contract/http/app.ts'
import type { UserId } from '#domain/ids.ts'

const LONGEST_NOTE = 4000

interface Props {
  readonly alert: AlertDetails
  readonly onDone: () => void
  readonly onCancel: () => void
}

interface Values {
  readonly ownerId: string
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
    initialValues: { ownerId: String(user.id), note: alert.acknowledged?.note ?? '' },
  })
  const submit = ({ ownerId, note }: Values) =>
    acknowledge.mutate(
      { body: { id: alert.id, ownerId: Number(ownerId) as UserId, note: note.trim() } },
      { onError: () => void refresh(listAlerts, getAlertDetails) },
    )
  return (
    <form noValidate onSubmit={form.onSubmit(submit)}>
      <Stack gap="md">
        <Select label="Owner" data={ownersOf(user, alert)} allowDeselect={false} {...form.getInputProps('ownerId')} />
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

/** Oneself, or whoever has it already: no call tells the names of others yet. */
function ownersOf(user: SignedInUser, { acknowledged }: AlertDetails) {
  const me = { value: String(user.id), label: `${user.username} (you)` }
  if (!acknowledged || acknowledged.ownerId === null || acknowledged.ownerId === user.id) return [me]
  return [me, { value: String(acknowledged.ownerId), label: acknowledged.ownerName }]
}
