import { type AppRole, deleteRole, getRole, listFunctions, listRoles, setRole } from '#contract/http/people/roles.ts'
import type { RoleId } from '#domain/ids.ts'
import { FUNCTIONS } from '#domain/permissions/functions.ts'
import { mayGrant } from '#domain/permissions/people.ts'
import { isAllowed } from '#domain/permissions/permissions.ts'
import type { Db } from '#server/db/database.ts'
import type { Given } from '#server/features/feature.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import { foundRow } from '#server/http/call/changeSteps.store.ts'
import { type ChangeRecord, route } from '#server/http/call/route.ts'
import { changePeople } from '#server/people/peopleChange.store.ts'
import { changeRole } from './roleChange.ts'
import {
  findRole,
  functionRowsOf,
  isRoleInUse,
  listAllRoles,
  type RoleFunctionRow,
  type RoleRow,
  readKnownRole,
  removeRole,
} from './roles.store.ts'

/** Roles belong to the whole installation: staff admins edit them, and a customer's admin only assigns them. */
export const rolesFeature = ({ db }: Pick<Given, 'db'>) => ({
  routes: [
    route(listRoles, async ({ caller }) =>
      (await listAllRoles(db, scopeOf(caller)))
        .filter(({ functions }) => mayGrant(caller, functions))
        .map((role) => onWire(role, [], caller)),
    ),
    route(listFunctions, () => [...FUNCTIONS]),
    route(getRole, async ({ query: { id, getFullData = false }, caller }) => {
      const role = await foundRow(findRole(db, id, scopeOf(caller)))
      if (!mayGrant(caller, role.functions)) throw notFound()
      return onWire(role, getFullData ? await functionRowsOf(db, id) : [], caller)
    }),
    route(setRole, ({ body, caller, change }) => changeRole(db, body, caller, change)),
    route(deleteRole, ({ query, caller, change }) => deleteOne(db, query.id, caller, change)),
  ],
})

function deleteOne(db: Db, id: RoleId, caller: Caller, change: ChangeRecord): Promise<true> {
  change.about({ id })
  return changePeople(db, caller, 'staffAdmin', async (transaction, author) => {
    const { name, functions } = await foundRow(readKnownRole(transaction, id))
    change.about({ name })
    if (author.roleId === id && isAllowed('admin', { ...author, functions })) throw new CallError('own_admin_role')
    if (await isRoleInUse(transaction, id)) throw new CallError('role_in_use')
    await removeRole(transaction, id, author.userId)
    await change.done(transaction, { id, name, before: { name, functions } })
    return true as const
  })
}

const functionName = (id: number) => FUNCTIONS.find((one) => one.id === id)?.name ?? `Function ${id}`

function onWire(role: RoleRow, roleFunctions: readonly RoleFunctionRow[], caller: Caller): AppRole {
  const { id, name, accountId } = role
  // Staff edit roles, and customers must not learn the ids of staff.
  const seesAuthors = isAllowed('staffAdmin', caller)
  return {
    id,
    name,
    accountId,
    created: role.createdAt.toISOString(),
    deleted: null,
    allowsAssistants: role.allowsAssistants,
    functions: role.functions.map(functionName).join(', '),
    activeUsers: role.activeUsers,
    requiresBoundSession: role.requiresBoundSession,
    factorGraceDays: role.factorGraceDays,
    roleFunctions: roleFunctions.map(({ functionId, createdAt, createdBy }) => ({
      accountId,
      created: createdAt.toISOString(),
      createdBy: seesAuthors ? createdBy : null,
      functionId,
      functionName: functionName(functionId),
      roleId: id,
      roleName: name,
    })),
  }
}
