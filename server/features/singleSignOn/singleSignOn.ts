import { createPeopleTurn } from '#server/people/peopleChange.store.ts'
import type { Given } from '../feature.ts'
import { createAttemptSeal } from './attemptSeal.ts'
import { createAttemptTaking } from './attemptTaking.store.ts'
import { createProviderClient } from './providerClient.ts'
import { createProviderSignIn, type ProviderSignInNeeds } from './providerSignIn.service.ts'
import { createProviders } from './providers.service.ts'
import { createProviderStore } from './providers.store.ts'
import { createPeopleStore } from './signedInPeople.store.ts'
import { singleSignOnRoutes } from './singleSignOn.routes.ts'

type Needs = Pick<Given, 'db' | 'callOutside' | 'addresses' | 'cipher'> & {
  readonly sessions: Pick<ProviderSignInNeeds, 'beginWithin'> & {
    readonly keys: Parameters<typeof createAttemptSeal>[0]
  }
}

/** Signing in by an identity provider, by OpenID Connect. */
export function singleSignOnFeature({ db, callOutside, addresses, cipher, sessions }: Needs) {
  const store = createProviderStore(db, cipher)
  const client = createProviderClient(callOutside)
  const callback = () => new URL('/signed-in', addresses().httpUrl).href
  return {
    routes: singleSignOnRoutes({
      callback,
      providers: createProviders({ store, client }),
      signIn: createProviderSignIn({
        providers: store,
        people: createPeopleStore(db),
        client,
        attempts: createAttemptSeal(sessions.keys),
        takeAttempt: createAttemptTaking(db),
        inTurn: createPeopleTurn(db),
        beginWithin: sessions.beginWithin,
        callback,
      }),
    }),
  }
}
