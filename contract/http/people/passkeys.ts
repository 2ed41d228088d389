import { z } from 'zod'
import { call } from '#contract/call/call.ts'
import { challengeValue, textValue } from '#contract/call/values.ts'
import { factorName } from './factorName.ts'

const base64Url = (maximumLength: number) =>
  z
    .string()
    .max(maximumLength)
    .regex(/^[A-Za-z0-9_-]+$/)

/** WebAuthn allows at most 1023 bytes. */
const credentialId = base64Url(1364)

/** The answer of a passkey to a challenge, as browsers return it (WebAuthn), without the parts that nobody reads. */
export const passkeyAnswer = z.strictObject({
  credentialId,
  clientDataJSON: base64Url(900),
  authenticatorData: base64Url(200),
  /** An RSA signature with 2048 bits has 342 characters. */
  signature: base64Url(400),
})
export type PasskeyAnswer = z.output<typeof passkeyAnswer>

/** These passkeys may answer a challenge, and know this server under this name. */
export const passkeysRequested = z.object({
  rpId: z.string(),
  credentials: z.array(z.object({ id: z.string(), transports: z.array(z.string()) })),
})

export const getNewPasskey = call({
  method: 'GET',
  path: 'App/GetNewPasskey',
  summary: 'A challenge for a new passkey, with what browsers need to make one. It counts for ten minutes.',
  permission: 'signedIn',
  shows: [],
  answer: z.object({
    challenge: z.string(),
    rpId: z.string(),
    /** An authenticator tells the passkeys of different people apart by this; it means nothing elsewhere. */
    userHandle: z.string(),
    username: z.string(),
    /** The existing passkeys, so that no authenticator creates a second one. */
    credentialIds: z.array(z.string()),
  }),
  errors: ['passkeys_not_possible'],
  stepUp: 'always',
})

export const addPasskey = call({
  method: 'POST',
  path: 'App/AddPasskey',
  summary:
    'Add a passkey that was made for a challenge. With the first factor come ten recovery codes, shown this once.',
  permission: 'signedIn',
  body: z.strictObject({
    challenge: challengeValue,
    name: factorName,
    passkey: z.strictObject({
      credentialId,
      clientDataJSON: base64Url(1000),
      attestationObject: base64Url(8000),
      transports: z.array(textValue(20)).max(10),
    }),
  }),
  answer: z.object({ recoveryCodes: z.array(z.string()) }),
  errors: ['challenge_not_valid', 'wrong_second_factor', 'passkeys_not_possible', 'too_many_factors'],
  changes: { action: 'Update', entity: 'User' },
  stepUp: 'always',
})
