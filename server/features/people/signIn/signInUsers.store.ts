import { sql } from 'kysely'
import type { CustomerId, RoleId } from '#domain/ids.ts'
import { FUNCTION, type FunctionId } from '#domain/permissions/functions.ts'
import type { Db } from '#server/db/database.ts'
import type { Tx } from '#server/http/call/audit.store.ts'

/** A user as the first start and the demo add one; the calls about people have a store of their own. */
interface NewUser {
  readonly username: string
  readonly firstName: string
  readonly lastName: string
  readonly roleId: RoleId
  readonly customerId?: CustomerId | undefined
  readonly passwordHash: string
  readonly isLab?: boolean | undefined
}

const nameIs = (column: string, name: string) => sql<boolean>`lower(${sql.ref(column)}) = ${name.trim().toLowerCase()}`

export const hasUsers = async (db: Db): Promise<boolean> =>
  (await db.selectFrom('app_user').select('id').limit(1).execute()).length > 0

/** Finds the role of this name, or makes it with these functions; an existing role is never changed. */
export const ensureRole = (db: Db, name: string, functions: readonly FunctionId[]): Promise<RoleId> =>
  db.transaction().execute(async (transaction) => {
    const existing = transaction
      .selectFrom('app_role')
      .select('id')
      .where(nameIs('name', name))
      .where('deleted_at', 'is', null)
    const found = await existing.executeTakeFirst()
    if (found) return found.id
    // Servers that start together all find none; the second one waits here for the first.
    const added = await transaction
      .insertInto('app_role')
      .values({ name })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .executeTakeFirst()
    if (!added) return (await existing.executeTakeFirstOrThrow()).id
    const rows = functions.map((functionId) => ({ role_id: added.id, function_id: functionId }))
    await transaction.insertInto('app_role_function').values(rows).execute()
    return added.id
  })

/** @returns false when the username is taken, and nothing was done */
export async function addIfMissing(db: Db, user: NewUser): Promise<boolean> {
  const added = await db
    .insertInto('app_user')
    .values({
      username: user.username,
      email: user.username,
      first_name: user.firstName,
      last_name: user.lastName,
      role_id: user.roleId,
      customer_id: user.customerId ?? null,
      password_hash: user.passwordHash,
      is_lab: user.isLab ?? false,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute()
  return added.length > 0
}

export async function findPasswordHash(db: Db, username: string): Promise<string | undefined> {
  const found = await db
    .selectFrom('app_user')
    .select('password_hash')
    .where(nameIs('username', username))
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return found?.password_hash ?? undefined
}

/** Reads what somebody who guesses this user's password would know. */
export async function personalTermsOfName(db: Db, username: string): Promise<readonly string[]> {
  const user = await db
    .selectFrom('app_user')
    .leftJoin('customer', 'customer.id', 'app_user.customer_id')
    .select(['email', 'first_name', 'last_name', 'customer.name'])
    .where(nameIs('username', username))
    .where('app_user.deleted_at', 'is', null)
    .executeTakeFirst()
  return Object.values(user ?? {}).filter((word) => word !== null)
}

/** Finds the password hash of the oldest administrator of the whole installation. */
export async function findFirstAdminPasswordHash(db: Db): Promise<string | undefined> {
  const found = await db
    .selectFrom('app_user')
    .innerJoin('app_role_function', 'app_role_function.role_id', 'app_user.role_id')
    .select('password_hash')
    .where('function_id', '=', FUNCTION.admin)
    .where('customer_id', 'is', null)
    .where('deleted_at', 'is', null)
    .where('password_hash', 'is not', null)
    .orderBy('app_user.id')
    .executeTakeFirst()
  return found?.password_hash ?? undefined
}

/** Sets the password and ends every session of the user; undefined when there is no such user. */
export async function replacePassword(transaction: Tx, username: string, passwordHash: string) {
  const user = await transaction
    .updateTable('app_user')
    .set({ password_hash: passwordHash, updated_at: sql<Date>`now()` })
    .where(nameIs('username', username))
    .where('deleted_at', 'is', null)
    .returning(['id', 'customer_id as customerId'])
    .executeTakeFirst()
  if (!user) return undefined
  await transaction
    .updateTable('app_session')
    .set({ expires_at: sql<Date>`now()` })
    .where('user_id', '=', user.id)
    .where('expires_at', '>', sql<Date>`now()`)
    .execute()
  return user
}
