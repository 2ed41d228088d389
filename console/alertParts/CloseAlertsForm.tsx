import { Select, Text, Textarea } from '@mantine/core'
import { messages } from '#console/lib/call/messages.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { refreshAfter, useCall } from '#console/lib/call/useCall.ts'
import { useCallForm } from '#console/lib/form/useCallForm.ts'
import { ModalForm } from '#console/ui/form/ModalForm.tsx'
import { closeAlerts, listAlertResolutions } from '#contract/http/alerting/alerts.ts'
import type { AlertId } from '#domain/ids.ts'

interface Props {
  readonly alertIds: readonly AlertId[]
  readonly onClosed: () => void
  readonly onCancel: () => void
}

/** A resolution is required, a comment is not; all of the alerts are closed, or none (rules/alerts 11). */
export function CloseAlertsForm({ alertIds, onClosed, onCancel }: Props) {
  const resolutions = useCall(listAlertResolutions, {}, { freshMs: Number.POSITIVE_INFINITY })
  const { field, submit, isBusy } = useCallForm(closeAlerts, {
    labels: { resolutionId: 'Resolution', comment: 'Comment' },
    initial: { resolutionId: null as string | null, comment: '' },
    content: ({ resolutionId, comment }) => ({
      idList: [...alertIds],
      resolutionId: resolutionId === null ? undefined : Number(resolutionId),
      comment: comment.trim(),
    }),
    onSaved: ({ closedCount }) => {
      toasts.success(messages.alertsClosed(closedCount))
      onClosed()
    },
    // Most likely somebody else closed one of them, so the list on the screen is out of date.
    onFailed: () => void refreshAfter(closeAlerts),
  })
  return (
    <ModalForm
      onSubmit={submit}
      isBusy={isBusy}
      submitLabel={alertIds.length === 1 ? 'Close alert' : `Close ${alertIds.length} alerts`}
      onCancel={onCancel}
    >
      {alertIds.length > 1 && (
        <Text size="sm" c="dimmed">
          {messages.closesAllOrNone(alertIds.length)}
        </Text>
      )}
      <Select
        {...field('resolutionId')}
        data-autofocus
        placeholder="How was it resolved?"
        data={(resolutions.data ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
        nothingFoundMessage={resolutions.isError ? 'Could not be loaded' : 'Loading…'}
      />
      <Textarea {...field('comment')} size="xs" rows={4} resize="vertical" />
    </ModalForm>
  )
}
