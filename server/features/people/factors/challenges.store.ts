import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { UserId } from '#domain/ids.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import type { Db } from '#server/db/database.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError } from '#server/http/call/callError.ts'
import type { Job } from '#server/jobs/JobRunner.ts'
import type { SecretCipher } from '#server/secrets/SecretCipher.ts'
import { secretHash } from '#server/secrets/secretHash.ts'

const TOKEN_BYTES = 32
/** People need this time to find their telephone or to set an app up. */
const LASTS_MINUTES = { 'sign in': 5, enrolment: 10, authenticator: 10, passkey: 10, 'step up': 5 } as const

/** The user, session and purpose that a challenge has to match. */
interface ChallengeFor {
  readonly purpose: keyof typeof LASTS_MINUTES
  readonly userId: UserId
  /** The session in which the challenge begins and ends, in hex. */
  readonly sessionHash?: string | undefined
}

interface NewChallenge extends ChallengeFor {
  readonly passwordStamp?: string | undefined
  readonly browser?: string | undefined
  readonly secret?: Buffer | undefined
}

const placeOf = (token: string) => `factor_challenge/${secretHash(token).toString('hex')}/secret`
const sessionOf = (sessionHash: string | undefined) =>
  sessionHash === undefined ? null : Buffer.from(sessionHash, 'hex')

/** @returns the challenge's token, of which only the hash is kept */
export async function beginChallenge(
  db: Db | Tx,
  cipher: SecretCipher,
  { purpose, userId, sessionHash, passwordStamp, browser, secret }: NewChallenge,
): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  await db
    .insertInto('factor_challenge')
    .values({
      token_hash: secretHash(token),
      user_id: userId,
      purpose,
      session_hash: sessionOf(sessionHash),
      password_stamp: passwordStamp ?? '',
      browser: browser ?? null,
      secret: secret ? cipher.encryptBytes(secret, placeOf(token)) : null,
      expires_at: sql<Date>`now() + make_interval(mins => ${LASTS_MINUTES[purpose]})`,
    })
    .execute()
  return token
}

/** @throws CallError `challenge_not_valid` when it has expired, was used, or has another user or purpose */
export async function requireChallenge(
  db: Db,
  cipher: SecretCipher,
  token: string,
  { purpose, userId, sessionHash }: ChallengeFor,
) {
  const found = await db
    .selectFrom('factor_challenge')
    .select(['password_stamp as passwordStamp', 'browser', 'secret'])
    .where('token_hash', '=', secretHash(token))
    .where('purpose', '=', purpose)
    .where('user_id', '=', userId)
    .where(sql<boolean>`session_hash is not distinct from ${sessionOf(sessionHash)}::bytea`)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst()
  if (!found) throw new CallError('challenge_not_valid')
  return { ...found, secret: found.secret && cipher.decryptBytes(found.secret, placeOf(token)) }
}

/** @throws CallError `challenge_not_valid` when it was used meanwhile */
export async function useChallenge(transaction: Tx, token: string): Promise<void> {
  const used = await transaction
    .deleteFrom('factor_challenge')
    .where('token_hash', '=', secretHash(token))
    .where('expires_at', '>', sql<Date>`now()`)
    .returning('purpose')
    .execute()
  if (used.length === 0) throw new CallError('challenge_not_valid')
}

/** Deletes challenges that nobody completed. */
export const expiredChallengesJob: Job = {
  name: 'expired challenges',
  everyMs: 10 * MINUTE_MS,
  async run(owner, now) {
    await owner.query('delete from factor_challenge where expires_at < $1', [now])
  },
}
