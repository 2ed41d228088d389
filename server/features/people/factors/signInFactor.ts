import type { SecondFactorRequest } from '#contract/errors.ts'
import type { UserId } from '#domain/ids.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError } from '#server/http/call/callError.ts'
import type { ChallengeStore } from './challenges.store.ts'
import { type FactorAdditions, firstPeriodOf } from './factorAdditions.ts'
import { type FactorGiven, onlyOne, type ProveFactor } from './factorProof.ts'
import type { FactorStore } from './factors.store.ts'
import { newSecret, shownSecret } from './oneTimeCodes.ts'
import type { PasskeyProof } from './passkeyProof.ts'

const PURPOSE = 'sign in'
const ENROLMENT = 'enrolment'

interface Begun {
  readonly passwordStamp: string
  readonly browser: string | undefined
}

/** Completes a sign-in by a second factor, after the right password. */
export function createSignInFactor({
  transaction,
  challenges,
  additions,
  now,
  proveCode,
  passkeys,
}: {
  readonly transaction: FactorStore['transaction']
  readonly challenges: ChallengeStore
  readonly additions: Pick<FactorAdditions, 'addAuthenticator'>
  readonly now: () => Date
  readonly proveCode: ProveFactor
  readonly passkeys: PasskeyProof
}) {
  return {
    begin: async (
      userId: UserId,
      begun: Begun,
      forgive: (transaction: Tx) => Promise<void>,
    ): Promise<SecondFactorRequest> => {
      const asked = await passkeys.asked(userId)
      const challenge = await transaction(async (together) => {
        await forgive(together)
        return challenges.begin({ purpose: PURPOSE, userId, ...begun }, together)
      })
      return { challenge, ...(asked && { passkeys: asked }) }
    },

    prove: async (
      userId: UserId,
      given: FactorGiven & { readonly challenge: string; readonly passwordStamp: string },
    ) => {
      const { challenge, passwordStamp } = given
      const { code, passkey } = onlyOne(given)
      const begun = await challenges.find(challenge, { purpose: PURPOSE, userId })
      if (begun?.passwordStamp !== passwordStamp) throw new CallError('challenge_not_valid')
      const { by, take } = passkey
        ? await passkeys.prove(userId, passkey, challenge)
        : await proveCode(userId, code, begun.browser ?? '')
      return {
        by,
        take: async (together: Tx) => {
          if (!(await challenges.use(challenge, together))) throw new CallError('challenge_not_valid')
          await take(together)
        },
      }
    },

    beginEnrolment: async (
      { id: userId, username }: { readonly id: UserId; readonly username: string },
      begun: Begun,
      forgive: (transaction: Tx) => Promise<void>,
    ): Promise<SecondFactorRequest> => {
      const secret = newSecret()
      const challenge = await transaction(async (together) => {
        await forgive(together)
        return challenges.begin({ purpose: ENROLMENT, userId, secret, ...begun }, together)
      })
      return { challenge, newApp: shownSecret(secret, username) }
    },

    enrol: async (userId: UserId, given: Readonly<Record<'challenge' | 'code' | 'name' | 'passwordStamp', string>>) => {
      const { challenge, name, passwordStamp } = given
      const begun = await challenges.find(challenge, { purpose: ENROLMENT, userId })
      if (!begun?.secret || begun.passwordStamp !== passwordStamp) throw new CallError('challenge_not_valid')
      const { secret } = begun
      const period = firstPeriodOf(given.code, secret, now())
      return {
        by: 'authenticator' as const,
        take: async (together: Tx) => {
          if (!(await challenges.use(challenge, together))) throw new CallError('challenge_not_valid')
          return additions.addAuthenticator({ userId }, { name, secret, period }, together)
        },
      }
    },
  }
}
