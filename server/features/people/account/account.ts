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
import type { Given } from '#server/features/feature.ts'
import { publicRoute, route } from '#server/http/call/route.ts'
import { changeOwnPassword, type PasswordParts } from './passwordChange.ts'
import { checkLink, requestReset, sendLink, setPasswordByLink } from './passwordLinks.ts'
import {
  changeTimeZone,
  endAllOthers,
  endOwnSession,
  endSessionsOfUser,
  listOwnSessions,
  listSessionsOfUser,
} from './userSessions.ts'

type Deps = Pick<Given, 'db' | 'config'> & { readonly passwords: Omit<PasswordParts, 'db' | 'idleHours'> }

/** People's own passwords and sessions, and what their administrators do with them. */
export function accountFeature({ db, config, passwords }: Deps) {
  const parts = { ...passwords, db, idleHours: config.sessionIdleHours }
  return {
    routes: [
      route(changePassword, async ({ query, caller, change }) => {
        await changeOwnPassword(parts, query, caller, change)
        return {}
      }),
      route(sendRegistrationEmail, ({ query, caller, change }) => sendLink(db, 'activation', query.id, caller, change)),
      route(sendResetPasswordEmail, ({ query, caller, change }) => sendLink(db, 'reset', query.id, caller, change)),
      publicRoute(requestPasswordReset, async ({ body, client, change }) => {
        await requestReset(db, body.username, client, change)
        return {}
      }),
      publicRoute(checkPasswordLink, ({ body }) => checkLink(parts, body.token)),
      publicRoute(setPasswordByToken, ({ body, client, change }) => setPasswordByLink(parts, body, client, change)),
      route(listSessions, ({ caller }) => listOwnSessions(parts, caller)),
      route(endOneSession, async ({ body, caller, change }) => {
        await endOwnSession(parts, body.id, caller, change)
        return {}
      }),
      route(endOtherSessions, ({ caller, change }) => endAllOthers(parts, caller, change)),
      route(listUserSessions, ({ query, caller }) => listSessionsOfUser(parts, query.id, caller)),
      route(endUserSessions, ({ body, caller, change }) => endSessionsOfUser(parts, body, caller, change)),
      route(setTimeZone, async ({ body, caller, change }) => {
        await changeTimeZone(db, body.timeZone, caller, change)
        return {}
      }),
    ],
  }
}
