import {
  changePassword,
  checkPasswordLink,
  endOneSession,
  endOtherSessions,
  endUserSessions,
  listSessions,
  listUserSessions,
  requestPasswordReset,
  sendRegistrationEmail,
  sendResetPasswordEmail,
  setPasswordByToken,
  setTimeZone,
} from '#contract/http/people/account.ts'
import { publicRoute, type Route, route } from '#server/http/call/route.ts'
import type { PasswordService } from './passwords.service.ts'
import type { SessionService } from './sessions.service.ts'

export const accountRoutes = (passwords: PasswordService, sessions: SessionService): readonly Route[] => [
  route(changePassword, async ({ query, caller, change }) => {
    await passwords.change(query, caller, change)
    return {}
  }),
  route(sendRegistrationEmail, ({ query, caller, change }) =>
    passwords.sendMail('activation', query.id, caller, change),
  ),
  route(sendResetPasswordEmail, ({ query, caller, change }) => passwords.sendMail('reset', query.id, caller, change)),
  publicRoute(requestPasswordReset, async ({ body, client, change }) => {
    await passwords.requestReset(body.username, client, change)
    return {}
  }),
  publicRoute(checkPasswordLink, ({ body }) => passwords.checkLink(body.token)),
  publicRoute(setPasswordByToken, ({ body, client, change }) => passwords.setByToken(body, client, change)),
  route(listSessions, ({ caller }) => sessions.list(caller)),
  route(endOneSession, async ({ body, caller, change }) => {
    await sessions.end(body.id, caller, change)
    return {}
  }),
  route(endOtherSessions, ({ caller, change }) => sessions.endOthers(caller, change)),
  route(listUserSessions, ({ query, caller }) => sessions.listOf(query.id, caller)),
  route(endUserSessions, ({ body, caller, change }) => sessions.endOf(body, caller, change)),
  route(setTimeZone, async ({ body, caller, change }) => {
    await sessions.setTimeZone(body.timeZone, caller, change)
    return {}
  }),
]
