import { sql } from 'kysely'
import type { TokenScope } from '#contract/call/tokenScopes.ts'
import type { FunctionId } from '#domain/permissions/functions.ts'
import type { Db } from '#server/db/database.ts'
import { type UserRow, usersWhoMaySignIn } from './signIn.store.ts'

/** The columns of a user that say what they may do. */
export type AuthorityRow = Pick<UserRow, 'username' | 'customerId' | 'isLab'> & {
  readonly functions: readonly FunctionId[]
}

/** Reading a token should rarely write. */
const NOTE_USE_EVERY_SECONDS = 600

const MAKER = sql<AuthorityRow | null>`case when maker.id <> app_user.id then jsonb_build_object(
  'username', maker.username, 'customerId', maker.customer_id, 'isLab', maker.is_lab,
  'functions', array(select function_id::int from app_role_function f where f.role_id = maker.role_id)) end`

/**
 * Every call of a token asks this, in one statement with whoever made it. What it finds is never kept.
 *
 * @returns undefined for one that was revoked or is over, and where its user or its maker may not sign in
 */
export async function findByApiToken(db: Db, tokenHash: Buffer) {
  const found = await usersWhoMaySignIn(db)
    .innerJoin('api_token', 'api_token.user_id', 'app_user.id')
    .innerJoin('app_user as maker', 'maker.id', 'api_token.maker_id')
    .innerJoin('app_role as maker_role', 'maker_role.id', 'maker.role_id')
    .leftJoin('customer as maker_customer', 'maker_customer.id', 'maker.customer_id')
    .select([
      'api_token.id as tokenId',
      'api_token.name as tokenName',
      'api_token.beginning',
      sql<readonly TokenScope[]>`api_token.scopes`.as('scopes'),
      'api_token.customer_id as tokenCustomerId',
      'api_token.with_fresh_factor as withFreshFactor',
      MAKER.as('maker'),
      sql<boolean>`app_role.allows_assistants and maker_role.allows_assistants`.as('servesAssistants'),
      sql<boolean>`coalesce(api_token.last_used_at < now() - make_interval(secs => ${NOTE_USE_EVERY_SECONDS}), true)`.as(
        'isStale',
      ),
    ])
    .where('api_token.token_hash', '=', tokenHash)
    .where('api_token.revoked_at', 'is', null)
    .where('api_token.expires_at', '>', sql<Date>`now()`)
    .where('maker.is_disabled', '=', false)
    .where('maker.deleted_at', 'is', null)
    .where('maker_role.deleted_at', 'is', null)
    .where((eb) => eb.or([eb('maker.customer_id', 'is', null), eb('maker_customer.is_active', '=', true)]))
    // Who has a password is nobody's machine.
    .where((eb) => eb.or([eb('maker.id', '=', eb.ref('app_user.id')), eb('app_user.password_hash', 'is', null)]))
    .executeTakeFirst()
  if (!found) return undefined
  const { tokenId, tokenName, beginning, scopes, tokenCustomerId, withFreshFactor, ...more } = found
  const { servesAssistants, isStale, maker, ...user } = more
  if (isStale) await noteUse(db, tokenId)
  const of = user.customerId === null ? {} : { userCustomerId: user.customerId }
  return {
    user,
    ...(maker && { maker: { ...maker, functions: maker.functions as readonly FunctionId[] } }),
    customerId: tokenCustomerId,
    apiToken: { id: tokenId, name: tokenName, beginning, scopes, withFreshFactor, servesAssistants, ...of },
  }
}

async function noteUse(db: Db, id: number): Promise<void> {
  await db
    .updateTable('api_token')
    .set({ last_used_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where(sql<boolean>`coalesce(last_used_at < now() - make_interval(secs => ${NOTE_USE_EVERY_SECONDS}), true)`)
    .execute()
}
