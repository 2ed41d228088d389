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
  /** They have proved lately who they are; a program is given that, or not, when its token is made. */
  readonly isFresh: boolean
  /** It is a session, and bound to no browser. */
  readonly isPlainClient: boolean
  readonly authority: Authority
  readonly apiToken?: UsedApiToken
}

/** By what somebody shows who they are. */
interface Shown {
  /** Of the token. */
  readonly hash: Buffer
  readonly isApiToken: boolean
  /** Whether the other half of a bound session came with it. */
  readonly hasHalf: (bindingHash: Buffer) => boolean
}

/** Who makes a call, by the token of a session or of a program, with what they may do at this moment. */
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

  /** With what it, its user and its maker may all do. */
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
      // Bound elsewhere, it is a copy of a token: the session goes on in its own browser.
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
 * What a token may do: as its user, within one customer where it is made for one, and no more than its maker.
 *
 * @param maker absent: the user themselves
 * @returns undefined where user, maker and customer do not belong together any more
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
