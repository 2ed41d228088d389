import type { AnswerOf } from '#contract/call/call.ts'
import type { SignedInUser } from '#contract/http/people/signedInUser.ts'
import type { getOfferedUsers } from '#contract/http/people/signIn.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError } from '#server/http/call/callError.ts'
import type { Caller } from '#server/http/call/caller.ts'
import type { ChangeRecord, Client } from '#server/http/call/route.ts'
import { passwordStampOf } from './browserCookie.ts'
import { type CallerFinderDeps, createCallerFinder } from './callerFinder.ts'
import type { KnownBrowsers } from './knownBrowsers.ts'
import type { PasswordProof } from './passwordProof.ts'
import type { FactorGiven, SecondFactor } from './secondFactor.ts'
import { bringsHalf, unboundCookie } from './sessionBinding.ts'
import { aboutOf, type createSessionStart, type StartedSession } from './sessionStart.ts'
import { signedInUser } from './signedInUser.ts'
import type { Proof, SignInStore, UserRow } from './signIn.store.ts'
import { isApiToken, tokenHash } from './tokens.ts'

export interface SignInDeps extends CallerFinderDeps {
  readonly store: SignInStore & CallerFinderDeps['store']
  readonly passwords: PasswordProof
  readonly secondFactor: SecondFactor
  readonly browsers: Pick<KnownBrowsers, 'cookieFor' | 'ready'>
  readonly beginSession: ReturnType<typeof createSessionStart>
  /** Usernames in lower case that the sign-in page offers. */
  readonly offeredUsers: readonly string[]
}

export interface SignInService {
  readonly login: (
    given: { readonly username: string; readonly password: string },
    client: Client,
    change: ChangeRecord,
  ) => Promise<StartedSession>
  /** Completes what `login` refused with `second_factor_required`. */
  readonly loginSecondFactor: (
    given: FactorGiven & { readonly username: string },
    client: Client,
    change: ChangeRecord,
  ) => Promise<StartedSession>
  /** Completes what `login` refused with `factor_enrolment_required`. */
  readonly loginNewFactor: (
    given: Readonly<Record<'username' | 'challenge' | 'code' | 'name', string>>,
    client: Client,
    change: ChangeRecord,
  ) => Promise<StartedSession & { readonly answer: { readonly recoveryCodes: string[] } }>
  /** Lists the users that the sign-in page offers, in the order of the setting. */
  readonly offered: () => Promise<AnswerOf<typeof getOfferedUsers>>
  /** @returns values of the header `Set-Cookie` */
  readonly logout: (caller: Caller, change: ChangeRecord) => Promise<readonly string[]>
  /** @param cookies the `Cookie` header, which must bring the cookie that the session is bound to */
  readonly authenticate: (token: string, client: Client, cookies: string | undefined) => Promise<Caller | undefined>
  /** Reads the caller's permissions again; undefined when the session has ended. */
  readonly reauthenticate: (caller: Caller) => Promise<Caller | undefined>
  readonly describe: (caller: Caller) => Promise<SignedInUser>
}

