import { limitKeyOf } from '#domain/network/ipAddress.ts'
import type { Db } from '#server/db/database.ts'
import { CallError } from '#server/http/call/callError.ts'
import { createConcurrencyLimit, createPlaces } from '#server/http/limits/rateLimits.ts'
import { type Attempt, admitAttempt, type Forgive } from './attempts.store.ts'
import { passwordStampOf } from './browserCookie.ts'
import { isPasswordOf } from './passwords/passwords.ts'
import { findByUsername, type Proof } from './signIn.store.ts'

/** An office at nine o’clock needs this; it is half of all that may wait to be judged (`passwords.ts`). */
const MOST_AT_ONCE_PER_CLIENT = 256

interface PasswordFound {
  readonly passwordStamp: string
  readonly forgive: Forgive
  /** The password is right, and no way in for this user. */
  readonly hasToUseProvider: boolean
}

/** Proves who somebody is by their password, slowed down as guessing must be. */
export class PasswordProof {
  readonly #db: Db
  readonly #inTurn = createConcurrencyLimit(createPlaces(MOST_AT_ONCE_PER_CLIENT))

  constructor(db: Db) {
    this.#db = db
  }

  /**
   * Takes the same time for names that do not exist.
   *
   * @throws CallError `wrong_credentials`, `too_many_requests`
   */
  async prove(attempt: Attempt, password: string): Promise<Proof & PasswordFound> {
    const db = this.#db
    const client = attempt.browser ?? limitKeyOf(attempt.address)
    const { forgive, found, isRight } = await this.#inTurn(client, async () => {
      const [admitted, user] = await Promise.all([admitAttempt(db, attempt), findByUsername(db, attempt.username)])
      return { ...admitted, found: user, isRight: await isPasswordOf(user?.passwordHash ?? undefined, password) }
    })
    if (!found || !isRight) throw new CallError('wrong_credentials')
    const { passwordHash: _, hasToUseProvider, ...user } = found
    return { user, by: 'password', passwordStamp: passwordStampOf(found), forgive, hasToUseProvider }
  }
}
