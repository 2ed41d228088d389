import { send } from '#console/lib/call/api.ts'
import { messages } from '#console/lib/call/messages.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { callKey, queryClient, refresh } from '#console/lib/call/useCall.ts'
import { confirmDialog } from '#console/lib/dialogs.tsx'
import type { AnswerOf, QueryOf } from '#contract/call/call.ts'
import { listAlerts } from '#contract/http/alert.ts'
import { type AlertCondition, deleteAlertCondition, listAlertConditions } from '#contract/http/alertConditions.ts'

/** Takes the row away at once; when the server refuses, the list is read again (P2 §4). */
export function useRemoveCondition(query: QueryOf<typeof listAlertConditions>) {
  return async ({ id, conditionText }: AlertCondition): Promise<void> => {
    const text = messages.confirmRemoveCondition(conditionText)
    if (!(await confirmDialog({ title: 'Remove condition', text, isDangerous: true }))) return
    const key = callKey(listAlertConditions, query)
    // A refresh that is on its way would bring the row back.
    await queryClient.cancelQueries({ queryKey: key })
    queryClient.setQueryData<AnswerOf<typeof listAlertConditions>>(key, (rows) => rows?.filter((row) => row.id !== id))
    try {
      await send(deleteAlertCondition, { query: { id } })
      await refresh(listAlerts)
    } catch (failure) {
      toasts.failure(failure)
      await refresh(listAlertConditions)
    }
  }
}
