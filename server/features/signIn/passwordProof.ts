import type { Tx } from '#server/http/audit.store.ts'
import { CallError } from '#server/http/callError.ts'
import type { Attempt, AttemptStore } from './attempts.store.ts'
import { isPasswordOf } from './passwords.ts'
import type { Proof, SignInStore } from './signIn.store.ts'

export interface PasswordProof {
  /**
   * Proof of who somebody is by their password, slowed down as guessing must be. Takes the same time for names that do
   * not exist.
   *
   * @returns with `forgive`, which takes the attempt's count back in the transaction of what follows
   * @throws CallError `wrong_credentials`, `too_many_requests`
   */
  readonly prove: (
    attempt: Attempt,
    password: string,
  ) => Promise<Proof & { readonly forgive: (transaction: Tx) => Promise<void> }>
}

export function createPasswordProof({
  store,
  attempts,
}: {
  readonly store: Pick<SignInStore, 'findByUsername'>
  readonly attempts: AttemptStore
}): PasswordProof {
  return {
    prove: async (attempt, password) => {
      const { forgive } = await attempts.admit(attempt)
      const found = await store.findByUsername(attempt.username)
      const isRight = await isPasswordOf(found?.passwordHash ?? undefined, password)
      if (!found || !isRight) throw new CallError('wrong_credentials')
      const { passwordHash: _, ...user } = found
      return { user, by: 'password', forgive }
    },
  }
}
