import type { Given } from '#server/features/feature.ts'
import { createVisibleDevices } from '#server/fleet/visibleDevices.store.ts'
import { createPeopleChange } from '#server/people/peopleChange.store.ts'
import { createPersonalData } from './personalData.service.ts'
import { createPersonalDataStore } from './personalData.store.ts'
import { createUserList } from './userList.service.ts'
import { createUserListStore } from './userList.store.ts'
import { userRoutes } from './users.routes.ts'
import { createUsers, type ForgetFactors } from './users.service.ts'
import { createUserStore } from './users.store.ts'

type Deps = Pick<Given, 'pool' | 'db'> & { readonly forgetFactors: ForgetFactors }

export function usersFeature({ pool, db, forgetFactors }: Deps) {
  const store = createUserStore(db)
  return {
    routes: userRoutes({
      list: createUserList({ list: createUserListStore(db), store, visibleDevices: createVisibleDevices(pool) }),
      users: createUsers({ store, people: createPeopleChange(db), forgetFactors }),
      personalData: createPersonalData(createPersonalDataStore(db), store),
      store,
    }),
  }
}
