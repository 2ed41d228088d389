import { Button, Group, Select, Stack, Text, Textarea } from '@mantine/core'
import { useForm } from '@mantine/form'
import { messages } from '#console/lib/messages.ts'
import { toasts } from '#console/lib/toasts.ts'
import { refresh, useCall, useChange } from '#console/lib/useCall.ts'
import { closeAlerts, getAlertDetails, listAlertResolutions, listAlerts } from '#contract/http/alert.ts'
import type { AlertId } from '#domain/ids.ts'
import { required } from '#domain/validation/messages.ts'

const LONGEST_COMMENT = 4000

interface Props {
  readonly alertIds: readonly AlertId[]
  readonly onClosed: () => void
  readonly onCancel: () => void
}

interface Values {
  readonly resolutionId: string | null
  readonly comment: string
}

/** P2 §5 "Close alert": a resolution is required, a comment is not. All of them are closed, or none. */
export function CloseAlertsForm({ alertIds, onClosed, onCancel }: Props) {
  const resolutions = useCall(listAlertResolutions, {}, { freshMs: Number.POSITIVE_INFINITY })
  const close = useChange(closeAlerts, {
    refreshes: [listAlerts, getAlertDetails],
    onDone: ({ closedCount }) => {
      toasts.success(messages.alertsClosed(closedCount))
      onClosed()
    },
  })
  const form = useForm<Values>({
    initialValues: { resolutionId: null, comment: '' },
    validate: { resolutionId: (id) => (id === null ? required('Resolution') : null) },
  })
  const submit = ({ resolutionId, comment }: Values) =>
    close.mutate(
      { body: { idList: [...alertIds], resolutionId: Number(resolutionId), comment: comment.trim() } },
      // Most likely somebody else closed one of them: what is on the screen is old.
      { onError: () => void refresh(listAlerts, getAlertDetails) },
    )
  return (
    <form noValidate onSubmit={form.onSubmit(submit)}>
      <Stack gap="md">
        {alertIds.length > 1 && (
          <Text size="sm" c="dimmed">
            {messages.closesAllOrNone(alertIds.length)}
          </Text>
        )}
        <Select
          label="Resolution"
          withAsterisk
          data-autofocus
          placeholder="How was it resolved?"
          data={(resolutions.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
          nothingFoundMessage={resolutions.isError ? 'Could not be loaded' : 'Loading…'}
          {...form.getInputProps('resolutionId')}
        />
        <Textarea
          label="Comment"
          size="xs"
          rows={4}
          resize="vertical"
          maxLength={LONGEST_COMMENT}
          {...form.getInputProps('comment')}
        />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" loading={close.isPending}>
            {alertIds.length === 1 ? 'Close alert' : `Close ${alertIds.length} alerts`}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
