import { type SqlBool, sql } from 'kysely'
import type { TokenScope } from '#contract/call/tokenScopes.ts'
import type { ApiToken } from '#contract/http/people/apiTokens.ts'
import type { CustomerId, UserId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { functionsOfRole } from '#server/people/peopleChange.store.ts'
import { usersWithin } from '#server/people/usersWithin.store.ts'

interface NewToken {
  readonly tokenHash: Buffer
  readonly beginning: string
  readonly name: string
  readonly scopes: readonly TokenScope[]
  readonly expiresInDays: number
  readonly withFreshFactor: boolean
  readonly customerId: CustomerId | null
  readonly userId: UserId
  readonly makerId: UserId
}

/** SQL for a token `t`: whether somebody made it or has it. */
const isOwn = (userId: UserId) => sql<SqlBool>`(t.maker_id = ${userId} or t.user_id = ${userId})`

/** SQL: whether this user may sign in at all. */
const isUsable = (user: string) =>
  `not ${user}.is_disabled and ${user}.deleted_at is null
   and exists (select from app_role r where r.id = ${user}.role_id and r.deleted_at is null)
   and (${user}.customer_id is null or exists (select from customer c where c.id = ${user}.customer_id and c.is_active))`

/** The finder judges the use of tokens in the same way (server/features/people/signIn/apiTokenFinder.store.ts). */
const IS_BLOCKED = sql.raw<boolean>(`not (${isUsable('u')} and ${isUsable('m')}
  and (m.id = u.id or u.password_hash is null)
  and (m.customer_id is null or m.customer_id = coalesce(u.customer_id, t.customer_id))
  and (t.customer_id is null or t.customer_id = coalesce(u.customer_id, t.customer_id)))`)

interface ListedRow extends Omit<ApiToken, 'created' | 'expires' | 'lastUsed' | 'state'> {
  readonly created: Date
  readonly expires: Date
  readonly lastUsed: Date | null
  readonly isOver: boolean
  readonly isBlocked: boolean
}

/** Lists the newest first, without revoked tokens. */
export async function listTokens(
  db: Db,
  whose: { readonly own: UserId } | { readonly within: Scope },
  reader: UserId,
): Promise<ApiToken[]> {
  const { rows } = await sql<ListedRow>`
    select t.id, t.name, t.beginning, t.scopes, u.id as "userId", u.username, u.id <> m.id as "isMachine",
      m.username as "makerName", t.customer_id as "customerId", coalesce(c.name, '') as "customerName",
      t.with_fresh_factor as "withFreshFactor", t.created_at as created, t.expires_at as expires,
      t.last_used_at as "lastUsed", t.expires_at <= now() as "isOver", ${IS_BLOCKED} as "isBlocked",
      ${isOwn(reader)} as "isOwn"
    from api_token t join app_user u on u.id = t.user_id join app_user m on m.id = t.maker_id
    left join customer c on c.id = t.customer_id
    where t.revoked_at is null and ${'own' in whose ? isOwn(whose.own) : usersWithin(whose.within, 'u')}
    order by t.created_at desc, t.id desc`.execute(db)
  return rows.map(({ isOver, isBlocked, created, expires, lastUsed, ...row }) => ({
    ...row,
    created: created.toISOString(),
    expires: expires.toISOString(),
    lastUsed: lastUsed?.toISOString() ?? null,
    state: isOver ? 'expired' : isBlocked ? 'blocked' : 'usable',
  }))
}

/** Locks a user within the scope who is not deleted, so that their tokens are made one after the other. */
export const lockTokenUser = (transaction: Tx, id: UserId, scope: Scope) =>
  transaction
    .selectFrom('app_user')
    .innerJoin('app_role', 'app_role.id', 'app_user.role_id')
    .select([
      'app_user.id',
      'app_user.username',
      'app_user.customer_id as customerId',
      functionsOfRole.as('functions'),
      sql<boolean>`app_user.password_hash is not null`.as('hasPassword'),
    ])
    .where('app_user.id', '=', id)
    .where('app_user.deleted_at', 'is', null)
    .where(usersWithin(scope))
    .forUpdate('app_user')
    .executeTakeFirst()

export async function countUsableTokens(transaction: Tx, userId: UserId): Promise<number> {
  const { count } = await transaction
    .selectFrom('api_token')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function addToken(transaction: Tx, token: NewToken): Promise<number> {
  const { id } = await transaction
    .insertInto('api_token')
    .values({
      token_hash: token.tokenHash,
      beginning: token.beginning,
      name: token.name,
      user_id: token.userId,
      maker_id: token.makerId,
      scopes: [...token.scopes],
      customer_id: token.customerId,
      with_fresh_factor: token.withFreshFactor,
      expires_at: sql<Date>`now() + make_interval(days => ${token.expiresInDays})`,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Revokes a token; undefined for one that belongs neither to this person nor to the scope, or was revoked before. */
export async function revokeToken(
  transaction: Tx,
  id: number,
  { own, within }: { readonly own: UserId; readonly within: Scope | undefined },
) {
  const isInScope = within === undefined ? sql`false` : usersWithin(within, 'u')
  const { rows } = await sql<{ name: string; username: string; customerId: CustomerId | null }>`
    update api_token t set revoked_at = now() from app_user u
    where t.id = ${id} and u.id = t.user_id and t.revoked_at is null and (${isOwn(own)} or ${isInScope})
    returning t.name, u.username, u.customer_id as "customerId"`.execute(transaction)
  return rows[0]
}
