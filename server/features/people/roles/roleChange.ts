import type { ReadBodyOf } from '#contract/call/call.ts'
import type { setRole } from '#contract/http/people/roles.ts'
import type { RoleId } from '#domain/ids.ts'
import type { FunctionId } from '#domain/permissions/functions.ts'
import { mayGrant } from '#domain/permissions/people.ts'
import type { Db } from '#server/db/database.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError } from '#server/http/call/callError.ts'
import type { Caller } from '#server/http/call/caller.ts'
import { foundRow } from '#server/http/call/changeSteps.store.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import { changePeople } from '#server/people/peopleChange.store.ts'
import {
  addRole,
  isRoleNameTaken,
  ROLE_FLAGS,
  readKnownRole,
  renameRole,
  setFactorGrace,
  setRoleFlags,
  setRoleFunctions,
} from './roles.store.ts'

type Request = ReadBodyOf<typeof setRole>

/** Adds or edits a role. */
export function changeRole(db: Db, asked: Request, caller: Caller, change: ChangeRecord): Promise<RoleId> {
  const { id, name } = asked
  change.about({ name, ...(id > 0 && { id }) })
  const functions = asked.roleFunctions && [...new Set(asked.roleFunctions.map(({ functionId }) => functionId))].sort()
  return changePeople(db, caller, 'staffAdmin', async (transaction, author) => {
    if (!mayGrant(author, functions ?? [])) throw new CallError('forbidden')
    if (await isRoleNameTaken(transaction, name, id)) throw new CallError('role_name_taken')
    const thing =
      id > 0
        ? await edited(transaction, asked, functions, author)
        : await added(transaction, asked, functions ?? [], author)
    await change.done(transaction, { ...thing, name })
    return thing.id
  })
}

async function edited(
  transaction: Tx,
  asked: Request,
  functions: readonly FunctionId[] | undefined,
  { userId: by }: Caller,
) {
  const id = asked.id as RoleId
  const known = await foundRow(readKnownRole(transaction, id))
  if (asked.name !== known.name) await renameRole(transaction, id, asked.name, by)
  if (functions) await setRoleFunctions(transaction, id, functions, by)
  const flags = {
    requiresBoundSession: asked.requiresBoundSession ?? known.requiresBoundSession,
    allowsAssistants: asked.allowsAssistants ?? known.allowsAssistants,
  }
  if (ROLE_FLAGS.some((flag) => flags[flag] !== known[flag])) await setRoleFlags(transaction, id, flags, by)
  const { factorGraceDays = known.factorGraceDays } = asked
  if (factorGraceDays !== known.factorGraceDays) await setFactorGrace(transaction, id, factorGraceDays, by)
  const after = { name: asked.name, functions: functions ?? known.functions, ...flags, factorGraceDays }
  return { id, before: known, after }
}

async function added(transaction: Tx, asked: Request, functions: readonly FunctionId[], { userId: by }: Caller) {
  const { name, requiresBoundSession = false, allowsAssistants = false, factorGraceDays = null } = asked
  const flags = { requiresBoundSession, allowsAssistants }
  const id = await addRole(transaction, name, by)
  await setRoleFunctions(transaction, id, functions, by)
  if (ROLE_FLAGS.some((flag) => flags[flag])) await setRoleFlags(transaction, id, flags, by)
  if (factorGraceDays !== null) await setFactorGrace(transaction, id, factorGraceDays, by)
  return { id, details: 'Added', isNew: true, after: { name, functions, ...flags, factorGraceDays } }
}
