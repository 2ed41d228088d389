import type { ReadBodyOf } from '#contract/call/call.ts'
import type { setRole } from '#contract/http/people/roles.ts'
import type { RoleId } from '#domain/ids.ts'
import type { FunctionId } from '#domain/permissions/functions.ts'
import { mayGrant } from '#domain/permissions/people.ts'
import { isAllowed } from '#domain/permissions/permissions.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import type { PeopleChange } from '#server/people/peopleChange.store.ts'
import { ROLE_FLAGS, type RoleFunctionRow, type RoleRow, type RoleStore } from './roles.store.ts'

type Request = ReadBodyOf<typeof setRole>

export interface FullRole {
  readonly role: RoleRow
  readonly roleFunctions: readonly RoleFunctionRow[]
}

export interface RoleService {
  readonly list: (caller: Caller) => Promise<readonly RoleRow[]>
  readonly get: (id: RoleId, isFull: boolean, caller: Caller) => Promise<FullRole>
  readonly set: (asked: Request, caller: Caller, change: ChangeRecord) => Promise<RoleId>
  readonly remove: (id: RoleId, caller: Caller, change: ChangeRecord) => Promise<true>
}

/** Roles belong to the whole installation: staff admins edit them, and a customer's admin only assigns them. */
export function createRoles({
  store,
  people,
}: {
  readonly store: RoleStore
  readonly people: PeopleChange
}): RoleService {
  async function edited(asked: Request, functions: readonly FunctionId[] | undefined, author: Caller, transaction: Tx) {
    const id = asked.id as RoleId
    const known = await store.known(id, transaction)
    if (!known) throw notFound()
    if (asked.name !== known.name) await store.rename(id, asked.name, author.userId, transaction)
    if (functions) await store.setFunctions(id, functions, author.userId, transaction)
    const flags = {
      requiresBoundSession: asked.requiresBoundSession ?? known.requiresBoundSession,
      allowsAssistants: asked.allowsAssistants ?? known.allowsAssistants,
    }
    if (ROLE_FLAGS.some((flag) => flags[flag] !== known[flag]))
      await store.setFlags(id, flags, author.userId, transaction)
    const { factorGraceDays = known.factorGraceDays } = asked
    if (factorGraceDays !== known.factorGraceDays)
      await store.setFactorGrace(id, factorGraceDays, author.userId, transaction)
    const after = { name: asked.name, functions: functions ?? known.functions, ...flags, factorGraceDays }
    return { id, before: known, after }
  }

  async function added(asked: Request, functions: readonly FunctionId[], author: Caller, transaction: Tx) {
    const { name, requiresBoundSession = false, allowsAssistants = false, factorGraceDays = null } = asked
    const flags = { requiresBoundSession, allowsAssistants }
    const id = await store.add(name, author.userId, transaction)
    await store.setFunctions(id, functions, author.userId, transaction)
    if (ROLE_FLAGS.some((flag) => flags[flag])) await store.setFlags(id, flags, author.userId, transaction)
    if (factorGraceDays !== null) await store.setFactorGrace(id, factorGraceDays, author.userId, transaction)
    return { id, details: 'Added', isNew: true, after: { name, functions, ...flags, factorGraceDays } }
  }

  return {
    list: async (caller) => (await store.list(scopeOf(caller))).filter(({ functions }) => mayGrant(caller, functions)),

    get: async (id, isFull, caller) => {
      const role = await store.find(id, scopeOf(caller))
      if (!role || !mayGrant(caller, role.functions)) throw notFound()
      return { role, roleFunctions: isFull ? await store.functionsOf(id) : [] }
    },

    set: (asked, caller, change) => {
      const { id, name } = asked
      change.about({ name, ...(id > 0 && { id }) })
      const functions =
        asked.roleFunctions && [...new Set(asked.roleFunctions.map(({ functionId }) => functionId))].sort()
      return people(caller, 'staffAdmin', async (transaction, author) => {
        if (!mayGrant(author, functions ?? [])) throw new CallError('forbidden')
        if (await store.isNameTaken(name, id, transaction)) throw new CallError('role_name_taken')
        const thing =
          id > 0
            ? await edited(asked, functions, author, transaction)
            : await added(asked, functions ?? [], author, transaction)
        await change.done(transaction, { ...thing, name })
        return thing.id
      })
    },

    remove: (id, caller, change) => {
      change.about({ id })
      return people(caller, 'staffAdmin', async (transaction, author) => {
        const known = await store.known(id, transaction)
        if (!known) throw notFound()
        change.about({ name: known.name })
        if (author.roleId === id && isAllowed('admin', { ...author, functions: known.functions })) {
          throw new CallError('own_admin_role')
        }
        if (await store.isInUse(id, transaction)) throw new CallError('role_in_use')
        await store.remove(id, author.userId, transaction)
        const { name, functions } = known
        await change.done(transaction, { id, name, before: { name, functions } })
        return true as const
      })
    },
  }
}
