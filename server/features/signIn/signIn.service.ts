import type { AnswerOf } from '#contract/call/call.ts'
import type { getOfferedUsers, SignedInUser } from '#contract/http/app.ts'
import type { UserId } from '#domain/ids.ts'
import { type Authority, isAllowed } from '#domain/permissions/permissions.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError } from '#server/http/call/callError.ts'
import type { Caller } from '#server/http/call/caller.ts'
import type { ChangeRecord, Client } from '#server/http/call/route.ts'
import { passwordStampOf } from './browserCookie.ts'
import type { KnownBrowsers } from './knownBrowsers.ts'
import { LikelyCallers } from './LikelyCallers.ts'
import type { PasswordProof } from './passwordProof.ts'
import type { FactorGiven, SecondFactor } from './secondFactor.ts'
import type { Proof, SignInStore, UserRow } from './signIn.store.ts'
import { newToken, tokenHash } from './tokens.ts'

export interface SignInNeeds {
  readonly store: SignInStore
  readonly passwords: PasswordProof
  readonly secondFactor: SecondFactor
  readonly browsers: Pick<KnownBrowsers, 'cookieFor' | 'ready'>
  /** Usernames in lower case (`WAYSIDE_LAB_USERS`, `WAYSIDE_INTERNAL_USERS`). */
  readonly labUsers: readonly string[]
  readonly internalUsers: readonly string[]
  /** Usernames in lower case that the sign-in page offers. */
  readonly offeredUsers: readonly string[]
}

interface SignedIn {
  readonly answer: SignedInUser & { readonly accessToken: string }
  readonly cookie: string
}

export interface SignInService {
  readonly login: (
    given: { readonly username: string; readonly password: string },
    client: Client,
    change: ChangeRecord,
  ) => Promise<SignedIn>
  /** Ends what `login` refused with `second_factor_required`. */
  readonly loginSecondFactor: (
    given: FactorGiven & { readonly username: string },
    client: Client,
    change: ChangeRecord,
  ) => Promise<SignedIn>
  /** Ends what `login` refused with `factor_enrolment_required`. */
  readonly loginNewFactor: (
    given: Readonly<Record<'username' | 'challenge' | 'code' | 'name', string>>,
    client: Client,
    change: ChangeRecord,
  ) => Promise<SignedIn & { readonly answer: { readonly recoveryCodes: string[] } }>
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
  const { store, passwords, browsers, secondFactor } = needs

  const likely = new LikelyCallers()

  async function callerOf(hash: Buffer, address: string): Promise<Caller | undefined> {
    const user = await store.findByToken(hash)
    const sessionHash = hash.toString('hex')
    if (!user) return likely.forget(sessionHash)
    return likely.remember({
      ...authorityOf(user, needs),
      userId: user.id,
      username: user.username,
      roleId: user.roleId,
      sessionHash,
      freshFactor: user.isFresh,
      address,
    })
  }

  /** The second half of a sign-in: what proves it is used up in the transaction that opens the session. */
  async function enter<Taken>(
    { username, client, change }: { readonly username: string; readonly client: Client; readonly change: ChangeRecord },
    prove: (
      user: UserRow,
      passwordStamp: string,
    ) => Promise<{ readonly by: Proof['by']; readonly take: (transaction: Tx) => Promise<Taken> }>,
  ): Promise<SignedIn & { readonly taken: Taken }> {
    change.about({ name: username }, { username })
    const [found, accountId] = await Promise.all([store.findByUsername(username), store.accountId(), browsers.ready()])
    if (!found) throw new CallError('challenge_not_valid')
    const { passwordHash, ...user } = found
    const passwordStamp = passwordStampOf(passwordHash ?? '')
    const { by, take } = await prove(user, passwordStamp)
    const accessToken = newToken()
    const cookie = await browsers.cookieFor({ username, passwordStamp, browser: client.browser })
    change.about(sessionOf(user), authorOf(user))
    const taken = await store.transaction(async (transaction) => {
      const used = await take(transaction)
      await store.openSessionIn(tokenHash(accessToken), { proof: { user, by }, client }, transaction)
      await change.done(transaction)
      return used
    })
    const now = { ...user, hasFactor: true }
    return { answer: { ...signedInUser(now, authorityOf(user, needs), accountId), accessToken }, cookie, taken }
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
      change.about(sessionOf(user), authorOf(user))
      if (user.hasFactor) {
        const asked = await secondFactor.begin(user.id, { passwordStamp, browser }, forgiving)
        throw new CallError('second_factor_required', undefined, { secondFactor: asked })
      }
      if (user.isFactorOverdue) {
        const asked = await secondFactor.beginEnrolment(user, { passwordStamp, browser }, forgiving)
        throw new CallError('factor_enrolment_required', undefined, { secondFactor: asked })
      }
      const accessToken = newToken()
      const cookie = await browsers.cookieFor({ username, passwordStamp, browser })
      await change.doneIn((auditRow) =>
        store.openSession(tokenHash(accessToken), { proof, client, beside: [forgiving, auditRow] }),
      )
      const answer = { ...signedInUser(user, authorityOf(user, needs), accountId), accessToken }
      return { answer, cookie }
    },

    loginSecondFactor: async ({ username, ...given }, client, change) => {
      const { answer, cookie } = await enter({ username, client, change }, (user, passwordStamp) =>
        secondFactor.prove(user.id, { ...given, passwordStamp }),
      )
      return { answer, cookie }
    },

    loginNewFactor: async ({ username, ...given }, client, change) => {
      const { answer, cookie, taken } = await enter({ username, client, change }, (user, passwordStamp) =>
        secondFactor.enrol(user.id, { ...given, passwordStamp }),
      )
      return { answer: { ...answer, recoveryCodes: taken }, cookie }
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

    authenticate: (token, client) => callerOf(tokenHash(token), client.address),

    likelyCaller: (token, client) => likely.find(tokenHash(token).toString('hex'), client.address),

    reauthenticate: ({ sessionHash, address }) => callerOf(Buffer.from(sessionHash, 'hex'), address),

    describe: async (caller) => {
      const found = store.findByToken(Buffer.from(caller.sessionHash, 'hex'))
      const [user, accountId] = await Promise.all([found, store.accountId()])
      if (!user) throw new CallError('sign_in_required')
      return signedInUser(user, authorityOf(user, needs), accountId)
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

function authorityOf(user: UserRow, { labUsers, internalUsers }: SignInNeeds): Authority {
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
    roleFunctions: [...user.functions],
    ...(user.customerId === null ? {} : { customerId: user.customerId }),
    accountId,
    isAdmin: isAllowed('admin', authority),
    isDeviceManager: isAllowed('deviceManager', authority),
    isAnalyticsUser: isAllowed('analytics', authority),
    isLab: authority.isLab,
    isInternal: authority.isInternal,
    timeZone: user.timeZone,
    ...(user.factorDueAt !== null && !user.hasFactor && { factorDueAt: user.factorDueAt.toISOString() }),
  }
}
