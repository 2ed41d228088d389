import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { usePaletteCommands } from '#console/lib/commands/commands.ts'
import { useList } from '#console/lib/list/useList.ts'
import { FilterText } from '#console/ui/filter/FilterText.tsx'
import { EmptyNote } from '#console/ui/notes.tsx'
import { Screen } from '#console/ui/page/Screen.tsx'
import { ListPanel } from '#console/ui/table/ListPanel.tsx'
import { type CustomerRecord, listCustomerRecords } from '#contract/http/people/customers.ts'
import { CustomerModal } from './CustomerModal.tsx'
import { CustomerTable } from './CustomerTable.tsx'
import { useActivation } from './useActivation.ts'

/** Nobody could add a device if there were no customer, so `/customers` lists them (rules/lists 12). */
export function CustomersScreen() {
  const list = useList(listCustomerRecords, {
    at: '/customers',
    keeps: (customer, { name = '' }) => customer.name.toLowerCase().includes(name.toLowerCase()),
  })
  const setActive = useActivation()
  const [edited, setEdited] = useState<CustomerRecord | 'new'>()
  usePaletteCommands([
    {
      actionId: 'customer.add',
      label: 'Add customer',
      searchTerms: 'new create',
      icon: IconPlus,
      run: () => setEdited('new'),
    },
  ])
  return (
    <Screen
      title="Customers"
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEdited('new')}>
          Add customer
        </Button>
      }
    >
      <ListPanel
        list={list}
        noun={['customer', 'customers']}
        empty={
          <EmptyNote title="There are no customers yet">
            <p>Every device belongs to one.</p>
          </EmptyNote>
        }
        filter={<FilterText name="Name" value={list.filter.name ?? ''} onChange={(name) => list.narrow({ name })} />}
      >
        {(customers) => (
          <CustomerTable
            customers={customers}
            onEdit={setEdited}
            onSetActive={(customer, isActive) => void setActive(customer, isActive)}
          />
        )}
      </ListPanel>
      {edited && (
        <CustomerModal customer={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />
      )}
    </Screen>
  )
}
