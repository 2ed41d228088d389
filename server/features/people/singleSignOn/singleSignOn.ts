import {
  beginProviderSignIn,
  completeProviderSignIn,
  deleteSignInProvider,
  findSignInProvider,
  listSignInProviders,
  setSignInProvider,
} from '#contract/http/people/singleSignOn.ts'
import type { Given } from '#server/features/feature.ts'
import { publicRoute, route } from '#server/http/call/route.ts'
import type { SealKeys } from './attemptSeal.ts'
import { ProviderClient } from './ProviderClient.ts'
import { begin, complete, findFor, type ProviderSignInParts } from './providerSignIn.ts'
import { listAll, removeOne, set } from './providers.ts'

type Deps = Pick<Given, 'db' | 'callOutside' | 'addresses' | 'cipher'> & {
  readonly sessions: Pick<ProviderSignInParts, 'beginWithin'> & { readonly keys: SealKeys }
}

/** People sign in by an identity provider, which staff set up. */
export function singleSignOnFeature({ db, callOutside, addresses, cipher, sessions }: Deps) {
  const callback = () => new URL('/signed-in', addresses().httpUrl).href
  const parts = { ...sessions, db, cipher, client: new ProviderClient(callOutside), callback }
  return {
    routes: [
      publicRoute(findSignInProvider, ({ body }) => findFor(db, body.username)),
      publicRoute(beginProviderSignIn, ({ body }) => begin(parts, body)),
      publicRoute(completeProviderSignIn, async ({ body, client, change, setHeader }) => {
        const { answer, cookies } = await complete(parts, body, client, change)
        for (const cookie of cookies) setHeader('set-cookie', cookie)
        return answer
      }),
      route(listSignInProviders, async () => ({ callback: callback(), providers: await listAll(db) })),
      route(setSignInProvider, ({ body, caller, change }) => set(parts, body, caller, change)),
      route(deleteSignInProvider, async ({ body, change }) => {
        await removeOne(parts, body.id, change)
        return {}
      }),
    ],
  }
}
