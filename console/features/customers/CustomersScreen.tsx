import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { useCall } from '#console/lib/useCall.ts'
import { useReload } from '#console/lib/useReload.ts'
import { text } from '#console/router/addressFields.ts'
import { useAddress } from '#console/router/useAddress.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { FilterBar } from '#console/ui/FilterBar.tsx'
import { FilterText } from '#console/ui/FilterText.tsx'
import { EmptyNote } from '#console/ui/notes.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { Screen } from '#console/ui/Screen.tsx'
import { type CustomerRecord, listCustomerRecords } from '#contract/http/customer.ts'
import { CustomerModal } from './CustomerModal.tsx'
import { CustomerTable } from './CustomerTable.tsx'
import { useActivation } from './useActivation.ts'

/** `/customers`: without a customer nobody could add a device (decisions: Customers). */
export function CustomersScreen() {
  const { given: search, change } = useAddress('/customers')
  const name = text(search.name) ?? ''
  const customers = useCall(listCustomerRecords, {})
  const { isReloading, reloadNow } = useReload(customers)
  const setActive = useActivation()
  const [edited, setEdited] = useState<CustomerRecord | 'new'>()
  const [resets, setResets] = useState(0)
  const matches = (customer: CustomerRecord) => customer.name.toLowerCase().includes(name.toLowerCase())

  return (
    <Screen
      title="Customers"
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setEdited('new')}>
          Add customer
        </Button>
      }
    >
      <Panel>
        <FilterBar
          onReload={() => void reloadNow()}
          onReset={() => {
            // A text that was never asked for is no change of the filter, and would stay in its field.
            setResets(resets + 1)
            change({ name: undefined })
          }}
          isLoading={isReloading}
        >
          <FilterText key={resets} name="Name" value={name} onChange={(text) => change({ name: text })} />
        </FilterBar>
        <AsyncView
          query={customers}
          isEmpty={(rows) => !rows.some(matches)}
          empty={
            name ? (
              <EmptyNote title="No customer matches this filter" />
            ) : (
              <EmptyNote title="There are no customers yet">
                <p>Every device belongs to one.</p>
              </EmptyNote>
            )
          }
        >
          {(rows) => (
            <CustomerTable
              customers={rows.filter(matches)}
              onEdit={setEdited}
              onSetActive={(customer, isActive) => void setActive(customer, isActive)}
            />
          )}
        </AsyncView>
      </Panel>
      {edited && (
        <CustomerModal customer={edited === 'new' ? undefined : edited} onClose={() => setEdited(undefined)} />
      )}
    </Screen>
  )
}
