import { type InferResult, sql } from 'kysely'
import type pg from 'pg'
import type { UserId } from '#domain/ids.ts'
import { FUNCTION, type FunctionId } from '#domain/permissions/functions.ts'
import type { Db } from '#server/db/database.ts'
import { prepared } from '#server/db/queries/prepared.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Client } from '#server/http/call/route.ts'
import { factorDueAt } from '#server/people/factorDue.store.ts'

/** Reading a token should rarely write. */
const NOTE_USE_EVERY_SECONDS = 60

/** A proof of who somebody is counts for so long as one of now. */
const FRESH_MINUTES = 15

/** A provider is the only way in for its domain where it says so; whoever could mend that is never shut out. */
const hasToUseProvider = sql<boolean>`(exists (select from sign_in_provider p where p.is_required and p.is_on
  and p.deleted_at is null and p.customer_id is not distinct from app_user.customer_id
  and split_part(lower(app_user.username), '@', 2) = any(p.domains))
  and not (app_user.customer_id is null and exists (select from app_role_function f
    where f.role_id = app_user.role_id and f.function_id = ${FUNCTION.admin})))`

const HAS_FACTOR = sql<boolean>`exists (select from user_factor f where f.user_id = app_user.id)`
const IS_OVERDUE = sql<boolean>`(coalesce(${factorDueAt} <= now(), false) and not ${HAS_FACTOR})`

export const usersWhoMaySignIn = (db: Db) =>
  db
    .selectFrom('app_user')
    .innerJoin('app_role', 'app_role.id', 'app_user.role_id')
    .leftJoin('customer', 'customer.id', 'app_user.customer_id')
    .select([
      'app_user.id',
      'app_user.username',
      'app_user.email',
      'app_user.first_name as firstName',
      'app_user.last_name as lastName',
      'app_user.role_id as roleId',
      'app_role.name as roleName',
      'app_user.customer_id as customerId',
      'app_user.is_lab as isLab',
      'app_user.time_zone as timeZone',
      // Their role refuses a session that is only a token.
      'app_role.requires_bound_session as requiresBoundSession',
      sql<FunctionId[]>`array(select function_id::int from app_role_function f
        where f.role_id = app_role.id order by function_id)`.as('functions'),
      // A password alone opens them no session.
      HAS_FACTOR.as('hasFactor'),
      factorDueAt.as('factorDueAt'),
      IS_OVERDUE.as('isFactorOverdue'),
    ])
    .where('app_user.is_disabled', '=', false)
    .where('app_user.deleted_at', 'is', null)
    .where('app_role.deleted_at', 'is', null)
    .where((eb) => eb.or([eb('app_user.customer_id', 'is', null), eb('customer.is_active', '=', true)]))

export type UserRow = InferResult<ReturnType<typeof usersWhoMaySignIn>>[number]

/**
 * That somebody is who they say. What follows (session, rights) asks only for this, never how it was shown: a second
 * factor or single sign-on are further ways to one.
 */
export interface Proof {
  readonly user: UserRow
  readonly by: 'password' | 'authenticator' | 'recoveryCode' | 'passkey' | 'singleSignOn'
}

/** Finds the user of this name, if they may sign in at all. */
export const findByUsername = (db: Db, username: string) =>
  usersWhoMaySignIn(db)
    .select(['app_user.password_hash as passwordHash', hasToUseProvider.as('hasToUseProvider')])
    .where(sql`lower(app_user.username)`, '=', username.trim().toLowerCase())
    .executeTakeFirst()

export const findById = (transaction: Tx, id: UserId): Promise<UserRow | undefined> =>
  usersWhoMaySignIn(transaction).where('app_user.id', '=', id).executeTakeFirst()

/** Finds those of these users who may sign in; names are in lower case. */
export const findRoles = (db: Db, usernames: readonly string[]) =>
  usersWhoMaySignIn(db)
    .clearSelect()
    .select(['app_user.username', 'app_role.name as roleName'])
    .where(sql`lower(app_user.username)`, 'in', usernames)
    .execute()

/**
 * Finds the user whose session this is, if both are alive, with the rights of this moment. Every call asks this, so
 * what it finds is never older than the call.
 */
export async function findByToken(db: Db, pool: pg.Pool, tokenHash: Buffer, idleHours: number) {
  const question = usersWhoMaySignIn(db)
    .innerJoin('app_session', 'app_session.user_id', 'app_user.id')
    .select([
      sql<boolean>`app_session.last_used_at < now() - make_interval(secs => ${NOTE_USE_EVERY_SECONDS})`.as('isStale'),
      // The hash of the session cookie, which its browser keeps; null: the token is the session.
      'app_session.binding_hash as bindingHash',
      sql<boolean>`coalesce(app_session.proved_at > now() - make_interval(mins => ${FRESH_MINUTES}), false)`.as(
        'isFresh',
      ),
    ])
    .where('app_session.token_hash', '=', tokenHash)
    // How well somebody proves themselves to an identity provider is for that to say.
    .where(sql<boolean>`(app_session.proved_by = 'singleSignOn' or not ${IS_OVERDUE})`)
    .where('app_session.expires_at', '>', sql<Date>`now()`)
    .where('app_session.last_used_at', '>', sql<Date>`now() - make_interval(hours => ${idleHours})`)
    .where(sql<boolean>`(app_session.binding_hash is not null or not app_role.requires_bound_session)`)
  const { sql: text, parameters } = question.compile()
  const { rows } = await pool.query<InferResult<typeof question>[number]>(prepared(text, parameters))
  const [found] = rows
  if (!found) return undefined
  const { isStale, ...user } = found
  if (isStale) await noteUse(db, tokenHash)
  return user
}

async function noteUse(db: Db, tokenHash: Buffer): Promise<void> {
  await db
    .updateTable('app_session')
    .set({ last_used_at: sql<Date>`now()` })
    .where('token_hash', '=', tokenHash)
    .where('last_used_at', '<', sql<Date>`now() - make_interval(secs => ${NOTE_USE_EVERY_SECONDS})`)
    .execute()
}

export async function readAccountId(db: Db): Promise<number> {
  const found = await sql<{ account_id: number }>`select account_id from installation`.execute(db)
  return found.rows[0]?.account_id ?? 1
}

interface OpenedSession {
  readonly proof: Proof
  readonly client: Client
  /** The hash of the session cookie, which its browser keeps; undefined: the token is the session. */
  readonly bindingHash: Buffer | undefined
  readonly longestHours: number
}

export async function openSession(
  transaction: Tx,
  tokenHash: Buffer,
  { proof, client, bindingHash, longestHours }: OpenedSession,
): Promise<void> {
  await transaction
    .insertInto('app_session')
    .values({
      token_hash: tokenHash,
      user_id: proof.user.id,
      proved_by: proof.by,
      expires_at: sql<Date>`now() + make_interval(hours => ${longestHours})`,
      user_agent: client.userAgent.replaceAll('\u0000', ''),
      address: client.address,
      binding_hash: bindingHash ?? null,
      is_unknown_browser: client.browser === undefined,
    })
    .execute()
}

/**
 * Ends a session. Its row stays until the housekeeping, because it tells which places its owner has used
 * (attempts.store.ts).
 *
 * @returns whether it was bound to a cookie
 */
export async function endSession(transaction: Tx, tokenHash: Buffer): Promise<boolean> {
  const ended = await transaction
    .updateTable('app_session')
    .set({ expires_at: sql<Date>`now()` })
    .where('token_hash', '=', tokenHash)
    .returning('binding_hash as bindingHash')
    .executeTakeFirst()
  return (ended?.bindingHash ?? null) !== null
}
