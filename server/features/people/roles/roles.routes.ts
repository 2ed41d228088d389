import { type AppRole, deleteRole, getRole, listFunctions, listRoles, setRole } from '#contract/http/people/roles.ts'
import { FUNCTIONS } from '#domain/permissions/functions.ts'
import { isAllowed } from '#domain/permissions/permissions.ts'
import type { Caller } from '#server/http/call/caller.ts'
import { type Route, route } from '#server/http/call/route.ts'
import type { FullRole, RoleService } from './roles.service.ts'

export const roleRoutes = (roles: RoleService): readonly Route[] => [
  route(listRoles, async ({ caller }) =>
    (await roles.list(caller)).map((role) => onWire({ role, roleFunctions: [] }, caller)),
  ),
  route(listFunctions, () => [...FUNCTIONS]),
  route(getRole, async ({ query, caller }) =>
    onWire(await roles.get(query.id, query.getFullData ?? false, caller), caller),
  ),
  route(setRole, ({ body, caller, change }) => roles.set(body, caller, change)),
  route(deleteRole, ({ query, caller, change }) => roles.remove(query.id, caller, change)),
]

const functionName = (id: number) => FUNCTIONS.find((one) => one.id === id)?.name ?? `Function ${id}`

function onWire({ role, roleFunctions }: FullRole, caller: Caller): AppRole {
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
