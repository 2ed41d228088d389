import type pg from 'pg'
import { openDatabase } from './db/database.ts'
import { customerRoutes } from './features/customers/customers.routes.ts'
import { createCustomers } from './features/customers/customers.service.ts'
import { createCustomerStore } from './features/customers/customers.store.ts'
import { roleRoutes } from './features/roles/roles.routes.ts'
import { createRoles } from './features/roles/roles.service.ts'
import { createRoleStore } from './features/roles/roles.store.ts'
import { createUserList } from './features/users/userList.service.ts'
import { createUserListStore } from './features/users/userList.store.ts'
import { userRoutes } from './features/users/users.routes.ts'
import { createUsers } from './features/users/users.service.ts'
import { createUserStore } from './features/users/users.store.ts'
import { createPeopleChange } from './http/peopleChange.store.ts'
import type { Route } from './http/route.ts'
import { createVisibleDevices } from './http/visibleDevices.store.ts'

/** The calls about users, roles and customers. */
export function peopleRoutes(pool: pg.Pool): readonly Route[] {
  const db = openDatabase(pool)
  const people = createPeopleChange(db)
  const users = createUserStore(db)
  const customers = createCustomerStore(db)
  return [
    ...userRoutes({
      list: createUserList({ list: createUserListStore(db), store: users, visibleDevices: createVisibleDevices(pool) }),
      users: createUsers({ store: users, people }),
      store: users,
    }),
    ...roleRoutes(createRoles({ store: createRoleStore(db), people })),
    ...customerRoutes({ customers: createCustomers({ store: customers, people }), store: customers }),
  ]
}
