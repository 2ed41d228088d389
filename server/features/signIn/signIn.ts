import { isReachedByTls } from '#server/network/publicAddress.ts'
import type { Given } from '../feature.ts'
import { apiTokenFinder } from './apiTokenFinder.store.ts'
import { createAttemptStore } from './attempts.store.ts'
import { createBrowserKeys } from './browserKeys.store.ts'
import { expiredSignInsJob } from './expiredSignIns.store.ts'
import { whyGuessable } from './guessing.ts'
import { createKnownBrowsers } from './knownBrowsers.ts'
import { createPasswordProof } from './passwordProof.ts'
import { hashPassword } from './passwords.ts'
import type { SecondFactor } from './secondFactor.ts'
import { createSessionStart } from './sessionStart.ts'
import { signInRoutes } from './signIn.routes.ts'
import { createSignInService } from './signIn.service.ts'
import { createSignInStore } from './signIn.store.ts'
import { newApiToken, tokenHash } from './tokens.ts'

type Needs = Pick<Given, 'pool' | 'db' | 'config' | 'clock' | 'offeredUsers'> & { readonly secondFactor: SecondFactor }

/** Who somebody is. */
export function signInFeature({ pool, db, config, clock, offeredUsers = [], secondFactor }: Needs) {
  const { labUsers, internalUsers, sessionIdleHours: idleHours, sessionLongestHours: longestHours } = config
  const store = createSignInStore(db, pool, { idleHours, longestHours })
  const findByApiToken = apiTokenFinder(db, pool)
  const attempts = createAttemptStore(db)
  const passwords = createPasswordProof({ store, attempts })
  const browsers = createKnownBrowsers({
    keys: createBrowserKeys(db),
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
    likelyCaller: signIn.likelyCaller,
    reauthenticate: signIn.reauthenticate,
    recogniseBrowser: browsers.recognise,
    tokens: { newApiToken, tokenHash },
    /** What setting a password takes. */
    passwords: {
      hashPassword,
      whyGuessable,
      tokenHash,
      prove: passwords.prove,
      forgiveAccount: attempts.forgiveAccount,
    },
  }
}
