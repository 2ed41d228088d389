import { getClientAuthData, login, logout } from '#contract/http/app.ts'
import { publicRoute, type Route, route } from '#server/http/route.ts'
import type { SignInService } from './signIn.service.ts'

export const signInRoutes = (signIn: SignInService): readonly Route[] => [
  publicRoute(login, ({ body, client, change }) => signIn.login(body, client, change)),
  route(logout, async ({ caller, change }) => {
    await signIn.logout(caller, change)
    return {}
  }),
  route(getClientAuthData, ({ caller }) => signIn.describe(caller)),
]
