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

/** A person as a provider identifies them. */
interface Identity {
  readonly providerId: number
  readonly subject: string
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

export const findBySubject = (db: Db | Tx, { providerId, subject }: Identity): Promise<KnownPerson | undefined> =>
  people(db)
    .where('sign_in_identity.provider_id', '=', providerId)
    .where('sign_in_identity.subject', '=', subject)
    .executeTakeFirst()

export const findNamesake = (transaction: Tx, username: string): Promise<KnownPerson | undefined> =>
  people(transaction).where(sql`lower(app_user.username)`, '=', username).executeTakeFirst()

export async function hasRole(transaction: Tx, id: RoleId): Promise<boolean> {
  const role = transaction.selectFrom('app_role').select('id').where('id', '=', id).where('deleted_at', 'is', null)
  return (await role.executeTakeFirst()) !== undefined
}

interface NewPerson {
  readonly username: string
  readonly firstName: string
  readonly lastName: string
  readonly roleId: RoleId
  readonly customerId: CustomerId | null
}

export async function addPerson(
  transaction: Tx,
  { username, firstName, lastName, roleId, customerId }: NewPerson,
): Promise<UserId> {
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
}

export async function setPersonsRole(transaction: Tx, id: UserId, roleId: RoleId): Promise<void> {
  await transaction
    .updateTable('app_user')
    .set({ role_id: roleId, updated_at: sql<Date>`now()`, updated_by: null })
    .where('id', '=', id)
    .execute()
}

/** Ties the user to this identity, and any other user from it. */
export async function identify(transaction: Tx, id: UserId, { providerId, subject }: Identity): Promise<void> {
  await sql`delete from sign_in_identity where user_id = ${id}
    or (provider_id = ${providerId} and subject = ${subject})`.execute(transaction)
  await transaction.insertInto('sign_in_identity').values({ user_id: id, provider_id: providerId, subject }).execute()
}
