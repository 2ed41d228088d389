import { type Kysely, sql } from 'kysely'
import type pg from 'pg'
import type { CustomerId, RoleId, UserId } from '#domain/ids.ts'
import { FUNCTION, type FunctionId } from '#domain/permissions/functions.ts'
import type { Db } from '#server/db/database.ts'
import { prepared } from '#server/db/queries/prepared.ts'
import type { Database } from '#server/db/schema.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Client } from '#server/http/call/route.ts'
import { factorDueAt } from '#server/people/factorDue.store.ts'

/** A session ends this long after its last use, and at the latest this long after signing in. */
export interface SessionLimits {
  readonly idleHours: number
  readonly longestHours: number
}
/** Reading a token should rarely write. */
const NOTE_USE_EVERY_SECONDS = 60

export interface UserRow {
  readonly id: UserId
  readonly username: string
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly roleId: RoleId
  readonly roleName: string
  readonly functions: readonly FunctionId[]
  readonly customerId: CustomerId | null
  readonly isLab: boolean
  readonly timeZone: string
  /** By their role: a session that is only a token is none of theirs. */
  readonly requiresBoundSession: boolean
  /** A password alone opens them no session. */
  readonly hasFactor: boolean
  /** Until when their role lets them in without one; null where it needs none. */
  readonly factorDueAt: Date | null
  /** That is over, and they have none. */
  readonly isFactorOverdue: boolean
}

/** Whose session it is. */
export interface SessionUser extends UserRow {
  /** They have proved lately who they are. */
  readonly isFresh: boolean
  /** Of the half that its browser keeps; null: the token is the session. */
  readonly bindingHash: Buffer | null
}

/** For so long a proof of who somebody is counts as one of now. */
const FRESH_MINUTES = 15

/**
 * That somebody is who they say. What follows (session, rights) asks only for this, never how it was shown: a second
 * factor or single sign-on are further ways to one.
 */
export interface Proof {
  readonly user: UserRow
  readonly by: 'password' | 'authenticator' | 'recoveryCode' | 'passkey' | 'singleSignOn'
}

export interface OpenedSession {
  readonly proof: Proof
  readonly client: Client
  /** Of the half that its browser keeps; undefined: the token is the session. */
  readonly bindingHash: Buffer | undefined
}

export interface SignInStore {
  /** The user of this name, if they may sign in at all. */
  readonly findByUsername: (
    username: string,
  ) => Promise<(UserRow & { readonly passwordHash: string | null; readonly hasToUseProvider: boolean }) | undefined>
  readonly findById: (id: UserId, transaction: Tx) => Promise<UserRow | undefined>
  /** Those of these users who may sign in; names are in lower case. */
  readonly findRoles: (
    usernames: readonly string[],
  ) => Promise<{ readonly username: string; readonly roleName: string }[]>
  /** The user whose session this is, if both are alive, with the rights of this moment. */
  readonly findByToken: (tokenHash: Buffer) => Promise<SessionUser | undefined>
  readonly accountId: () => Promise<number>
  readonly transaction: <Result>(work: (transaction: Tx) => Promise<Result>) => Promise<Result>
  readonly openSession: (tokenHash: Buffer, opened: OpenedSession, transaction: Tx) => Promise<void>
  /** @returns whether it was bound to a cookie */
  readonly endSession: (tokenHash: Buffer, transaction: Tx) => Promise<boolean>
}

export function createSignInStore(db: Db, pool: pg.Pool, limits: SessionLimits): SignInStore {
  return {
    findByUsername: (username) =>
      usersWhoMaySignIn(db)
        .select(['app_user.password_hash as passwordHash', hasToUseProvider.as('hasToUseProvider')])
        .where(sql`lower(app_user.username)`, '=', username.trim().toLowerCase())
        .executeTakeFirst(),
    findById: (id, transaction) => usersWhoMaySignIn(transaction).where('app_user.id', '=', id).executeTakeFirst(),
    findRoles: (usernames) =>
      usersWhoMaySignIn(db)
        .clearSelect()
        .select(['app_user.username', 'app_role.name as roleName'])
        .where(sql`lower(app_user.username)`, 'in', usernames)
        .execute(),
    findByToken: (tokenHash) => findByToken(db, pool, tokenHash, limits),
    accountId: async () => {
      const found = await sql<{ account_id: number }>`select account_id from installation`.execute(db)
      return found.rows[0]?.account_id ?? 1
    },
    transaction: (work) => db.transaction().execute(work),
    openSession: async (tokenHash, { proof, client, bindingHash }, transaction) => {
      await transaction
        .insertInto('app_session')
        .values({
          token_hash: tokenHash,
          user_id: proof.user.id,
          proved_by: proof.by,
          expires_at: sql<Date>`now() + make_interval(hours => ${limits.longestHours})`,
          user_agent: client.userAgent.replaceAll('\u0000', ''),
          address: client.address,
          binding_hash: bindingHash ?? null,
          is_unknown_browser: client.browser === undefined,
        })
        .execute()
    },
    endSession: async (tokenHash, transaction) => {
      // Kept until the housekeeping: it tells which places its owner has used (see attempts.store.ts).
      const ended = await transaction
        .updateTable('app_session')
        .set({ expires_at: sql<Date>`now()` })
        .where('token_hash', '=', tokenHash)
        .returning('binding_hash as bindingHash')
        .executeTakeFirst()
      return (ended?.bindingHash ?? null) !== null
    },
  }
}

/** By the domain of their address, where their provider is the only way; whoever could mend that is never shut out. */
const hasToUseProvider = sql<boolean>`(exists (select from sign_in_provider p where p.is_required and p.is_on
  and p.deleted_at is null and p.customer_id is not distinct from app_user.customer_id
  and split_part(lower(app_user.username), '@', 2) = any(p.domains))
  and not (app_user.customer_id is null and exists (select from app_role_function f
    where f.role_id = app_user.role_id and f.function_id = ${FUNCTION.admin})))`

const HAS_FACTOR = sql<boolean>`exists (select from user_factor f where f.user_id = app_user.id)`
const IS_OVERDUE = sql<boolean>`(coalesce(${factorDueAt} <= now(), false) and not ${HAS_FACTOR})`

export function usersWhoMaySignIn(db: Kysely<Database>) {
  return db
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
      'app_role.requires_bound_session as requiresBoundSession',
      sql<FunctionId[]>`array(select function_id::int from app_role_function f
        where f.role_id = app_role.id order by function_id)`.as('functions'),
      HAS_FACTOR.as('hasFactor'),
      factorDueAt.as('factorDueAt'),
      IS_OVERDUE.as('isFactorOverdue'),
    ])
    .where('app_user.is_disabled', '=', false)
    .where('app_user.deleted_at', 'is', null)
    .where('app_role.deleted_at', 'is', null)
    .where((eb) => eb.or([eb('app_user.customer_id', 'is', null), eb('customer.is_active', '=', true)]))
}

/** Every call asks this, so what it finds is never older than the call. */
async function findByToken(
  db: Db,
  pool: pg.Pool,
  tokenHash: Buffer,
  { idleHours }: SessionLimits,
): Promise<SessionUser | undefined> {
  const question = usersWhoMaySignIn(db)
    .innerJoin('app_session', 'app_session.user_id', 'app_user.id')
    .select([
      sql<boolean>`app_session.last_used_at < now() - make_interval(secs => ${NOTE_USE_EVERY_SECONDS})`.as('isStale'),
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
  const { rows } = await pool.query<SessionUser & { readonly isStale: boolean }>(prepared(text, parameters))
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
