import { messages } from '#console/lib/call/messages.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { useChange } from '#console/lib/call/useCall.ts'
import { confirmDialog } from '#console/lib/notice/dialogs.ts'
import { type CustomerRecord, setCustomer } from '#contract/http/people/customers.ts'

/** It asks before it deactivates or reactivates a customer, and says what that does. */
export function useActivation() {
  const change = useChange(setCustomer, {
    onDone: () => toasts.success(messages.customerSaved),
  })
  return async ({ id, name }: CustomerRecord, isActive: boolean): Promise<void> => {
    const question = isActive
      ? { title: 'Activate customer', text: messages.confirmActivateCustomer(name) }
      : { title: 'Deactivate customer', text: messages.confirmDeactivateCustomer(name), isDangerous: true }
    if (await confirmDialog({ ...question, call: setCustomer })) change.mutate({ body: { id, isActive } })
  }
}
