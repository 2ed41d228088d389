import type { Given } from '#server/features/feature.ts'
import { queuePeopleChange } from '#server/people/peopleChange.store.ts'
import { createAttemptSeal } from './attemptSeal.ts'
import { createAttemptTaking } from './attemptTaking.store.ts'
import { createProviderClient } from './providerClient.ts'
import { createProviderSignIn, type ProviderSignInDeps } from './providerSignIn.service.ts'
import { createProviders } from './providers.service.ts'
import { createProviderStore } from './providers.store.ts'
import { createPeopleStore } from './signedInPeople.store.ts'
import { singleSignOnRoutes } from './singleSignOn.routes.ts'

type Deps = Pick<Given, 'db' | 'callOutside' | 'addresses' | 'cipher'> & {
  readonly sessions: Pick<ProviderSignInDeps, 'beginWithin'> & {
    readonly keys: Parameters<typeof createAttemptSeal>[0]
  }
}

export function singleSignOnFeature({ db, callOutside, addresses, cipher, sessions }: Deps) {
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
        inTurn: (work) => queuePeopleChange(db, work),
        beginWithin: sessions.beginWithin,
        callback,
      }),
    }),
  }
}
