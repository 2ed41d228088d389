import { limitKeyOf } from '#domain/network/ipAddress.ts'
import { CallError } from '#server/http/call/callError.ts'
import { createConcurrencyLimit, createPlaces } from '#server/http/limits/rateLimits.ts'
import type { Attempt, AttemptStore, Forgive } from './attempts.store.ts'
import { passwordStampOf } from './browserCookie.ts'
import { isPasswordOf } from './passwords/passwords.ts'
import type { Proof, SignInStore } from './signIn.store.ts'

/** An office at nine o’clock. Of all that wait for their password to be judged (`passwords.ts`) it is the half. */
const MOST_AT_ONCE_PER_CLIENT = 256

interface PasswordFound {
  readonly passwordStamp: string
  readonly forgive: Forgive
  /** The password is right, and no way in for this user. */
  readonly hasToUseProvider: boolean
}

export interface PasswordProof {
  /**
   * Proof of who somebody is by their password, slowed down as guessing must be. Takes the same time for names that do
   * not exist.
   *
   * @throws CallError `wrong_credentials`, `too_many_requests`
   */
  readonly prove: (attempt: Attempt, password: string) => Promise<Proof & PasswordFound>
}

export function createPasswordProof({
  store,
  attempts,
}: {
  readonly store: Pick<SignInStore, 'findByUsername'>
  readonly attempts: AttemptStore
}): PasswordProof {
  const inTurn = createConcurrencyLimit(createPlaces(MOST_AT_ONCE_PER_CLIENT))
  return {
    prove: async (attempt, password) => {
      const { forgive, found, isRight } = await inTurn(attempt.browser ?? limitKeyOf(attempt.address), async () => {
        const asked = Promise.all([attempts.admit(attempt), store.findByUsername(attempt.username)])
        const [admitted, user] = await asked
        return { ...admitted, found: user, isRight: await isPasswordOf(user?.passwordHash ?? undefined, password) }
      })
      if (!found || !isRight) throw new CallError('wrong_credentials')
      const { passwordHash: _, hasToUseProvider, ...user } = found
      return { user, by: 'password', passwordStamp: passwordStampOf(found), forgive, hasToUseProvider }
    },
  }
}
