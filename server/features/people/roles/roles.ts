import type { Given } from '#server/features/feature.ts'
import { createPeopleChange } from '#server/people/peopleChange.store.ts'
import { roleRoutes } from './roles.routes.ts'
import { createRoles } from './roles.service.ts'
import { createRoleStore } from './roles.store.ts'

export const rolesFeature = ({ db }: Pick<Given, 'db'>) => ({
  routes: roleRoutes(createRoles({ store: createRoleStore(db), people: createPeopleChange(db) })),
})
