import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { UserId } from '#domain/ids.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import type { Db } from '#server/db/database.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Job } from '#server/jobs/JobRunner.ts'
import type { SecretCipher } from '#server/secrets/SecretCipher.ts'

const TOKEN_BYTES = 32
/** People need this time to find their telephone or to set an app up. */
const LASTS_MINUTES = { 'sign in': 5, enrolment: 10, authenticator: 10, passkey: 10, 'step up': 5 } as const

export type Purpose = keyof typeof LASTS_MINUTES

export interface ChallengeBegun {
  readonly purpose: Purpose
  readonly userId: UserId
  /** The session in which the challenge begins and ends, in hex. */
  readonly sessionHash?: string | undefined
  readonly passwordStamp?: string | undefined
  readonly browser?: string | undefined
  readonly secret?: Buffer | undefined
}

export interface Challenge {
  readonly passwordStamp: string
  readonly browser: string | null
  readonly secret: Buffer | null
}

/** The user, session and purpose that a challenge has to match. */
export type ChallengeFor = Pick<ChallengeBegun, 'purpose' | 'userId' | 'sessionHash'>

export interface ChallengeStore {
  /** @returns the challenge's token, of which only the hash is kept */
  readonly begin: (begun: ChallengeBegun, transaction?: Tx) => Promise<string>
  /** Undefined when the challenge has expired, was used, or has another user or purpose. */
  readonly find: (token: string, of: ChallengeFor) => Promise<Challenge | undefined>
  /** @returns false when it was used meanwhile */
  readonly use: (token: string, transaction: Tx) => Promise<boolean>
}

const placeOf = (token: string) => `factor_challenge/${hashOf(token).toString('hex')}/secret`
const hashOf = (token: string) => createHash('sha256').update(token).digest()
const sessionOf = (sessionHash: string | undefined) =>
  sessionHash === undefined ? null : Buffer.from(sessionHash, 'hex')

export function createChallengeStore(db: Db, cipher: SecretCipher): ChallengeStore {
  return {
    begin: async ({ purpose, userId, sessionHash, passwordStamp, browser, secret }, transaction) => {
      const token = randomBytes(TOKEN_BYTES).toString('base64url')
      await (transaction ?? db)
        .insertInto('factor_challenge')
        .values({
          token_hash: hashOf(token),
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
    },

    find: async (token, { purpose, userId, sessionHash }) => {
      const found = await db
        .selectFrom('factor_challenge')
        .select(['password_stamp as passwordStamp', 'browser', 'secret'])
        .where('token_hash', '=', hashOf(token))
        .where('purpose', '=', purpose)
        .where('user_id', '=', userId)
        .where(sql<boolean>`session_hash is not distinct from ${sessionOf(sessionHash)}::bytea`)
        .where('expires_at', '>', sql<Date>`now()`)
        .executeTakeFirst()
      return found && { ...found, secret: found.secret && cipher.decryptBytes(found.secret, placeOf(token)) }
    },

    use: async (token, transaction) => {
      const used = await transaction
        .deleteFrom('factor_challenge')
        .where('token_hash', '=', hashOf(token))
        .where('expires_at', '>', sql<Date>`now()`)
        .returning('purpose')
        .execute()
      return used.length > 0
    },
  }
}

/** Deletes challenges that nobody completed. */
export const expiredChallengesJob: Job = {
  name: 'expired challenges',
  everyMs: 10 * MINUTE_MS,
  async run(owner, now) {
    await owner.query('delete from factor_challenge where expires_at < $1', [now])
  },
}
