import type { AnswerOf } from '#contract/call/call.ts'
import type { getOfferedUsers, SignedInUser } from '#contract/http/app.ts'
import type { CustomerId, UserId } from '#domain/ids.ts'
import { type Authority, isAllowed, sharedFunctions } from '#domain/permissions/permissions.ts'
import { CallError } from '#server/http/call/callError.ts'
import type { Caller, UsedApiToken } from '#server/http/call/caller.ts'
import type { ChangeRecord, Client } from '#server/http/call/route.ts'
import type { ApiTokenFinder, AuthorityRow } from './apiTokenFinder.store.ts'
import type { KnownBrowsers } from './knownBrowsers.ts'
import { LikelyCallers } from './LikelyCallers.ts'
import type { PasswordProof } from './passwordProof.ts'
import type { SignInStore, UserRow } from './signIn.store.ts'
import { isApiToken, newToken, tokenHash } from './tokens.ts'

export interface SignInNeeds {
  readonly store: SignInStore & { readonly findByApiToken: ApiTokenFinder }
  readonly passwords: PasswordProof
  readonly browsers: Pick<KnownBrowsers, 'cookieFor' | 'ready'>
  /** Usernames in lower case (`WAYSIDE_LAB_USERS`, `WAYSIDE_INTERNAL_USERS`). */
  readonly labUsers: readonly string[]
  readonly internalUsers: readonly string[]
  /** Usernames in lower case that the sign-in page offers. */
  readonly offeredUsers: readonly string[]
}

export interface SignInService {
  readonly login: (
    given: { readonly username: string; readonly password: string },
    client: Client,
    change: ChangeRecord,
  ) => Promise<{ readonly answer: SignedInUser & { readonly accessToken: string }; readonly cookie: string }>
  /** Whom the sign-in page offers, in the order in which they were named. */
  readonly offered: () => Promise<AnswerOf<typeof getOfferedUsers>>
  readonly logout: (caller: Caller, change: ChangeRecord) => Promise<void>
  readonly authenticate: (token: string, client: Client) => Promise<Caller | undefined>
  /** Whom `authenticate` found by this token last time, with the rights of then: a guess, to be asked for. */
  readonly likelyCaller: (token: string, client: Client) => Caller | undefined
  /** The same session with the rights of now; undefined when it ended. */
  readonly reauthenticate: (caller: Caller) => Promise<Caller | undefined>
  readonly describe: (caller: Caller) => Promise<SignedInUser>
}

export function createSignInService(needs: SignInNeeds): SignInService {
  const { store, passwords, browsers } = needs

  const likely = new LikelyCallers()

  async function callerOf(hash: Buffer, address: string, isToken: boolean): Promise<Caller | undefined> {
    const sessionHash = hash.toString('hex')
    const found = isToken ? await byApiToken(hash) : await bySession(hash)
    if (!found) return likely.forget(sessionHash)
    const { id: userId, username, roleId } = found.user
    const { authority, apiToken } = found
    return likely.remember({
      ...authority,
      userId,
      username,
      roleId,
      sessionHash,
      address,
      ...(apiToken && { apiToken }),
    })
  }

  async function bySession(hash: Buffer): Promise<FoundCaller | undefined> {
    const user = await store.findByToken(hash)
    return user && { user, authority: authorityOf(user, needs) }
  }

  /** With what it, its user and its maker may all do at this moment. */
  async function byApiToken(hash: Buffer): Promise<FoundCaller | undefined> {
    const found = await store.findByApiToken(hash)
    if (!found) return undefined
    const { user, maker, customerId, apiToken } = found
    const authority = sharedAuthority(authorityOf(user, needs), maker && authorityOf(maker, needs), customerId)
    return authority && { user, authority, apiToken }
  }

  return {
    login: async ({ username, password }, client, change) => {
      change.about({ name: username }, { username })
      const { browser } = client
      const attempt = { username, address: client.address, browser }
      const [{ forgiving, passwordStamp, ...proof }, accountId] = await Promise.all([
        passwords.prove(attempt, password),
        store.accountId(),
        browsers.ready(),
      ])
      const { user } = proof
      const accessToken = newToken()
      const cookie = await browsers.cookieFor({ username, passwordStamp, browser })
      change.about(sessionOf(user), authorOf(user))
      await change.doneIn((auditRow) =>
        store.openSession(tokenHash(accessToken), { proof, client, beside: [forgiving, auditRow] }),
      )
      const answer = { ...signedInUser(user, authorityOf(user, needs), accountId), accessToken }
      return { answer, cookie }
    },

    offered: async () => {
      const { offeredUsers } = needs
      const found = offeredUsers.length === 0 ? [] : await store.findRoles(offeredUsers)
      const place = ({ username }: { readonly username: string }) => offeredUsers.indexOf(username.toLowerCase())
      return found.toSorted((a, b) => place(a) - place(b))
    },

    logout: (caller, change) =>
      store.transaction(async (transaction) => {
        await store.endSession(Buffer.from(caller.sessionHash, 'hex'), transaction)
        await change.done(transaction, {
          id: caller.userId,
          name: caller.username,
          customerId: caller.customerId ?? null,
        })
      }),

    authenticate: (token, client) => callerOf(tokenHash(token), client.address, isApiToken(token)),

    likelyCaller: (token, client) => likely.find(tokenHash(token).toString('hex'), client.address),

    reauthenticate: ({ sessionHash, address, apiToken }) =>
      callerOf(Buffer.from(sessionHash, 'hex'), address, apiToken !== undefined),

    describe: async (caller) => {
      const hash = Buffer.from(caller.sessionHash, 'hex')
      const [found, accountId] = await Promise.all([
        caller.apiToken ? byApiToken(hash) : bySession(hash),
        store.accountId(),
      ])
      if (!found) throw new CallError('sign_in_required')
      return signedInUser(found.user, found.authority, accountId)
    },
  }
}

const sessionOf = (user: UserRow) => ({ id: user.id as number, name: user.username, customerId: user.customerId })

const authorOf = (
  user: UserRow,
): { userId: UserId; username: string; customerId?: NonNullable<UserRow['customerId']> } => ({
  userId: user.id,
  username: user.username,
  ...(user.customerId === null ? {} : { customerId: user.customerId }),
})

interface FoundCaller {
  readonly user: UserRow
  readonly authority: Authority
  readonly apiToken?: UsedApiToken
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

function authorityOf(user: AuthorityRow, { labUsers, internalUsers }: SignInNeeds): Authority {
  const name = user.username.toLowerCase()
  return {
    functions: user.functions,
    ...(user.customerId === null ? {} : { customerId: user.customerId }),
    isLab: user.isLab || labUsers.includes(name),
    isInternal: internalUsers.includes(name),
  }
}

function signedInUser(user: UserRow, authority: Authority, accountId: number): SignedInUser {
  return {
    id: user.id,
    username: user.username,
    email: user.email,
    firstName: user.firstName,
    lastName: user.lastName,
    roleId: user.roleId,
    roleName: user.roleName,
    roleFunctions: [...authority.functions],
    ...(authority.customerId === undefined ? {} : { customerId: authority.customerId }),
    accountId,
    isAdmin: isAllowed('admin', authority),
    isDeviceManager: isAllowed('deviceManager', authority),
    isAnalyticsUser: isAllowed('analytics', authority),
    isLab: authority.isLab,
    isInternal: authority.isInternal,
    timeZone: user.timeZone,
  }
}
