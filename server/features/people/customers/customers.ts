import type { Given } from '#server/features/feature.ts'
import { createPeopleChange } from '#server/people/peopleChange.store.ts'
import { customerRoutes } from './customers.routes.ts'
import { createCustomers } from './customers.service.ts'
import { createCustomerStore } from './customers.store.ts'

export function customersFeature({ db }: Pick<Given, 'db'>) {
  const store = createCustomerStore(db)
  return { routes: customerRoutes({ customers: createCustomers({ store, people: createPeopleChange(db) }), store }) }
}
