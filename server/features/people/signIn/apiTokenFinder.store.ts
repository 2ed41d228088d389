import { sql } from 'kysely'
import type { TokenScope } from '#contract/call/tokenScopes.ts'
import type { CustomerId } from '#domain/ids.ts'
import type { FunctionId } from '#domain/permissions/functions.ts'
import { compiledOnce } from '#server/db/compiledOnce.ts'
import type { Db } from '#server/db/database.ts'
import { short } from '#server/db/prepared.ts'
import type { Queryable } from '#server/db/transaction.ts'
import type { UsedApiToken } from '#server/http/call/caller.ts'
import { type UserRow, usersWhoMaySignIn } from './signIn.store.ts'

export type AuthorityRow = Pick<UserRow, 'username' | 'functions' | 'customerId' | 'isLab'>

interface FoundApiToken {
  readonly user: UserRow
  /** Undefined when the user made the token. */
  readonly maker?: AuthorityRow
  /** The token sees only this customer; null means everything its user sees. */
  readonly customerId: CustomerId | null
  readonly apiToken: UsedApiToken
}

/** Finds a token; undefined when it was revoked or has expired, or its user or maker may not sign in. */
export type ApiTokenFinder = (tokenHash: Buffer) => Promise<FoundApiToken | undefined>

/** Finding a token should rarely write. */
const NOTE_USE_EVERY_SECONDS = 600

interface Row extends UserRow {
  readonly tokenId: number
  readonly tokenName: string
  readonly beginning: string
  readonly scopes: readonly TokenScope[]
  readonly tokenCustomerId: CustomerId | null
  readonly withFreshFactor: boolean
  readonly servesAssistants: boolean
  readonly isStale: boolean
  readonly maker: AuthorityRow | null
}

const MAKER = sql<AuthorityRow | null>`case when maker.id <> app_user.id then jsonb_build_object(
  'username', maker.username, 'customerId', maker.customer_id, 'isLab', maker.is_lab,
  'functions', array(select function_id::int from app_role_function f where f.role_id = maker.role_id)) end`

/** Finds a token and its maker in one statement, which every call with a token needs. The result is never cached. */
export function apiTokenFinder(db: Db, queryable: Queryable): ApiTokenFinder {
  const question = compiledOnce(['tokenHash'], ({ tokenHash }: { readonly tokenHash: Buffer }) =>
    usersWhoMaySignIn(db)
      .innerJoin('api_token', 'api_token.user_id', 'app_user.id')
      // The lateral join is read after the token in every plan. A plan that was made for few users compared each maker
      // with each user once there were many.
      .innerJoinLateral(
        (from) =>
          from
            .selectFrom('app_user as someone')
            .selectAll()
            .whereRef('someone.id', '=', 'api_token.maker_id')
            .offset(sql.lit(0))
            .as('maker'),
        (join) => join.onTrue(),
      )
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
      // A user with a password is a person, whose tokens only they may make.
      .where((eb) => eb.or([eb('maker.id', '=', eb.ref('app_user.id')), eb('app_user.password_hash', 'is', null)]))
      .compile(),
  )
  return async (tokenHash) => {
    const { sql: text, parameters } = question({ tokenHash })
    const { rows } = await queryable.query<Row>(short(text, [...parameters]))
    const [found] = rows
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
}

async function noteUse(db: Db, id: number): Promise<void> {
  await db
    .updateTable('api_token')
    .set({ last_used_at: sql<Date>`now()` })
    .where('id', '=', id)
    .where(sql<boolean>`coalesce(last_used_at < now() - make_interval(secs => ${NOTE_USE_EVERY_SECONDS}), true)`)
    .execute()
}
