import { sql } from 'kysely'
import type { CustomerId, RoleId, UserId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import type { Tx } from '#server/http/call/audit.store.ts'

/** A user, with what a sign-in by a provider has to know. */
export interface KnownPerson {
  readonly id: UserId
  readonly customerId: CustomerId | null
  readonly roleId: RoleId
  /** The existing provider that identifies them, null when there is none. */
  readonly providerId: number | null
}

export interface NewPerson {
  readonly username: string
  readonly firstName: string
  readonly lastName: string
  readonly roleId: RoleId
  readonly customerId: CustomerId | null
}

/** A person as a provider identifies them. */
export interface Identity {
  readonly providerId: number
  readonly subject: string
}

export interface PeopleStore {
  readonly bySubject: (providerId: number, subject: string, within?: Tx) => Promise<KnownPerson | undefined>
  readonly byUsername: (username: string, transaction: Tx) => Promise<KnownPerson | undefined>
  readonly roleName: (id: RoleId, transaction: Tx) => Promise<string | undefined>
  readonly add: (person: NewPerson, transaction: Tx) => Promise<UserId>
  readonly setRole: (id: UserId, roleId: RoleId, transaction: Tx) => Promise<void>
  /** Ties the user to this identity, and any other user from it. */
  readonly identify: (id: UserId, as: Identity, transaction: Tx) => Promise<void>
}

function people(db: Db | Tx) {
  return db
    .selectFrom('app_user')
    .leftJoin('sign_in_identity', 'sign_in_identity.user_id', 'app_user.id')
    .leftJoin('sign_in_provider', (join) =>
      join
        .onRef('sign_in_provider.id', '=', 'sign_in_identity.provider_id')
        .on('sign_in_provider.deleted_at', 'is', null),
    )
    .select([
      'app_user.id',
      'app_user.customer_id as customerId',
      'app_user.role_id as roleId',
      'sign_in_provider.id as providerId',
    ])
    .where('app_user.deleted_at', 'is', null)
}

export function createPeopleStore(db: Db): PeopleStore {
  return {
    bySubject: (providerId, subject, within = db as Db | Tx as Tx) =>
      people(within)
        .where('sign_in_identity.provider_id', '=', providerId)
        .where('sign_in_identity.subject', '=', subject)
        .executeTakeFirst(),

    byUsername: (username, transaction) =>
      people(transaction).where(sql`lower(app_user.username)`, '=', username).executeTakeFirst(),

    roleName: async (id, transaction) => {
      const role = transaction
        .selectFrom('app_role')
        .select('name')
        .where('id', '=', id)
        .where('deleted_at', 'is', null)
      return (await role.executeTakeFirst())?.name
    },

    add: async ({ username, firstName, lastName, roleId, customerId }, transaction) => {
      const { id } = await transaction
        .insertInto('app_user')
        .values({
          username,
          email: username,
          first_name: firstName,
          last_name: lastName,
          role_id: roleId,
          customer_id: customerId,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    },

    setRole: async (id, roleId, transaction) => {
      await transaction
        .updateTable('app_user')
        .set({ role_id: roleId, updated_at: sql<Date>`now()`, updated_by: null })
        .where('id', '=', id)
        .execute()
    },

    identify: async (id, { providerId, subject }, transaction) => {
      await sql`delete from sign_in_identity where user_id = ${id}
        or (provider_id = ${providerId} and subject = ${subject})`.execute(transaction)
      await transaction
        .insertInto('sign_in_identity')
        .values({ user_id: id, provider_id: providerId, subject })
        .execute()
    },
  }
}
