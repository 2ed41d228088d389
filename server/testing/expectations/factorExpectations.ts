import { createHash, randomBytes, randomUUID } from 'node:crypto'
import type pg from 'pg'
import { passwordStampOf } from '#server/features/people/signIn/browserCookie.ts'
import { PASSWORD } from '#server/testing/callers.ts'
import { codeAt } from '#server/testing/people/oneTimeCode.ts'
import type { Expectation } from './expectation.ts'

const NEVER = 2_000_000_000
const SECRET = randomBytes(20)
const RECOVERY_CODE = 'abcd-efgh-jkmn-pqrs'
const PASSKEY = { credentialId: 'AAAA', clientDataJSON: 'AAAA', attestationObject: 'AAAA', transports: [] }
const sha256 = (text: string) => createHash('sha256').update(text).digest()

/** Expectations about second factors, and about proving one's identity again. */
export function factorExpectations(pool: () => pg.Pool): Readonly<Record<string, Expectation>> {
  let username = ''
  let challenge = ''

  /** Adds a user without a password, who is at the second step of a sign-in. */
  async function addSignIn() {
    username = `${randomUUID()}@a.example`
    challenge = randomBytes(32).toString('base64url')
    await pool().query(
      `with role as (insert into app_role (name) values ($1) returning id),
       person as (insert into app_user (username, role_id) select $1, id from role returning id),
       factor as (insert into user_factor (user_id, kind, name, secret)
         select id, 'authenticator', 'Phone', '\\x00' from person),
       code as (insert into recovery_code (user_id, code_hash) select id, $2 from person)
       insert into factor_challenge (token_hash, user_id, purpose, password_stamp, expires_at)
         select $3, id, 'sign in', $4, now() + interval '1 minute' from person`,
      [
        username,
        sha256(RECOVERY_CODE.replaceAll('-', '')),
        sha256(challenge),
        passwordStampOf({ passwordHash: null, hasFactor: true }),
      ],
    )
  }

  return {
    'App/LoginSecondFactor': {
      allowed: 'everybody',
      asked: () => ({ method: 'POST', body: { username, challenge, code: RECOVERY_CODE } }),
      prepare: addSignIn,
    },
    'App/LoginNewFactor': {
      allowed: 'everybody',
      asked: () => ({
        method: 'POST',
        body: { username, challenge, code: codeAt(SECRET, Date.now()), name: 'Phone' },
      }),
      prepare: async () => {
        await addSignIn()
        const begun = [sha256(challenge), SECRET]
        await pool().query(
          `update factor_challenge set purpose = 'enrolment', secret = $2 where token_hash = $1`,
          begun,
        )
      },
    },
    'App/StepUp': { allowed: 'signedIn', asked: () => ({ method: 'POST', body: { password: PASSWORD } }) },
    'App/GetStepUpWays': { allowed: 'signedIn', asked: () => ({}) },
    'App/GetFactorList': { allowed: 'signedIn', asked: () => ({}) },
    'App/GetNewAuthenticator': { allowed: 'signedIn', asked: () => ({}) },
    'App/AddAuthenticator': {
      allowed: 'signedIn',
      asked: () => ({ method: 'POST', body: { challenge: 'A'.repeat(43), name: 'Phone', code: '123456' } }),
      refusal: 'challenge_not_valid',
    },
    'App/GetNewPasskey': { allowed: 'signedIn', asked: () => ({}) },
    'App/AddPasskey': {
      allowed: 'signedIn',
      asked: () => ({ method: 'POST', body: { challenge: 'A'.repeat(43), name: 'Key', passkey: PASSKEY } }),
      refusal: 'challenge_not_valid',
    },
    'App/RemoveFactor': {
      allowed: 'signedIn',
      asked: () => ({ method: 'POST', body: { id: NEVER } }),
      refusal: 'not_found',
    },
    'App/RenewRecoveryCodes': { allowed: 'signedIn', asked: () => ({ method: 'POST' }), refusal: 'not_found' },
  }
}
