import { limitKeyOf } from '#domain/network/ipAddress.ts'
import type { Statement } from '#server/http/call/audit.store.ts'
import { CallError } from '#server/http/call/callError.ts'
import { createConcurrencyLimit, createPlaces } from '#server/http/limits/rateLimits.ts'
import type { Attempt, AttemptStore } from './attempts.store.ts'
import { passwordStampOf } from './browserCookie.ts'
import { isPasswordOf } from './passwords/passwords.ts'
import type { Proof, SignInStore } from './signIn.store.ts'

/**
 * This many people are an office at nine o’clock. It is half of all that may wait for their password to be judged
 * (`passwords.ts`).
 */
const MOST_AT_ONCE_PER_CLIENT = 256

interface PasswordFound {
  readonly passwordStamp: string
  readonly forgiving: Statement
  /** The password is right, but this user has to sign in through their provider. */
  readonly hasToUseProvider: boolean
}

export interface PasswordProof {
  /**
   * Proves an identity by password, slowed down as guessing must be. It takes the same time for names that do not
   * exist.
   * @returns with `forgiving`, a statement that takes the attempt's count back in the transaction of what follows
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
      const { forgiving, found, isRight } = await inTurn(attempt.browser ?? limitKeyOf(attempt.address), async () => {
        const asked = Promise.all([attempts.admit(attempt), store.findByUsername(attempt.username)])
        const [admitted, user] = await asked
        return { ...admitted, found: user, isRight: await isPasswordOf(user?.passwordHash ?? undefined, password) }
      })
      if (!found || !isRight) throw new CallError('wrong_credentials')
      const { passwordHash: _, hasToUseProvider, ...user } = found
      return { user, by: 'password', passwordStamp: passwordStampOf(found), forgiving, hasToUseProvider }
    },
  }
}
