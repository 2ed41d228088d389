import type { UserId } from '#domain/ids.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError } from '#server/http/call/callError.ts'
import type { ChallengeStore } from './challenges.store.ts'
import type { ProveFactor } from './factorProof.ts'

const PURPOSE = 'sign in'

/** The second half of a sign-in, whose first is a right password. */
export function createSignInFactor({
  challenges,
  prove,
}: {
  readonly challenges: ChallengeStore
  readonly prove: ProveFactor
}) {
  return {
    begin: (
      userId: UserId,
      begun: { readonly passwordStamp: string; readonly browser: string | undefined },
      transaction: Tx,
    ) => challenges.begin({ purpose: PURPOSE, userId, ...begun }, transaction),

    prove: async (
      userId: UserId,
      { challenge, code, passwordStamp }: Readonly<Record<'challenge' | 'code' | 'passwordStamp', string>>,
    ) => {
      const begun = await challenges.find(challenge, { purpose: PURPOSE, userId })
      if (begun?.passwordStamp !== passwordStamp) throw new CallError('challenge_not_valid')
      const { by, take } = await prove(userId, code, begun.browser ?? '')
      return {
        by,
        take: async (transaction: Tx) => {
          if (!(await challenges.use(challenge, transaction))) throw new CallError('challenge_not_valid')
          await take(transaction)
        },
      }
    },
  }
}
