import type { ReadBodyOf } from '#contract/call/call.ts'
import { API_TOKEN_PREFIX } from '#contract/call/tokenScopes.ts'
import { type ApiToken, type createApiToken, MOST_TOKENS } from '#contract/http/people/apiTokens.ts'
import type { CustomerId, UserId } from '#domain/ids.ts'
import { mayManage } from '#domain/permissions/people.ts'
import { isAllowed } from '#domain/permissions/permissions.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, type Scope, scopeOf } from '#server/http/call/caller.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import type { ApiTokenStore, TokenUser } from './apiTokens.store.ts'

export interface ApiTokenDeps {
  readonly store: ApiTokenStore
  readonly customerExists: (id: CustomerId, scope: Scope) => Promise<boolean>
  readonly tokens: {
    readonly newApiToken: () => string
    readonly tokenHash: (token: string) => Buffer
  }
}

export type ApiTokens = ReturnType<typeof createApiTokens>

/** So many characters of a token stay visible. */
const SHOWN_LETTERS = API_TOKEN_PREFIX.length + 4

export function createApiTokens({ store, customerExists, tokens }: ApiTokenDeps) {
  /** @throws CallError when the caller may not make tokens for this user */
  async function userOf(caller: Caller, machineId: UserId | undefined, transaction: Tx): Promise<TokenUser> {
    if (machineId !== undefined && !isAllowed('admin', caller)) throw new CallError('forbidden')
    const user = await store.lockUser(machineId ?? caller.userId, scopeOf(caller), transaction)
    if (!user) throw notFound()
    if (user.id === caller.userId) return user
    if (!mayManage(caller, user)) throw new CallError('forbidden')
    // A user who can sign in makes their own tokens; nobody may act in their name.
    if (user.hasPassword) throw new CallError('no_machine')
    return user
  }

  return {
    list: async (all: boolean, caller: Caller): Promise<ApiToken[]> => {
      if (all && !isAllowed('admin', caller)) throw new CallError('forbidden')
      return store.list(all ? { within: scopeOf(caller) } : { own: caller.userId }, caller.userId)
    },

    create: (asked: ReadBodyOf<typeof createApiToken>, caller: Caller, change: ChangeRecord) => {
      change.about({ name: asked.name })
      return store.transaction(async (transaction) => {
        const user = await userOf(caller, asked.machineId, transaction)
        const customerId = asked.customerId ?? null
        if (customerId !== null && !(await customerExists(customerId, scopeOf(caller)))) throw notFound()
        if (customerId !== null && user.customerId !== null && user.customerId !== customerId) throw notFound()
        if ((await store.countUsable(user.id, transaction)) >= MOST_TOKENS) throw new CallError('too_many_api_tokens')
        const token = tokens.newApiToken()
        const { name, scopes, expiresInDays, withFreshFactor } = asked
        const id = await store.add(
          {
            tokenHash: tokens.tokenHash(token),
            beginning: token.slice(0, SHOWN_LETTERS),
            ...{ name, scopes: [...new Set(scopes)], expiresInDays, withFreshFactor, customerId },
            userId: user.id,
            makerId: caller.userId,
          },
          transaction,
        )
        await change.done(transaction, {
          id,
          customerId: user.customerId,
          after: { username: user.username, scopes, customerId, expiresInDays, withFreshFactor },
        })
        return { id, token }
      })
    },

    revoke: async (id: number, caller: Caller, change: ChangeRecord): Promise<void> => {
      change.about({ id })
      await store.transaction(async (transaction) => {
        const within = isAllowed('admin', caller) ? scopeOf(caller) : undefined
        const revoked = await store.revoke(id, { own: caller.userId, within }, transaction)
        if (!revoked) throw notFound()
        await change.done(transaction, {
          name: revoked.name,
          customerId: revoked.customerId,
          before: { username: revoked.username },
        })
      })
    },
  }
}