export function createSignInService(deps: SignInDeps): SignInService {
  const { store, passwords, browsers, beginSession, secondFactor } = deps

  const callers = createCallerFinder(deps)

  /** Completes a sign-in: the proof is used up in the transaction that opens the session. */
  async function enter<Taken>(
    { username, client, change }: { readonly username: string; readonly client: Client; readonly change: ChangeRecord },
    prove: (
      user: UserRow,
      passwordStamp: string,
    ) => Promise<{ readonly by: Proof['by']; readonly take: (transaction: Tx) => Promise<Taken> }>,
  ): Promise<StartedSession & { readonly taken: Taken }> {
    change.about({ name: username }, { username })
    const [found, accountId] = await Promise.all([store.findByUsername(username), store.accountId(), browsers.ready()])
    if (!found) throw new CallError('challenge_not_valid')
    const { passwordHash, hasToUseProvider, ...user } = found
    if (hasToUseProvider) throw new CallError('provider_only')
    const { by, take } = await prove(user, passwordStampOf(found))
    const provedUser = { ...user, hasFactor: true }
    const passwordStamp = passwordStampOf({ ...provedUser, passwordHash })
    const cookie = await browsers.cookieFor({ username, passwordStamp, browser: client.browser })
    return store.transaction(async (transaction) => {
      const taken = await take(transaction)
      const proof = { user: provedUser, by }
      const { answer, cookies } = await beginSession.within(transaction, { proof, client, change, accountId })
      return { answer, cookies: [...cookies, cookie], taken }
    })
  }

  return {
    login: async ({ username, password }, client, change) => {
      change.about({ name: username }, { username })
      const { browser } = client
      const attempt = { username, address: client.address, browser }
      const [{ forgiving, passwordStamp, hasToUseProvider, ...proof }, accountId] = await Promise.all([
        passwords.prove(attempt, password),
        store.accountId(),
        browsers.ready(),
      ])
      const { user } = proof
      if (user.hasFactor && !hasToUseProvider) {
        change.about(...aboutOf(user))
        const asked = await secondFactor.begin(user.id, { passwordStamp, browser }, forgiving)
        throw new CallError('second_factor_required', undefined, { secondFactor: asked })
      }
      if (user.isFactorOverdue && !hasToUseProvider) {
        change.about(...aboutOf(user))
        const asked = await secondFactor.beginEnrolment(user, { passwordStamp, browser }, forgiving)
        throw new CallError('factor_enrolment_required', undefined, { secondFactor: asked })
      }
      const cookie = await browsers.cookieFor({ username, passwordStamp, browser })
      try {
        if (hasToUseProvider) throw new CallError('provider_only')
        const { answer, cookies } = await beginSession.atOnce({ proof, client, change, accountId }, [forgiving])
        return { answer, cookies: [...cookies, cookie] }
      } catch (refusal) {
        // The password was right, so this was no guess.
        if (refusal instanceof CallError) await store.transaction((transaction) => transaction.executeQuery(forgiving))
        throw refusal
      }
    },

    loginSecondFactor: async ({ username, ...given }, client, change) => {
      const { answer, cookies } = await enter({ username, client, change }, (user, passwordStamp) =>
        secondFactor.prove(user.id, { ...given, passwordStamp }),
      )
      return { answer, cookies }
    },

    loginNewFactor: async ({ username, ...given }, client, change) => {
      const { answer, cookies, taken } = await enter({ username, client, change }, (user, passwordStamp) =>
        secondFactor.enrol(user.id, { ...given, passwordStamp }),
      )
      return { answer: { ...answer, recoveryCodes: taken }, cookies }
    },

    offered: async () => {
      const { offeredUsers } = deps
      const found = offeredUsers.length === 0 ? [] : await store.findRoles(offeredUsers)
      const place = ({ username }: { readonly username: string }) => offeredUsers.indexOf(username.toLowerCase())
      return found.toSorted((a, b) => place(a) - place(b))
    },

    logout: (caller, change) =>
      store.transaction(async (transaction) => {
        const sessionHash = Buffer.from(caller.sessionHash, 'hex')
        const wasBound = await store.endSession(sessionHash, transaction)
        await change.done(transaction, {
          id: caller.userId,
          name: caller.username,
          customerId: caller.customerId ?? null,
        })
        return wasBound ? [unboundCookie(sessionHash)] : []
      }),

    authenticate: (token, client, cookies) => {
      const hash = tokenHash(token)
      const hasHalf = (bindingHash: Buffer) => bringsHalf(cookies, hash, bindingHash)
      return callers.callerOf({ hash, isApiToken: isApiToken(token), hasHalf }, client.address)
    },

    reauthenticate: (caller) => callers.callerOf(shownBy(caller), caller.address),

    describe: async (caller) => {
      const [found, accountId] = await Promise.all([callers.find(shownBy(caller)), store.accountId()])
      if (!found || found === 'bound elsewhere') throw new CallError('sign_in_required')
      return signedInUser(found.user, found.authority, accountId)
    },
  }
}

/** The request brought the session cookie when it came, so it is not checked again. */
const shownBy = ({ sessionHash, apiToken }: Caller) => ({
  hash: Buffer.from(sessionHash, 'hex'),
  isApiToken: apiToken !== undefined,
  hasHalf: () => true,
})
