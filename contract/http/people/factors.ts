import { z } from 'zod'
import { call, nothing } from '#contract/call/call.ts'
import { challengeValue, codeValue, momentValue, SECRETS, userIdValue } from '#contract/call/values.ts'
import { factorName } from './factorName.ts'
import { passkeyAnswer, passkeysRequested } from './passkeys.ts'

/** `password` is offered only to users without a factor. */
export const FACTOR_WAYS = ['password', 'authenticator', 'passkey', 'recoveryCode'] as const
export type FactorWay = (typeof FACTOR_WAYS)[number]

export const stepUp = call({
  method: 'POST',
  path: 'App/StepUp',
  summary:
    'Prove once more who one is, for the calls that ask for it: by a passkey, a one-time code or a recovery code, or by the password where one has no second factor. Counts for 15 minutes of this session.',
  permission: 'signedIn',
  body: z.strictObject({
    password: z.string().min(1).max(1024).register(SECRETS).optional(),
    code: codeValue.optional(),
    passkey: passkeyAnswer.optional(),
    /** The challenge that the passkey answers, from `App/GetStepUpWays`. */
    challenge: challengeValue.optional(),
  }),
  answer: nothing,
  errors: ['challenge_not_valid', 'wrong_second_factor', 'too_many_requests'],
  changes: { action: 'Update', entity: 'Session' },
})

export const getStepUpWays = call({
  method: 'GET',
  path: 'App/GetStepUpWays',
  summary: 'By what one can prove once more who one is.',
  permission: 'signedIn',
  shows: ['User'],
  answer: z.object({
    /** True when the user has proved it within the last 15 minutes, so that no call asks now. */
    isFresh: z.boolean(),
    ways: z.array(z.enum(FACTOR_WAYS)),
    /** Present when the way `passkey` is possible. */
    passkeys: passkeysRequested.extend({ challenge: z.string() }).optional(),
  }),
})

export const factor = z.object({
  id: z.number().int(),
  kind: z.enum(['authenticator', 'passkey']),
  name: z.string(),
  added: momentValue,
  lastUsed: momentValue.nullable(),
})
export type Factor = z.output<typeof factor>

export const listFactors = call({
  method: 'GET',
  path: 'App/GetFactorList',
  summary: "One's own second factors, the oldest first.",
  permission: 'signedIn',
  shows: ['User'],
  answer: z.object({
    factors: z.array(factor),
    recoveryCodesLeft: z.number().int(),
    /** The origin at which the console must be open to add a passkey; null when passkeys are not possible. */
    passkeyOrigin: z.string().nullable(),
  }),
})

export const getNewAuthenticator = call({
  method: 'GET',
  path: 'App/GetNewAuthenticator',
  summary: 'A new secret for an authenticator app. It counts once a code of it has come back, within ten minutes.',
  permission: 'signedIn',
  shows: [],
  /** The secret in Base32, to be typed; the address `otpauth://…` contains it too, for a QR code. */
  answer: z.object({ challenge: z.string(), secret: z.string(), uri: z.string() }),
  givesSecret: true,
  stepUp: 'always',
})

export const addAuthenticator = call({
  method: 'POST',
  path: 'App/AddAuthenticator',
  summary:
    'Add an authenticator app by its first code. With the first factor come ten recovery codes, shown this once.',
  permission: 'signedIn',
  body: z.strictObject({ challenge: challengeValue, name: factorName, code: codeValue }),
  answer: z.object({ recoveryCodes: z.array(z.string()) }),
  errors: ['challenge_not_valid', 'wrong_second_factor', 'too_many_factors', 'too_many_requests'],
  changes: { action: 'Update', entity: 'User' },
  stepUp: 'always',
})

export const removeFactor = call({
  method: 'POST',
  path: 'App/RemoveFactor',
  summary: "Remove one of one's own second factors; with the last one the recovery codes are gone.",
  permission: 'signedIn',
  body: z.strictObject({ id: z.int32().positive() }),
  answer: nothing,
  errors: ['not_found', 'factor_needed'],
  changes: { action: 'Update', entity: 'User' },
  stepUp: 'always',
})

export const renewRecoveryCodes = call({
  method: 'POST',
  path: 'App/RenewRecoveryCodes',
  summary: 'Ten new recovery codes, shown this once; those of before end.',
  permission: 'signedIn',
  answer: z.object({ recoveryCodes: z.array(z.string()) }),
  errors: ['not_found'],
  changes: { action: 'Update', entity: 'User' },
  stepUp: 'always',
})

export const resetFactors = call({
  method: 'POST',
  path: 'AppUser/ResetFactors',
  summary: 'Take all second factors of somebody away who has lost them; their sessions end.',
  permission: 'admin',
  body: z.strictObject({ id: userIdValue }),
  answer: nothing,
  errors: ['not_found', 'no_second_factor'],
  changes: { action: 'Update', entity: 'User' },
  stepUp: 'always',
})
