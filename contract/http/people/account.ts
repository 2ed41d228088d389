import { z } from 'zod'
import { call, nothing } from '#contract/call/call.ts'
import { momentValue, SECRETS, textValue, userIdValue } from '#contract/call/values.ts'
import { isTimeZone } from '#domain/units/timeZones.ts'

/** It is longer than any password may be, so that the password rule refuses it with its own sentence. */
const passwordValue = textValue(1024).min(1).register(SECRETS)
const linkTokenValue = z.string().regex(/^[A-Za-z0-9_-]{43}$/)

const sendPasswordMail = (path: string, summary: string) =>
  call({
    method: 'GET',
    path,
    summary,
    permission: 'admin',
    query: z.strictObject({ id: userIdValue }),
    /** The answer is the address that the mail goes to. */
    answer: z.string(),
    errors: ['not_found', 'user_cannot_sign_in', 'too_many_requests'],
    changes: { action: 'Send', entity: 'User' },
  })

export const sendRegistrationEmail = sendPasswordMail(
  'AppUser/SendRegistrationEmail',
  'Send a link by which a user sets the first password; it ends every earlier link.',
)
export const sendResetPasswordEmail = sendPasswordMail(
  'AppUser/SendResetPasswordEmail',
  'Send a link by which a user sets a new password; it ends every earlier link.',
)

export const changePassword = call({
  method: 'GET',
  path: 'AppUser/ChangeUserPass',
  summary: "Change one's own password; one's other sessions end. Send it by POST: addresses end up in logs.",
  permission: 'signedIn',
  query: z.strictObject({ oldPass: passwordValue, newPass: passwordValue }),
  answer: nothing,
  errors: ['wrong_old_password', 'weak_password', 'too_many_requests'],
  changes: { action: 'Update', entity: 'User' },
})

export const requestPasswordReset = call({
  method: 'POST',
  path: 'App/RequestPasswordReset',
  summary: 'Ask for a link to a new password. The answer is the same whether or not there is such a user.',
  permission: 'public',
  body: z.strictObject({ username: textValue(254).min(1) }),
  answer: nothing,
  errors: ['too_many_requests'],
  changes: { action: 'Send', entity: 'User' },
  knowsBrowser: true,
})

export const checkPasswordLink = call({
  method: 'POST',
  path: 'App/CheckPasswordLink',
  summary: 'Whose link this is, for the page that it opens. The link is not used up.',
  permission: 'public',
  shows: [],
  body: z.strictObject({ token: linkTokenValue }),
  answer: z.object({ username: z.string(), expires: momentValue }),
  errors: ['link_not_valid', 'too_many_requests'],
})

export const setPasswordByToken = call({
  method: 'POST',
  path: 'App/SetPasswordByToken',
  summary: 'Set a password by the token of a link. The link works once; all sessions of the user end.',
  permission: 'public',
  body: z.strictObject({ token: linkTokenValue, password: passwordValue }),
  answer: z.object({ username: z.string() }),
  errors: ['link_not_valid', 'weak_password', 'too_many_requests'],
  changes: { action: 'Update', entity: 'User' },
})

export const session = z.object({
  id: z.number().int(),
  /** The browser in plain words: "Firefox on Windows". */
  device: z.string(),
  address: z.string(),
  started: momentValue,
  /** Exact to the minute. */
  lastUsed: momentValue,
  /** The latest possible end; an unused session ends earlier. */
  ends: momentValue,
  isCurrent: z.boolean(),
  /** True when the session needs a cookie of its browser too; otherwise the token alone is enough. */
  isBound: z.boolean(),
})
export type Session = z.output<typeof session>

export const listSessions = call({
  method: 'GET',
  path: 'App/GetSessionList',
  summary: "One's own sessions, this one first, then by last use.",
  permission: 'signedIn',
  shows: ['Session', 'User'],
  answer: z.array(session),
})

export const endOneSession = call({
  method: 'POST',
  path: 'App/EndSession',
  summary: "End one of one's own sessions; its token dies at once.",
  permission: 'signedIn',
  body: z.strictObject({ id: z.int32().positive() }),
  answer: nothing,
  errors: ['not_found'],
  changes: { action: 'Delete', entity: 'Session' },
  stepUp: 'always',
})

export const endOtherSessions = call({
  method: 'POST',
  path: 'App/EndOtherSessions',
  summary: "End all of one's own sessions but this one.",
  permission: 'signedIn',
  answer: z.object({ endedCount: z.number().int() }),
  changes: { action: 'Delete', entity: 'Session' },
  stepUp: 'always',
})

export const listUserSessions = call({
  method: 'GET',
  path: 'AppUser/GetUserSessionList',
  summary: "Another user's sessions, by last use; of those whom the caller manages.",
  permission: 'admin',
  shows: ['Session', 'User', 'Role'],
  query: z.strictObject({ id: userIdValue }),
  answer: z.array(session),
  errors: ['not_found'],
})

export const endUserSessions = call({
  method: 'POST',
  path: 'AppUser/EndUserSessions',
  summary: 'End one session of a user, or all of them; their tokens die at once.',
  permission: 'admin',
  body: z.strictObject({
    userId: userIdValue,
    /** The id of one session of the list; without it, all end. */
    id: z.int32().positive().optional(),
  }),
  answer: z.object({ endedCount: z.number().int() }),
  errors: ['not_found'],
  changes: { action: 'Delete', entity: 'Session' },
})

export const setTimeZone = call({
  method: 'POST',
  path: 'App/SetTimeZone',
  summary: 'Choose the time zone in which oneself sees times.',
  permission: 'signedIn',
  /** An IANA name; empty means the zone of the browser. */
  body: z.strictObject({
    timeZone: textValue(64).refine((zone) => zone === '' || isTimeZone(zone), 'must be a time zone'),
  }),
  answer: nothing,
  changes: { action: 'Update', entity: 'User' },
})

export const notificationSettings = z.object({
  /** Alert e-mails; only users with the function ReceiveEmailNotifications receive any. */
  isEmailOn: z.boolean(),
  /** The recipient of these mails; if empty, none are sent. */
  email: z.string(),
  mayReceive: z.boolean(),
})
export type NotificationSettings = z.output<typeof notificationSettings>

export const getNotificationSettings = call({
  method: 'GET',
  path: 'App/GetNotificationSettings',
  summary: 'Whether and where oneself is told of alerts.',
  permission: 'signedIn',
  shows: ['User'],
  answer: notificationSettings,
})

export const setNotificationSettings = call({
  method: 'POST',
  path: 'App/SetNotificationSettings',
  summary: "Switch one's own alert e-mails on or off.",
  permission: 'signedIn',
  body: z.strictObject({ isEmailOn: z.boolean() }),
  answer: notificationSettings,
  changes: { action: 'Update', entity: 'User' },
})
