import type { ReadBodyOf } from '#contract/call/call.ts'
import { API_TOKEN_PREFIX } from '#contract/call/tokenScopes.ts'
import { createApiToken, listApiTokens, MOST_TOKENS, revokeApiToken } from '#contract/http/people/apiTokens.ts'
import type { UserId } from '#domain/ids.ts'
import { mayManage } from '#domain/permissions/people.ts'
import { isAllowed } from '#domain/permissions/permissions.ts'
import type { Db } from '#server/db/database.ts'
import type { Given } from '#server/features/feature.ts'
import { requireCustomer } from '#server/fleet/customerLookup.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import { foundRow } from '#server/http/call/changeSteps.store.ts'
import { type ChangeRecord, route } from '#server/http/call/route.ts'
import { addToken, countUsableTokens, listTokens, lockTokenUser, revokeToken } from './apiTokens.store.ts'

interface Tokens {
  readonly newApiToken: () => string
  readonly tokenHash: (token: string) => Buffer
}

export const apiTokensFeature = ({ db, tokens }: Pick<Given, 'db'> & { readonly tokens: Tokens }) => ({
  routes: [
    route(listApiTokens, async ({ query: { all }, caller }) => {
      if (all && !isAllowed('admin', caller)) throw new CallError('forbidden')
      return listTokens(db, all ? { within: scopeOf(caller) } : { own: caller.userId }, caller.userId)
    }),
    route(createApiToken, ({ body, caller, change }) => create(db, tokens, body, caller, change)),
    route(revokeApiToken, async ({ body, caller, change }) => {
      await revoke(db, body.id, caller, change)
      return {}
    }),
  ],
})

/** So many characters of a token stay visible. */
const SHOWN_LETTERS = API_TOKEN_PREFIX.length + 4

function create(
  db: Db,
  { newApiToken, tokenHash }: Tokens,
  asked: ReadBodyOf<typeof createApiToken>,
  caller: Caller,
  change: ChangeRecord,
) {
  change.about({ name: asked.name })
  return db.transaction().execute(async (transaction) => {
    const user = await userOf(transaction, caller, asked.machineId)
    const customerId = asked.customerId ?? null
    if (customerId !== null) await requireCustomer(transaction, customerId, scopeOf(caller))
    if (customerId !== null && user.customerId !== null && user.customerId !== customerId) throw notFound()
    if ((await countUsableTokens(transaction, user.id)) >= MOST_TOKENS) throw new CallError('too_many_api_tokens')
    const token = newApiToken()
    const { name, scopes, expiresInDays, withFreshFactor } = asked
    const id = await addToken(transaction, {
      tokenHash: tokenHash(token),
      beginning: token.slice(0, SHOWN_LETTERS),
      ...{ name, scopes: [...new Set(scopes)], expiresInDays, withFreshFactor, customerId },
      userId: user.id,
      makerId: caller.userId,
    })
    await change.done(transaction, {
      id,
      customerId: user.customerId,
      after: { username: user.username, scopes, customerId, expiresInDays, withFreshFactor },
    })
    return { id, token }
  })
}

/** @throws CallError when the caller may not make tokens for this user */
async function userOf(transaction: Tx, caller: Caller, machineId: UserId | undefined) {
  if (machineId !== undefined && !isAllowed('admin', caller)) throw new CallError('forbidden')
  const user = await foundRow(lockTokenUser(transaction, machineId ?? caller.userId, scopeOf(caller)))
  if (user.id === caller.userId) return user
  if (!mayManage(caller, user)) throw new CallError('forbidden')
  // A user who can sign in makes their own tokens; nobody may act in their name.
  if (user.hasPassword) throw new CallError('no_machine')
  return user
}

async function revoke(db: Db, id: number, caller: Caller, change: ChangeRecord): Promise<void> {
  change.about({ id })
  await db.transaction().execute(async (transaction) => {
    const within = isAllowed('admin', caller) ? scopeOf(caller) : undefined
    const { name, username, customerId } = await foundRow(revokeToken(transaction, id, { own: caller.userId, within }))
    await change.done(transaction, { name, customerId, before: { username } })
  })
}
