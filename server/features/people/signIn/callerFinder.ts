import type { CustomerId } from '#domain/ids.ts'
import { type Authority, sharedFunctions } from '#domain/permissions/permissions.ts'
import type { Caller, UsedApiToken } from '#server/http/call/caller.ts'
import type { ApiTokenFinder } from './apiTokenFinder.store.ts'
import { authorityOf, type RightsDeps } from './signedInUser.ts'
import type { SignInStore, UserRow } from './signIn.store.ts'

export interface CallerFinderDeps extends RightsDeps {
  readonly store: Pick<SignInStore, 'findByToken'> & { readonly findByApiToken: ApiTokenFinder }
}

export interface FoundCaller {
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
  readonly hasHalf: (bindingHash: Buffer) => boolean
}

/** Finds who makes a call by the token of a session or a program, with their permissions at this moment. */
export function createCallerFinder(deps: CallerFinderDeps) {
  const { store } = deps

  async function find({ hash, isApiToken, hasHalf }: Shown): Promise<FoundCaller | 'bound elsewhere' | undefined> {
    if (isApiToken) return byApiToken(hash)
    const user = await store.findByToken(hash)
    if (!user) return undefined
    if (user.bindingHash !== null && !hasHalf(user.bindingHash)) return 'bound elsewhere'
    const isPlainClient = user.bindingHash === null
    return { user, authority: authorityOf(user, deps), isFresh: user.isFresh, isPlainClient }
  }

  /** Finds the caller of an API token, with the permissions that token, user and maker all have. */
  async function byApiToken(hash: Buffer): Promise<FoundCaller | undefined> {
    const found = await store.findByApiToken(hash)
    if (!found) return undefined
    const { user, maker, customerId, apiToken } = found
    const authority = sharedAuthority(authorityOf(user, deps), maker && authorityOf(maker, deps), customerId)
    return authority && { user, authority, apiToken, isFresh: apiToken.withFreshFactor, isPlainClient: false }
  }

  return {
    find,

    callerOf: async (shown: Shown, address: string): Promise<Caller | undefined> => {
      const found = await find(shown)
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
    },
  }
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
