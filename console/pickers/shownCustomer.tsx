import type { ReactNode } from 'react'
import { type CallResult, useCall } from '#console/lib/call/useCall.ts'
import { useUser } from '#console/lib/session/session.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { EmptyNote } from '#console/ui/notes.tsx'
import { listCustomers } from '#contract/http/operation/lookups.ts'
import type { CustomerId } from '#domain/ids.ts'
import { LOOKUP_FRESH_MS } from './lookupFresh.ts'

interface ShownCustomer {
  /** Undefined while it is not known, and where there is none. */
  readonly customerId: CustomerId | undefined
  readonly customers: CallResult<typeof listCustomers>
}

/** The customer whom a page about one shows: one's own, else that of the address, else the first. */
export function useShownCustomer(chosen: CustomerId | undefined): ShownCustomer {
  const { customerId: own } = useUser()
  const customers = useCall(listCustomers, {}, { freshMs: LOOKUP_FRESH_MS, enabled: own === undefined })
  return { customerId: (own ?? chosen ?? customers.data?.[0]?.id) as CustomerId | undefined, customers }
}

interface Props {
  readonly shown: ShownCustomer
  /** What is counted once there is a customer. */
  readonly later: string
  readonly children: ReactNode
}

/** It draws the page of a customer, or says why there is none. */
export function OfCustomer({ shown: { customerId, customers }, later, children }: Props) {
  if (customerId !== undefined) return children
  const none = (
    <EmptyNote title="There are no customers yet">
      <p>{later}</p>
    </EmptyNote>
  )
  return (
    <AsyncView query={customers} empty={none}>
      {() => null}
    </AsyncView>
  )
}
