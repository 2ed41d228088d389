import { sql } from 'kysely'
import type { CustomerId, RoleId, UserId } from '#domain/ids.ts'
import { FUNCTION, type FunctionId } from '#domain/permissions/functions.ts'
import type { Db } from '#server/db/database.ts'
import type { Tx } from '#server/http/call/audit.store.ts'

export interface NewUser {
  readonly username: string
  readonly firstName: string
  readonly lastName: string
  readonly roleId: RoleId
  readonly customerId?: CustomerId | undefined
  readonly passwordHash: string
  readonly isLab?: boolean | undefined
}

/** Users as the first start and the command line change them; the calls about people have stores of their own. */
export interface SignInUserStore {
  readonly isEmpty: () => Promise<boolean>
  /** Finds the role of this name, or makes it with these functions; an existing role is never changed. */
  readonly ensureRole: (name: string, functions: readonly FunctionId[]) => Promise<RoleId>
  /** @returns false when the username is taken, and nothing was done */
  readonly addIfMissing: (user: NewUser) => Promise<boolean>
  readonly findPasswordHash: (username: string) => Promise<string | undefined>
  readonly personalTerms: (username: string) => Promise<readonly string[]>
  /** Finds the password hash of the oldest administrator of the whole installation. */
  readonly findFirstAdminPasswordHash: () => Promise<string | undefined>
  /** Sets the password and ends every session of the user; undefined when there is no such user. */
  readonly setPassword: (
    username: string,
    passwordHash: string,
    transaction: Tx,
  ) => Promise<{ readonly id: UserId; readonly customerId: CustomerId | null } | undefined>
  readonly transaction: <Result>(work: (transaction: Tx) => Promise<Result>) => Promise<Result>
}

const nameIs = (column: string, name: string) => sql<boolean>`lower(${sql.ref(column)}) = ${name.trim().toLowerCase()}`

export function createSignInUserStore(db: Db): SignInUserStore {
  return {
    isEmpty: async () => (await db.selectFrom('app_user').select('id').limit(1).execute()).length === 0,

    ensureRole: (name, functions) =>
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
      }),

    addIfMissing: async (user) => {
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
    },

    findPasswordHash: async (username) => {
      const found = await db
        .selectFrom('app_user')
        .select('password_hash')
        .where(nameIs('username', username))
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      return found?.password_hash ?? undefined
    },

    personalTerms: async (username) => {
      const user = await db
        .selectFrom('app_user')
        .leftJoin('customer', 'customer.id', 'app_user.customer_id')
        .select(['email', 'first_name', 'last_name', 'customer.name'])
        .where(nameIs('username', username))
        .where('app_user.deleted_at', 'is', null)
        .executeTakeFirst()
      return Object.values(user ?? {}).filter((word) => word !== null)
    },

    findFirstAdminPasswordHash: async () => {
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
    },

    setPassword: async (username, passwordHash, transaction) => {
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
    },

    transaction: (work) => db.transaction().execute(work),
  }
}
