import type { SecondFactorRequest } from '#contract/errors.ts'
import type { PasskeyAnswer } from '#contract/http/people/passkeys.ts'
import type { UserId } from '#domain/ids.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Forgive } from './attempts.store.ts'
import type { Proof } from './signIn.store.ts'

/** The second step of a sign-in: exactly one of code and passkey. */
export interface FactorGiven {
  readonly challenge: string
  readonly code?: string | undefined
  readonly passkey?: PasskeyAnswer | undefined
}

export interface SecondFactor {
  /**
   * Asks somebody who gave the right password for their factor.
   * @param forgiving takes back what the password was counted as, in the same transaction
   * @returns a challenge, which can be used once, within minutes, and as long as the password stays
   */
  readonly begin: (
    userId: UserId,
    begun: { readonly passwordStamp: string; readonly browser: string | undefined },
    forgive: Forgive,
  ) => Promise<SecondFactorRequest>
  /**
   * @returns the kind of proof, and a function that uses challenge and factor up in the transaction that opens the
   * session
   * @throws CallError `challenge_not_valid`, `wrong_second_factor`, `too_many_requests`
   */
  readonly prove: (
    userId: UserId,
    given: FactorGiven & { readonly passwordStamp: string },
  ) => Promise<{ readonly by: Proof['by']; readonly take: (transaction: Tx) => Promise<void> }>
  /** Begins like `begin` for a user who needs a factor and has none, with the secret of an authenticator app to add. */
  readonly beginEnrolment: (
    user: { readonly id: UserId; readonly username: string },
    begun: { readonly passwordStamp: string; readonly browser: string | undefined },
    forgive: Forgive,
  ) => Promise<SecondFactorRequest>
  /**
   * @returns a function that adds the app and answers the recovery codes
   * @throws CallError `challenge_not_valid`, `wrong_second_factor`
   */
  readonly enrol: (
    userId: UserId,
    given: Readonly<Record<'challenge' | 'code' | 'name' | 'passwordStamp', string>>,
  ) => Promise<{ readonly by: Proof['by']; readonly take: (transaction: Tx) => Promise<string[]> }>
}
