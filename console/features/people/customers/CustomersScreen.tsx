import { messages } from '#console/lib/call/messages.ts'
import { confirmAndChange } from '#console/lib/confirmAndChange.ts'
import { useList } from '#console/lib/list/useList.ts'
import { useRecordDialog } from '#console/lib/list/useRecordDialog.ts'
import { AddButton } from '#console/ui/button/AddButton.tsx'
import { FilterText } from '#console/ui/filter/FilterText.tsx'
import { lazyDialog } from '#console/ui/lazyDialog.tsx'
import { EmptyNote } from '#console/ui/notes.tsx'
import { Screen } from '#console/ui/page/Screen.tsx'
import { ListPanel } from '#console/ui/table/ListPanel.tsx'
import { type CustomerRecord, listCustomerRecords, setCustomer } from '#contract/http/people/customers.ts'
import { CustomerTable } from './CustomerTable.tsx'

const CustomerModal = lazyDialog(() => import('./CustomerModal.tsx').then((part) => part.CustomerModal))

/** Nobody could add a device if there were no customer, so `/customers` lists them (rules/lists 12). */
export function CustomersScreen() {
  const list = useList(listCustomerRecords, {
    at: '/customers',
    keeps: (customer, { name = '' }) => customer.name.toLowerCase().includes(name.toLowerCase()),
  })
  const { open, add, show, close, linkTo } = useRecordDialog('/customers', list.rows, ({ id }) => id)
  return (
    <Screen
      title="Customers"
      actions={<AddButton actionId="customer.add" label="Add customer" searchTerms="new create" onClick={add} />}
    >
      <ListPanel
        list={list}
        noun={['customer', 'customers']}
        empty={
          <EmptyNote title="There are no customers yet">
            <p>Every device belongs to one: add a customer, then its devices.</p>
          </EmptyNote>
        }
        filter={<FilterText name="Name" value={list.filter.name ?? ''} onChange={(name) => list.narrow({ name })} />}
      >
        {(customers) => (
          <CustomerTable
            customers={customers}
            linkTo={linkTo}
            onEdit={show}
            onSetActive={(customer, isActive) => void setActive(customer, isActive)}
          />
        )}
      </ListPanel>
      {open && <CustomerModal customer={open.record} onClose={close} />}
    </Screen>
  )
}

/** It asks before it deactivates or reactivates a customer, and says what that does. */
function setActive({ id, name }: CustomerRecord, isActive: boolean): Promise<void> {
  const question = isActive
    ? { title: 'Activate customer', text: messages.confirmActivateCustomer(name) }
    : { title: 'Deactivate customer', text: messages.confirmDeactivateCustomer(name), isDangerous: true }
  return confirmAndChange(setCustomer, { body: { id, isActive } }, { ...question, done: messages.customerSaved })
}
