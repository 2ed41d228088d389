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
import type { ProviderClient } from './ProviderClient.ts'
import { beginSignIn, completeSignIn, findFor, type ProviderSignInParts } from './providerSignIn.ts'
import { deleteProvider, listForStaff, saveProvider } from './providers.ts'

type Deps = Pick<Given, 'db' | 'callOutside' | 'addresses' | 'cipher'> & {
  readonly sessions: Pick<ProviderSignInParts, 'beginWithin'> & { readonly keys: SealKeys }
}

/** People sign in by an identity provider, which staff set up. */
export function singleSignOnFeature({ db, callOutside, addresses, cipher, sessions }: Deps) {
  const callback = () => new URL('/signed-in', addresses().httpUrl).href
  let client: Promise<ProviderClient> | undefined
  // The library of OpenID Connect is loaded by whoever is first to use a provider.
  const openClient = () => {
    client ??= import('./ProviderClient.ts').then(({ ProviderClient }) => new ProviderClient(callOutside))
    return client
  }
  const parts = { ...sessions, db, cipher, openClient, callback }
  return {
    routes: [
      publicRoute(findSignInProvider, ({ body }) => findFor(db, body.username)),
      publicRoute(beginProviderSignIn, ({ body }) => beginSignIn(parts, body)),
      publicRoute(completeProviderSignIn, async ({ body, client, change, setHeader }) => {
        const { answer, cookies } = await completeSignIn(parts, body, client, change)
        for (const cookie of cookies) setHeader('set-cookie', cookie)
        return answer
      }),
      route(listSignInProviders, async () => ({ callback: callback(), providers: await listForStaff(db) })),
      route(setSignInProvider, ({ body, caller, change }) => saveProvider(parts, body, caller, change)),
      route(deleteSignInProvider, async ({ body, change }) => {
        await deleteProvider(parts, body.id, change)
        return {}
      }),
    ],
  }
}
