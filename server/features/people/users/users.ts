import { resetFactors } from '#contract/http/people/factors.ts'
import { downloadOwnPersonalData, downloadPersonalData, erasePersonalData } from '#contract/http/people/personalData.ts'
import { deleteUser, deleteUserByRolePath, getUser, listUsers, setUser } from '#contract/http/people/users.ts'
import type { Given } from '#server/features/feature.ts'
import { scopeOf } from '#server/http/call/caller.ts'
import { foundRow } from '#server/http/call/changeSteps.store.ts'
import { fileRoute, route } from '#server/http/call/route.ts'
import { dataOfUser, ownData } from './personalData.ts'
import { addOrEdit } from './userChange.ts'
import { listOrPage } from './userList.ts'
import { deleteOne, eraseOne, type RemovalParts, resetFactorsOf } from './userRemoval.ts'
import { findUser } from './users.store.ts'

type Deps = Pick<Given, 'pool' | 'db'> & Pick<RemovalParts, 'forgetFactors'>

/** Manages users: a customer's admin those of the customer, a staff admin all (rules/permissions 10). */
export const usersFeature = ({ pool, db, forgetFactors }: Deps) => ({
  routes: [
    route(listUsers, ({ query, caller }) => listOrPage({ db, pool }, query, caller)),
    route(getUser, ({ query, caller }) => foundRow(findUser(db, query.id, scopeOf(caller)))),
    route(setUser, ({ body, caller, change }) => addOrEdit(db, body, caller, change)),
    fileRoute(downloadOwnPersonalData, ({ caller, change }) => ownData(db, caller, change)),
    fileRoute(downloadPersonalData, ({ query, caller, change }) => dataOfUser(db, query.id, caller, change)),
    route(erasePersonalData, async ({ body, caller, change }) => {
      await eraseOne({ db, forgetFactors }, body.id, caller, change)
      return {}
    }),
    route(resetFactors, async ({ body, caller, change }) => {
      await resetFactorsOf({ db, forgetFactors }, body.id, caller, change)
      return {}
    }),
    ...[deleteUser, deleteUserByRolePath].map((call) =>
      route(call, async ({ query, caller, change }) => {
        await deleteOne({ db, forgetFactors }, query.id, caller, change)
        return true as const
      }),
    ),
  ],
})
