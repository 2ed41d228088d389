import type { AnswerOf } from '#contract/call/call.ts'
import type { getOfferedUsers } from '#contract/http/app.ts'
import type { SignedInUser } from '#contract/http/signIn/signedInUser.ts'
import { CallError } from '#server/http/call/callError.ts'
import type { Caller } from '#server/http/call/caller.ts'
import type { ChangeRecord, Client } from '#server/http/call/route.ts'
import type { KnownBrowsers } from './knownBrowsers.ts'
import { LikelyCallers } from './LikelyCallers.ts'
import type { PasswordProof } from './passwordProof.ts'
import { bringsHalf, unboundCookie } from './sessionBinding.ts'
import type { createSessionStart, StartedSession } from './sessionStart.ts'
import { authorityOf, type RightsNeeds, signedInUser } from './signedInUser.ts'
import type { SignInStore } from './signIn.store.ts'
import { tokenHash } from './tokens.ts'

export interface SignInNeeds extends RightsNeeds {
  readonly store: SignInStore
  readonly passwords: PasswordProof
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
  /** Whom the sign-in page offers, in the order in which they were named. */
  readonly offered: () => Promise<AnswerOf<typeof getOfferedUsers>>
  /** @returns values of the header `Set-Cookie` */
  readonly logout: (caller: Caller, change: ChangeRecord) => Promise<readonly string[]>
  /** @param cookies of the request, which have to bring the other half of a session that is bound to one */
  readonly authenticate: (token: string, client: Client, cookies: string | undefined) => Promise<Caller | undefined>
  /** Whom `authenticate` found by this token last time, with the rights of then: a guess, to be asked for. */
  readonly likelyCaller: (token: string, client: Client) => Caller | undefined
  /** The same session with the rights of now; undefined when it ended. */
  readonly reauthenticate: (caller: Caller) => Promise<Caller | undefined>
  readonly describe: (caller: Caller) => Promise<SignedInUser>
}

export function createSignInService(needs: SignInNeeds): SignInService {
  const { store, passwords, browsers, beginSession } = needs

  const likely = new LikelyCallers()

  async function callerOf(
    hash: Buffer,
    address: string,
    hasHalf: (bindingHash: Buffer) => boolean,
  ): Promise<Caller | undefined> {
    const user = await store.findByToken(hash)
    const sessionHash = hash.toString('hex')
    if (!user) return likely.forget(sessionHash)
    // A copy of its token: the session goes on in its own browser.
    if (user.bindingHash !== null && !hasHalf(user.bindingHash)) return undefined
    return likely.remember({
      ...authorityOf(user, needs),
      userId: user.id,
      username: user.username,
      roleId: user.roleId,
      sessionHash,
      address,
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
      const cookie = await browsers.cookieFor({ username, passwordStamp, browser })
      try {
        if (hasToUseProvider) throw new CallError('provider_only')
        const { answer, cookies } = await beginSession.atOnce({ proof, client, change, accountId }, [forgiving])
        return { answer, cookies: [...cookies, cookie] }
      } catch (refusal) {
        // The password was right: this was no guess.
        if (refusal instanceof CallError) await store.transaction((transaction) => transaction.executeQuery(forgiving))
        throw refusal
      }
    },

    offered: async () => {
      const { offeredUsers } = needs
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
      return callerOf(hash, client.address, (bindingHash) => bringsHalf(cookies, hash, bindingHash))
    },

    likelyCaller: (token, client) => likely.find(tokenHash(token).toString('hex'), client.address),

    // Its half was shown when its request came.
    reauthenticate: ({ sessionHash, address }) => callerOf(Buffer.from(sessionHash, 'hex'), address, () => true),

    describe: async (caller) => {
      const found = store.findByToken(Buffer.from(caller.sessionHash, 'hex'))
      const [user, accountId] = await Promise.all([found, store.accountId()])
      if (!user) throw new CallError('sign_in_required')
      return signedInUser(user, accountId, needs)
    },
  }
}
