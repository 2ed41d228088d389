import type { UserId } from '#domain/ids.ts'
import type { Tx } from '#server/http/call/audit.store.ts'

/** What a sign-in asks of second factors. */
export interface SecondFactor {
  /**
   * Asks whoever gave the right password for their factor.
   *
   * @returns the token of a challenge, which ends with the password, once, and within minutes
   */
  readonly begin: (
    userId: UserId,
    begun: { readonly passwordStamp: string; readonly browser: string | undefined },
    transaction: Tx,
  ) => Promise<string>
  /**
   * @returns by what it was proved, and what uses challenge and code up in the transaction that opens the session
   * @throws CallError `challenge_not_valid`, `wrong_second_factor`, `too_many_requests`
   */
  readonly prove: (
    userId: UserId,
    given: { readonly challenge: string; readonly code: string; readonly passwordStamp: string },
  ) => Promise<{ readonly by: 'authenticator' | 'recoveryCode'; readonly take: (transaction: Tx) => Promise<void> }>
}
