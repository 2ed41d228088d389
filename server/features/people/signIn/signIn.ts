import type { UserId } from '#domain/ids.ts'
import type { Given } from '#server/features/feature.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError } from '#server/http/call/callError.ts'
import type { ChangeRecord, Client } from '#server/http/call/route.ts'
import { isReachedByTls } from '#server/network/publicAddress.ts'
import { apiTokenFinder } from './apiTokenFinder.store.ts'
import { type Attempt, createAttemptStore } from './attempts.store.ts'
import { createBrowserKeys } from './browserKeys.store.ts'
import { expiredSignInsJob } from './expiredSignIns.store.ts'
import { createKnownBrowsers } from './knownBrowsers.ts'
import { createPasswordProof } from './passwordProof.ts'
import { whyGuessable } from './passwords/guessing.ts'
import { hashPassword } from './passwords/passwords.ts'
import type { SecondFactor } from './secondFactor.ts'
import { createSessionStart } from './sessionStart.ts'
import { signInRoutes } from './signIn.routes.ts'
import { createSignInService } from './signIn.service.ts'
import { createSignInStore } from './signIn.store.ts'
import { newApiToken, tokenHash } from './tokens.ts'

interface ProvedUser {
  readonly userId: UserId
  readonly client: Client
  readonly change: ChangeRecord
}

type Deps = Pick<Given, 'db' | 'pool' | 'config' | 'clock' | 'offeredUsers'> & { readonly secondFactor: SecondFactor }

/** Who somebody is. */
export function signInFeature({ db, pool, config, clock, offeredUsers = [], secondFactor }: Deps) {
  const { labUsers, internalUsers, sessionIdleHours: idleHours, sessionLongestHours: longestHours } = config
  const store = createSignInStore(db, pool, { idleHours, longestHours })
  const findByApiToken = apiTokenFinder(db)
  const attempts = createAttemptStore(db)
  const passwords = createPasswordProof({ store, attempts })
  const keys = createBrowserKeys(db)
  const browsers = createKnownBrowsers({
    keys,
    findByUsername: store.findByUsername,
    isSecure: isReachedByTls(config),
  })
  const rights = { labUsers, internalUsers }
  const beginSession = createSessionStart({ ...rights, store, longestHours, isReachedByTls: isReachedByTls(config) })
  const signIn = createSignInService({
    ...rights,
    store: { ...store, findByApiToken },
    passwords,
    secondFactor,
    browsers,
    beginSession,
    offeredUsers,
  })
  return {
    routes: signInRoutes(signIn),
    jobs: [clock.deleting(expiredSignInsJob)],
    authenticate: signIn.authenticate,
    reauthenticate: signIn.reauthenticate,
    recogniseBrowser: browsers.recognise,
    tokens: { newApiToken, tokenHash },
    /** What another way of signing in takes; nothing of it is made by the password. */
    sessions: {
      keys,
      /** @throws CallError `provider_refused` for whoever may not sign in */
      beginWithin: async (transaction: Tx, { userId, client, change }: ProvedUser) => {
        const [user, accountId] = [await store.findById(userId, transaction), await store.accountId()]
        if (!user) throw new CallError('provider_refused')
        return beginSession(transaction, { proof: { user, by: 'singleSignOn' }, client, change, accountId })
      },
    },
    /** What setting a password takes. */
    passwords: {
      hashPassword,
      whyGuessable,
      tokenHash,
      prove: passwords.prove,
      forgiveAccount: (transaction: Tx, attempt: Attempt) => attempts.forgiveAccount(attempt, transaction),
    },
  }
}
