import { sql } from 'kysely'
import type { FunctionId } from '#domain/permissions/functions.ts'
import { isActiveStaffAdmin } from '#domain/permissions/people.ts'
import { isAllowed, type Permission } from '#domain/permissions/permissions.ts'
import { lockUntilCommit } from '#server/db/advisoryLocks.ts'
import type { Db } from '#server/db/database.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError } from '#server/http/call/callError.ts'
import type { Caller } from '#server/http/call/caller.ts'

/** Every change of people notifies this channel: open streams of every process then check their rights again. */
export const PEOPLE_CHANNEL = 'wayside_people'

/**
 * Runs a change of users, roles or customers while no other one runs in the installation. It uses the rights that its
 * author has at that moment, and rolls back when nobody would be left to administer the installation.
 *
 * @throws CallError `sign_in_required`, `forbidden`, `last_admin`, and what the work throws
 */
export const changePeople = <Result>(
  db: Db,
  caller: Caller,
  permission: Permission,
  work: (transaction: Tx, author: Caller) => Promise<Result>,
): Promise<Result> =>
  queuePeopleChange(db, async (transaction) => {
    const author = await presentAuthor(caller, transaction)
    if (!author) throw new CallError('sign_in_required')
    if (!isAllowed(permission, author)) throw new CallError('forbidden')
    return work(transaction, author)
  })

/**
 * Queues a change that no signed-in user asks for, as when an identity provider says who somebody is.
 *
 * @throws CallError `last_admin`, and what the work throws
 */
export const queuePeopleChange = <Result>(db: Db, work: (transaction: Tx) => Promise<Result>): Promise<Result> =>
  db.transaction().execute(async (transaction) => {
    // All processes change people one after the other: two administrators who demote each other at the same time
    // would otherwise each see the other one stay. Such changes are rare, and short.
    await sql`select ${sql.raw(lockUntilCommit('people'))}`.execute(transaction)
    const wasManageable = await hasActiveStaffAdmin(transaction)
    const result = await work(transaction)
    if (wasManageable && !(await hasActiveStaffAdmin(transaction))) throw new CallError('last_admin')
    await sql`select pg_notify(${PEOPLE_CHANNEL}, '')`.execute(transaction)
    return result
  })

export const functionsOfRole = sql<FunctionId[]>`array(select function_id::int from app_role_function f
  where f.role_id = app_role.id order by function_id)`

/** Reads the caller's present rights: those they came with may have been taken away while they waited in the queue. */
async function presentAuthor(caller: Caller, transaction: Tx): Promise<Caller | undefined> {
  const found = await transaction
    .selectFrom('app_session')
    .innerJoin('app_user', 'app_user.id', 'app_session.user_id')
    .innerJoin('app_role', 'app_role.id', 'app_user.role_id')
    .leftJoin('customer', 'customer.id', 'app_user.customer_id')
    .select(['app_user.role_id as roleId', 'app_user.customer_id as customerId', functionsOfRole.as('functions')])
    .where('app_session.token_hash', '=', Buffer.from(caller.sessionHash, 'hex'))
    // The clock counts, not the start of this transaction, which began before it waited.
    .where('app_session.expires_at', '>', sql<Date>`clock_timestamp()`)
    .where('app_user.is_disabled', '=', false)
    .where('app_user.deleted_at', 'is', null)
    .where('app_role.deleted_at', 'is', null)
    .where((eb) => eb.or([eb('app_user.customer_id', 'is', null), eb('customer.is_active', '=', true)]))
    .executeTakeFirst()
  if (!found) return undefined
  const { customerId: _, ...same } = caller
  const { customerId, ...rights } = found
  return { ...same, ...rights, ...(customerId === null ? {} : { customerId }) }
}

async function hasActiveStaffAdmin(transaction: Tx): Promise<boolean> {
  const staff = await transaction
    .selectFrom('app_user')
    .innerJoin('app_role', 'app_role.id', 'app_user.role_id')
    .select([
      'app_user.customer_id as customerId',
      'app_user.is_disabled as isDisabled',
      functionsOfRole.as('functions'),
      sql<boolean>`app_user.password_hash is not null`.as('hasPassword'),
    ])
    .where('app_user.customer_id', 'is', null)
    .where('app_user.deleted_at', 'is', null)
    .where('app_role.deleted_at', 'is', null)
    .execute()
  return staff.some(isActiveStaffAdmin)
}

/** Ended sessions stay until the cleanup job: they show which places their owner has used. */
export async function endSessions(
  transaction: Tx,
  of: { readonly userId: number } | { readonly customerId: number },
): Promise<void> {
  const whose =
    'userId' in of
      ? sql`user_id = ${of.userId}`
      : sql`user_id in (select id from app_user where customer_id = ${of.customerId})`
  await sql`update app_session set expires_at = clock_timestamp()
    where ${whose} and expires_at > clock_timestamp()`.execute(transaction)
}
