import type { SignedInUser } from '#contract/http/people/signedInUser.ts'
import type { CustomerId } from '#domain/ids.ts'
import { type Authority, sharedFunctions } from '#domain/permissions/permissions.ts'
import type { Given } from '#server/features/feature.ts'
import { CallError } from '#server/http/call/callError.ts'
import type { Caller, UsedApiToken } from '#server/http/call/caller.ts'
import type { Client } from '#server/http/call/route.ts'
import type { Config } from '#server/settings/config.ts'
import { findByApiToken } from './apiTokenFinder.store.ts'
import { bringsSessionCookie } from './sessionBinding.ts'
import { authorityOf, type RightsConfig, signedInUser } from './signedInUser.ts'
import { findByToken, readAccountId, type UserRow } from './signIn.store.ts'
import { isApiToken, tokenHash } from './tokens.ts'

interface FinderParts extends Pick<Given, 'db' | 'pool'> {
  readonly config: RightsConfig & Pick<Config, 'sessionIdleHours'>
}

interface FoundCaller {
  readonly user: UserRow
  /** The caller has confirmed their identity lately; for a program that is decided when its token is made. */
  readonly isFresh: boolean
  /** The caller has a session that is bound to no browser. */
  readonly isPlainClient: boolean
  readonly authority: Authority
  readonly apiToken?: UsedApiToken
}

interface Shown {
  readonly hash: Buffer
  readonly isApiToken: boolean
  /** Tells whether the request brought the cookie of a bound session. */
  readonly hasSessionCookie: (bindingHash: Buffer) => boolean
}

/**
 * Finds who makes a call by the token of a session or a program, with their permissions at this moment.
 *
 * @param cookies of the request, which have to bring the session cookie of a bound session
 */
export function authenticate(
  parts: FinderParts,
  token: string,
  { address }: Client,
  cookies: string | undefined,
): Promise<Caller | undefined> {
  const hash = tokenHash(token)
  const hasSessionCookie = (bindingHash: Buffer) => bringsSessionCookie(cookies, hash, bindingHash)
  return callerOf(parts, { hash, isApiToken: isApiToken(token), hasSessionCookie }, address)
}

/** Finds the same session with the rights of now; undefined when it ended. */
export const reauthenticate = (parts: FinderParts, caller: Caller): Promise<Caller | undefined> =>
  callerOf(parts, shownBy(caller), caller.address)

export async function describeCaller(parts: FinderParts, caller: Caller): Promise<SignedInUser> {
  const [found, accountId] = await Promise.all([find(parts, shownBy(caller)), readAccountId(parts.db)])
  if (!found || found === 'bound elsewhere') throw new CallError('sign_in_required')
  return signedInUser(found.user, found.authority, accountId)
}

/** Its session cookie was shown when its request came. */
const shownBy = ({ sessionHash, apiToken }: Caller): Shown => ({
  hash: Buffer.from(sessionHash, 'hex'),
  isApiToken: apiToken !== undefined,
  hasSessionCookie: () => true,
})

async function callerOf(parts: FinderParts, shown: Shown, address: string): Promise<Caller | undefined> {
  const found = await find(parts, shown)
  // A bound session without its cookie is a copied token. The session itself goes on in its own browser.
  if (!found || found === 'bound elsewhere') return undefined
  const { id: userId, username, roleId } = found.user
  const { authority, apiToken } = found
  return {
    ...authority,
    userId,
    username,
    roleId,
    freshFactor: found.isFresh,
    isPlainClient: found.isPlainClient,
    sessionHash: shown.hash.toString('hex'),
    address,
    ...(apiToken && { apiToken }),
  }
}

async function find(
  parts: FinderParts,
  { hash, isApiToken, hasSessionCookie }: Shown,
): Promise<FoundCaller | 'bound elsewhere' | undefined> {
  if (isApiToken) return findProgram(parts, hash)
  const { db, pool, config } = parts
  const user = await findByToken(db, pool, hash, config.sessionIdleHours)
  if (!user) return undefined
  if (user.bindingHash !== null && !hasSessionCookie(user.bindingHash)) return 'bound elsewhere'
  const isPlainClient = user.bindingHash === null
  return { user, authority: authorityOf(user, config), isFresh: user.isFresh, isPlainClient }
}

/** Finds the caller of an API token, with the permissions that token, user and maker all have. */
async function findProgram({ db, config }: FinderParts, hash: Buffer): Promise<FoundCaller | undefined> {
  const found = await findByApiToken(db, hash)
  if (!found) return undefined
  const { user, maker, customerId, apiToken } = found
  const authority = sharedAuthority(authorityOf(user, config), maker && authorityOf(maker, config), customerId)
  return authority && { user, authority, apiToken, isFresh: apiToken.withFreshFactor, isPlainClient: false }
}

/**
 * Reduces a token's permissions to what its user and its maker both have, within one customer where the token is
 * limited to it.
 * @param maker is undefined when the user made the token
 * @returns undefined when user, maker and customer do not belong together any more
 */
function sharedAuthority(
  user: Authority,
  maker: Authority | undefined,
  bound: CustomerId | null,
): Authority | undefined {
  const { customerId = bound ?? undefined } = user
  const isElsewhere = (other: CustomerId | null | undefined) => typeof other === 'number' && other !== customerId
  if (isElsewhere(maker?.customerId) || isElsewhere(bound)) return undefined
  return {
    functions: maker ? sharedFunctions(user.functions, maker.functions) : user.functions,
    ...(customerId === undefined ? {} : { customerId }),
    isLab: user.isLab && maker?.isLab !== false,
    isInternal: user.isInternal && maker?.isInternal !== false,
  }
}
