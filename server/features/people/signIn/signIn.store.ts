import { type Kysely, sql } from 'kysely'
import type pg from 'pg'
import type { CustomerId, RoleId, UserId } from '#domain/ids.ts'
import { FUNCTION, type FunctionId } from '#domain/permissions/functions.ts'
import { compiledOnce } from '#server/db/compiledOnce.ts'
import type { Db } from '#server/db/database.ts'
import { commitInOneExchange } from '#server/db/oneExchange.ts'
import { short } from '#server/db/prepared.ts'
import type { Database } from '#server/db/schema.ts'
import type { Queryable } from '#server/db/transaction.ts'
import type { Statement, Tx } from '#server/http/call/audit.store.ts'
import type { Client } from '#server/http/call/route.ts'
import { factorDueAt } from '#server/people/factorDue.store.ts'

/** A session ends this long after its last use, and at the latest this long after signing in. */
export interface SessionLimits {
  readonly idleHours: number
  readonly longestHours: number
}
/** Finding a token should rarely write. */
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
  /** The user's role accepts only sessions that are bound to a cookie. */
  readonly requiresBoundSession: boolean
  /** The user has a second factor, so the password alone opens no session. */
  readonly hasFactor: boolean
  /** The role lets the user in without a factor until then; null when it needs none. */
  readonly factorDueAt: Date | null
  /** That moment has passed, and the user has no factor. */
  readonly isFactorOverdue: boolean
}

export interface SessionUser extends UserRow {
  /** The user has confirmed their identity lately in this session. */
  readonly isFresh: boolean
  /** The hash of the session cookie; null when the token alone is the session. */
  readonly bindingHash: Buffer | null
}

/** A proof of identity counts as fresh for so long. */
const FRESH_MINUTES = 15

/**
 * A proof that somebody is who they claim to be. Sessions and permissions need only this, and never how it was given.
 */
export interface Proof {
  readonly user: UserRow
  readonly by: 'password' | 'authenticator' | 'recoveryCode' | 'passkey' | 'singleSignOn'
}

export interface OpenedSession {
  readonly proof: Proof
  readonly client: Client
  /** The hash of the session cookie; undefined when the token alone is the session. */
  readonly bindingHash: Buffer | undefined
}

export interface SignInStore {
  /** Finds the user of this name, if they may sign in at all. */
  readonly findByUsername: (
    username: string,
  ) => Promise<(UserRow & { readonly passwordHash: string | null; readonly hasToUseProvider: boolean }) | undefined>
  readonly findById: (id: UserId, transaction: Tx) => Promise<UserRow | undefined>
  /** Finds those of these users who may sign in; names are in lower case. */
  readonly findRoles: (
    usernames: readonly string[],
  ) => Promise<{ readonly username: string; readonly roleName: string }[]>
  /** Finds the user of a session with their permissions at this moment, if both are alive. */
  readonly findByToken: (tokenHash: Buffer) => Promise<SessionUser | undefined>
  readonly accountId: () => Promise<number>
  readonly transaction: <Result>(work: (transaction: Tx) => Promise<Result>) => Promise<Result>
  /** Opens a session together with the statements beside it, or does nothing. */
  readonly openSession: (
    tokenHash: Buffer,
    opened: OpenedSession & { readonly beside: readonly Statement[] },
  ) => Promise<void>
  /** Opens a session in the transaction that uses its proof up. */
  readonly openSessionWithin: (transaction: Tx, tokenHash: Buffer, opened: OpenedSession) => Promise<void>
  /** @returns true when it was bound to a cookie */
  readonly endSession: (tokenHash: Buffer, transaction: Tx) => Promise<boolean>
}

/** @param pool looks tokens up and begins sessions; `db`, on the same database, does everything else */
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
    findByToken: tokenFinder(db, pool, limits),
    accountId: async () => {
      const found = await sql<{ account_id: number }>`select account_id from installation`.execute(db)
      return found.rows[0]?.account_id ?? 1
    },
    transaction: (work) => db.transaction().execute(work),
    openSession: async (tokenHash, { beside, ...opened }) => {
      const session = sessionRow(db, { ...opened, tokenHash, longestHours: limits.longestHours })
      const isThere = async () => {
        const found = db.selectFrom('app_session').select('user_id').where('token_hash', '=', tokenHash)
        return (await found.executeTakeFirst()) !== undefined
      }
      await commitInOneExchange(pool, { statements: [...beside, session], isThere })
    },
    openSessionWithin: async (transaction, tokenHash, opened) => {
      await transaction.executeQuery(sessionRow(db, { ...opened, tokenHash, longestHours: limits.longestHours }))
    },
    endSession: async (tokenHash, transaction) => {
      // The row stays until the housekeeping, because it shows which places its owner has used (attempts.store.ts).
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

/**
 * SQL: whether a provider is the only way in for the domain of the user's address. Staff admins may always use their
 * password, because they could repair a broken provider.
 */
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

/** Every call needs this, so the statement is composed once and parsed once by each connection. No result is cached. */
function tokenFinder(db: Db, queryable: Queryable, { idleHours }: SessionLimits): SignInStore['findByToken'] {
  const question = compiledOnce(['tokenHash'], ({ tokenHash }: { readonly tokenHash: Buffer }) =>
    usersWhoMaySignIn(db)
      .innerJoin('app_session', 'app_session.user_id', 'app_user.id')
      .select([
        sql<boolean>`app_session.last_used_at < now() - make_interval(secs => ${NOTE_USE_EVERY_SECONDS})`.as('isStale'),
        'app_session.binding_hash as bindingHash',
        sql<boolean>`coalesce(app_session.proved_at > now() - make_interval(mins => ${FRESH_MINUTES}), false)`.as(
          'isFresh',
        ),
      ])
      .where('app_session.token_hash', '=', tokenHash)
      // A second factor is up to the identity provider for whoever signs in there.
      .where(sql<boolean>`(app_session.proved_by = 'singleSignOn' or not ${IS_OVERDUE})`)
      .where('app_session.expires_at', '>', sql<Date>`now()`)
      .where('app_session.last_used_at', '>', sql<Date>`now() - make_interval(hours => ${idleHours})`)
      .where(sql<boolean>`(app_session.binding_hash is not null or not app_role.requires_bound_session)`)
      .compile(),
  )
  return async (tokenHash) => {
    const { sql: text, parameters } = question({ tokenHash })
    const { rows } = await queryable.query<SessionUser & { readonly isStale: boolean }>(short(text, [...parameters]))
    const [found] = rows
    if (!found) return undefined
    const { isStale, ...user } = found
    if (isStale) await noteUse(db, tokenHash)
    return user
  }
}

async function noteUse(db: Db, tokenHash: Buffer): Promise<void> {
  await db
    .updateTable('app_session')
    .set({ last_used_at: sql<Date>`now()` })
    .where('token_hash', '=', tokenHash)
    .where('last_used_at', '<', sql<Date>`now() - make_interval(secs => ${NOTE_USE_EVERY_SECONDS})`)
    .execute()
}

interface SessionToOpen extends OpenedSession {
  readonly tokenHash: Buffer
  readonly longestHours: number
}

function sessionRow(db: Db, { tokenHash, proof, client, bindingHash, longestHours }: SessionToOpen): Statement {
  return db
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
    .compile()
}
