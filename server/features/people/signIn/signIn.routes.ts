import {
  getClientAuthData,
  getOfferedUsers,
  login,
  loginNewFactor,
  loginSecondFactor,
  logout,
} from '#contract/http/people/signIn.ts'
import { publicRoute, type Route, route } from '#server/http/call/route.ts'
import type { SignInService } from './signIn.service.ts'

export const signInRoutes = (signIn: SignInService): readonly Route[] => [
  publicRoute(login, async ({ body, client, change, setHeader }) => {
    const { answer, cookies } = await signIn.login(body, client, change)
    for (const cookie of cookies) setHeader('set-cookie', cookie)
    return answer
  }),
  publicRoute(loginSecondFactor, async ({ body, client, change, setHeader }) => {
    const { answer, cookies } = await signIn.loginSecondFactor(body, client, change)
    for (const cookie of cookies) setHeader('set-cookie', cookie)
    return answer
  }),
  publicRoute(loginNewFactor, async ({ body, client, change, setHeader }) => {
    const { answer, cookies } = await signIn.loginNewFactor(body, client, change)
    for (const cookie of cookies) setHeader('set-cookie', cookie)
    return answer
  }),
  publicRoute(getOfferedUsers, () => signIn.offered()),
  route(logout, async ({ caller, change, setHeader }) => {
    for (const cookie of await signIn.logout(caller, change)) setHeader('set-cookie', cookie)
    return {}
  }),
  route(getClientAuthData, ({ caller }) => signIn.describe(caller)),
]
