import { z } from 'zod'
import { call, nothing } from '#contract/call/call.ts'
import { challengeValue, codeValue, momentValue, SECRETS, textValue } from '#contract/call/values.ts'
import { factorName } from './factorName.ts'
import { passkeyAnswer } from './passkeys.ts'
import { signedInUser } from './signedInUser.ts'

export const login = call({
  method: 'POST',
  path: 'App/Login',
  summary: 'Sign in with username and password; answers the user and an access token.',
  permission: 'public',
  body: z.strictObject({ username: textValue(254).min(1), password: z.string().min(1).max(1024).register(SECRETS) }),
  answer: signedInUser.extend({ accessToken: z.string() }),
  errors: [
    'wrong_credentials',
    'second_factor_required',
    'factor_enrolment_required',
    'provider_only',
    'bound_sign_in_only',
    'too_many_requests',
  ],
  changes: { action: 'Sign in', entity: 'Session' },
  knowsBrowser: true,
  beginsSession: true,
})

export const loginSecondFactor = call({
  method: 'POST',
  path: 'App/LoginSecondFactor',
  summary:
    'End a sign-in that `App/Login` answered with `second_factor_required`, by a one-time code, a recovery code or a passkey. The challenge works once.',
  permission: 'public',
  body: z.strictObject({
    username: textValue(254).min(1),
    challenge: challengeValue,
    code: codeValue.optional(),
    passkey: passkeyAnswer.optional(),
  }),
  answer: signedInUser.extend({ accessToken: z.string() }),
  errors: ['challenge_not_valid', 'wrong_second_factor', 'provider_only', 'bound_sign_in_only', 'too_many_requests'],
  changes: { action: 'Sign in', entity: 'Session' },
  knowsBrowser: true,
  beginsSession: true,
})

export const loginNewFactor = call({
  method: 'POST',
  path: 'App/LoginNewFactor',
  summary:
    'End a sign-in that `App/Login` answered with `factor_enrolment_required`, by the first code of the authenticator app that it gave the key of. Answers the recovery codes too, this once.',
  permission: 'public',
  body: z.strictObject({
    username: textValue(254).min(1),
    challenge: challengeValue,
    code: codeValue,
    name: factorName,
  }),
  answer: signedInUser.extend({ accessToken: z.string(), recoveryCodes: z.array(z.string()) }),
  errors: ['challenge_not_valid', 'wrong_second_factor', 'provider_only', 'bound_sign_in_only', 'too_many_requests'],
  changes: { action: 'Sign in', entity: 'Session' },
  knowsBrowser: true,
  beginsSession: true,
})

export const getOfferedUsers = call({
  method: 'GET',
  path: 'App/GetOfferedUsers',
  summary: 'Whom the sign-in page offers by name: the users of the demo, and nobody anywhere else.',
  permission: 'public',
  shows: [],
  answer: z.array(z.object({ username: z.string(), roleName: z.string() })),
  errors: ['too_many_requests'],
})

export const logout = call({
  method: 'POST',
  path: 'App/Logout',
  summary: 'End this session; its token dies at once.',
  permission: 'signedIn',
  answer: nothing,
  changes: { action: 'Sign out', entity: 'Session' },
})

/** A visit ends half an hour after the last thing that the user did. Programs make no visits. */
export const getLastVisit = call({
  method: 'GET',
  path: 'App/GetLastVisit',
  summary: 'When the visit before this one ended; null in the first visit. It notes that the user is here.',
  permission: 'signedIn',
  shows: [],
  answer: z.object({ before: momentValue.nullable() }),
})

export const getClientAuthData = call({
  method: 'GET',
  path: 'App/GetClientAuthData',
  summary: 'Who is signed in, as of now. The token is left out; the one in use stays valid.',
  permission: 'signedIn',
  shows: ['User', 'Role', 'Customer'],
  answer: signedInUser,
})
