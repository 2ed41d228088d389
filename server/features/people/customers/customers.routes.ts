import { listCustomerRecords, setCustomer } from '#contract/http/people/customers.ts'
import { type Route, route } from '#server/http/call/route.ts'
import type { CustomerService } from './customers.service.ts'
import type { CustomerStore } from './customers.store.ts'

export interface CustomerParts {
  readonly customers: CustomerService
  readonly store: Pick<CustomerStore, 'list'>
}

export const customerRoutes = ({ customers, store }: CustomerParts): readonly Route[] => [
  route(listCustomerRecords, async () =>
    (await store.list()).map(({ createdAt, countryName, ...customer }) => ({
      ...customer,
      countryName: countryName ?? '',
      created: createdAt.toISOString(),
    })),
  ),
  route(setCustomer, ({ body, caller, change }) => customers.set(body, caller, change)),
]
