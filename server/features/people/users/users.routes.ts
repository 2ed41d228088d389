import { resetFactors } from '#contract/http/people/factors.ts'
import { downloadOwnPersonalData, downloadPersonalData, erasePersonalData } from '#contract/http/people/personalData.ts'
import { deleteUser, deleteUserByRolePath, getUser, listUsers, setUser } from '#contract/http/people/users.ts'
import { notFound } from '#server/http/call/callError.ts'
import { scopeOf } from '#server/http/call/caller.ts'
import { fileRoute, type Route, route } from '#server/http/call/route.ts'
import type { PersonalDataService } from './personalData.service.ts'
import type { UserList } from './userList.service.ts'
import type { UserService } from './users.service.ts'
import type { UserStore } from './users.store.ts'

export interface UserParts {
  readonly list: UserList
  readonly users: UserService
  readonly personalData: PersonalDataService
  readonly store: Pick<UserStore, 'find'>
}

export const userRoutes = ({ list, users, personalData, store }: UserParts): readonly Route[] => [
  route(listUsers, ({ query, caller }) => list(query, caller)),
  route(getUser, async ({ query, caller }) => {
    const user = await store.find(query.id, scopeOf(caller))
    if (!user) throw notFound()
    return user
  }),
  route(setUser, ({ body, caller, change }) => users.set(body, caller, change)),
  fileRoute(downloadOwnPersonalData, ({ caller, change }) => personalData.own(caller, change)),
  fileRoute(downloadPersonalData, ({ query, caller, change }) => personalData.of(query.id, caller, change)),
  route(erasePersonalData, async ({ body, caller, change }) => {
    await users.erase(body.id, caller, change)
    return {}
  }),
  route(resetFactors, async ({ body, caller, change }) => {
    await users.resetFactors(body.id, caller, change)
    return {}
  }),
  ...[deleteUser, deleteUserByRolePath].map((call) =>
    route(call, ({ query, caller, change }) => users.remove(query.id, caller, change)),
  ),
]
