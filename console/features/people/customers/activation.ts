import { messages } from '#console/lib/call/messages.ts'
import { confirmAndChange } from '#console/lib/confirmAndChange.ts'
import { type CustomerRecord, setCustomer } from '#contract/http/people/customers.ts'

/** It asks before it deactivates or reactivates a customer, and says what that does. */
export function setActive({ id, name }: CustomerRecord, isActive: boolean): Promise<void> {
  const question = isActive
    ? { title: 'Activate customer', text: messages.confirmActivateCustomer(name) }
    : { title: 'Deactivate customer', text: messages.confirmDeactivateCustomer(name), isDangerous: true }
  return confirmAndChange(setCustomer, { body: { id, isActive } }, { ...question, done: messages.customerSaved })
}
