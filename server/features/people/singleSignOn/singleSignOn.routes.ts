import {
  beginProviderSignIn,
  completeProviderSignIn,
  deleteSignInProvider,
  findSignInProvider,
  listSignInProviders,
  setSignInProvider,
} from '#contract/http/people/singleSignOn.ts'
import { publicRoute, type Route, route } from '#server/http/call/route.ts'
import type { ProviderSignIn } from './providerSignIn.service.ts'
import type { ProviderService } from './providers.service.ts'

export interface SingleSignOnParts {
  readonly signIn: ProviderSignIn
  readonly providers: ProviderService
  /** Returns the address without its last part, which differs for each provider. */
  readonly callback: () => string
}

export const singleSignOnRoutes = ({ signIn, providers, callback }: SingleSignOnParts): readonly Route[] => [
  publicRoute(findSignInProvider, ({ body }) => signIn.find(body.username)),
  publicRoute(beginProviderSignIn, ({ body }) => signIn.begin(body)),
  publicRoute(completeProviderSignIn, async ({ body, client, change, setHeader }) => {
    const { answer, cookies } = await signIn.complete(body, client, change)
    for (const cookie of cookies) setHeader('set-cookie', cookie)
    return answer
  }),
  route(listSignInProviders, async () => ({ callback: callback(), providers: await providers.list() })),
  route(setSignInProvider, ({ body, caller, change }) => providers.set(body, caller, change)),
  route(deleteSignInProvider, async ({ body, change }) => {
    await providers.remove(body.id, change)
    return {}
  }),
]
