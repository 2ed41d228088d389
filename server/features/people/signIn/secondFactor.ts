import type { SecondFactorRequest } from '#contract/errors.ts'
import type { PasskeyAnswer } from '#contract/http/people/passkeys.ts'
import type { UserId } from '#domain/ids.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Forgive } from './attempts.store.ts'
import type { Proof } from './signIn.store.ts'

/** By what somebody ends a sign-in: exactly one of code and passkey. */
export interface FactorGiven {
  readonly challenge: string
  readonly code?: string | undefined
  readonly passkey?: PasskeyAnswer | undefined
}

/** What a sign-in asks of second factors. */
export interface SecondFactor {
  /**
   * Asks whoever gave the right password for their factor.
   *
   * @param forgive is done in the same transaction
   * @returns a challenge, which ends with the password, once, and within minutes
   */
  readonly begin: (
    userId: UserId,
    begun: { readonly passwordStamp: string; readonly browser: string | undefined },
    forgive: Forgive,
  ) => Promise<SecondFactorRequest>
  /**
   * @returns by what it was proved, and what uses challenge and factor up in the transaction that opens the session
   * @throws CallError `challenge_not_valid`, `wrong_second_factor`, `too_many_requests`
   */
  readonly prove: (
    userId: UserId,
    given: FactorGiven & { readonly passwordStamp: string },
  ) => Promise<{ readonly by: Proof['by']; readonly take: (transaction: Tx) => Promise<void> }>
  /** As `begin`, for who has no factor and needs one: with the key of an authenticator app that is to be added. */
  readonly beginEnrolment: (
    user: { readonly id: UserId; readonly username: string },
    begun: { readonly passwordStamp: string; readonly browser: string | undefined },
    forgive: Forgive,
  ) => Promise<SecondFactorRequest>
  /**
   * @returns what adds the app, and answers the recovery codes
   * @throws CallError `challenge_not_valid`, `wrong_second_factor`
   */
  readonly enrol: (
    userId: UserId,
    given: Readonly<Record<'challenge' | 'code' | 'name' | 'passwordStamp', string>>,
  ) => Promise<{ readonly by: Proof['by']; readonly take: (transaction: Tx) => Promise<string[]> }>
}
