import type { AnswerOf } from '#contract/call/call.ts'
import type { getStepUpWays, listFactors } from '#contract/http/people/factors.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import type { Caller } from '#server/http/call/caller.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import type { ChallengeStore } from './challenges.store.ts'
import { type FactorAdditions, firstPeriodOf, ofOwn } from './factorAdditions.ts'
import type { FactorStore } from './factors.store.ts'
import { newSecret, shownSecret } from './oneTimeCodes.ts'
import type { PasskeyProof } from './passkeyProof.ts'
import type { RelyingParty } from './relyingParty.ts'

export interface FactorService {
  readonly list: (caller: Caller) => Promise<AnswerOf<typeof listFactors>>
  readonly newAuthenticator: (
    caller: Caller,
  ) => Promise<{ readonly challenge: string; readonly secret: string; readonly uri: string }>
  /** @returns recovery codes when it is the first factor */
  readonly addAuthenticator: (
    given: { readonly challenge: string; readonly name: string; readonly code: string },
    caller: Caller,
    change: ChangeRecord,
  ) => Promise<string[]>
  readonly remove: (id: number, caller: Caller, change: ChangeRecord) => Promise<void>
  readonly renewRecoveryCodes: (caller: Caller, change: ChangeRecord) => Promise<string[]>
  readonly ways: (caller: Caller) => Promise<AnswerOf<typeof getStepUpWays>>
}

export function createFactorService({
  store,
  challenges,
  additions,
  passkeys,
  relyingParty,
  now,
}: {
  readonly store: FactorStore
  readonly additions: FactorAdditions
  readonly passkeys: Pick<PasskeyProof, 'asked'>
  readonly relyingParty: () => RelyingParty | undefined
  readonly challenges: ChallengeStore
  readonly now: () => Date
}): FactorService {
  const purpose = 'authenticator'

  return {
    list: async ({ userId }) => {
      const [factors, recoveryCodesLeft] = await Promise.all([store.list(userId), store.recoveryCodesLeft(userId)])
      return {
        factors: factors.map(({ addedAt, lastUsedAt, ...factor }) => ({
          ...factor,
          added: addedAt.toISOString(),
          lastUsed: lastUsedAt?.toISOString() ?? null,
        })),
        recoveryCodesLeft,
        passkeyOrigin: relyingParty()?.origin ?? null,
      }
    },

    newAuthenticator: async ({ userId, username, sessionHash }) => {
      const secret = newSecret()
      const challenge = await challenges.begin({ purpose, userId, sessionHash, secret })
      return { challenge, ...shownSecret(secret, username) }
    },

    addAuthenticator: async ({ challenge, name, code }, caller, change) => {
      const { userId, username, sessionHash } = caller
      change.about({ id: userId, name: username })
      const begun = await challenges.find(challenge, { purpose, userId, sessionHash })
      if (!begun?.secret) throw new CallError('challenge_not_valid')
      const { secret } = begun
      const period = firstPeriodOf(code, secret, now())
      return store.transaction(async (transaction) => {
        if (!(await challenges.use(challenge, transaction))) throw new CallError('challenge_not_valid')
        const codes = await additions.addAuthenticator(caller, { name, secret, period }, transaction)
        await change.done(transaction, ofOwn(caller, `An authenticator app was added: ${name}.`))
        return codes
      })
    },

    remove: (id, caller, change) => {
      const { userId, username } = caller
      change.about({ id: userId, name: username })
      return store.transaction(async (transaction) => {
        const before = await store.lockAndCount(userId, transaction)
        const name = await store.remove(userId, id, transaction)
        if (name === undefined) throw notFound()
        if (before === 1) {
          if (await store.isNeededNow(userId, transaction)) throw new CallError('factor_needed')
          await store.forget(userId, transaction)
        }
        await change.done(transaction, ofOwn(caller, `A second factor was removed: ${name}.`))
      })
    },

    renewRecoveryCodes: (caller, change) => {
      const { userId, username } = caller
      change.about({ id: userId, name: username })
      return store.transaction(async (transaction) => {
        if ((await store.lockAndCount(userId, transaction)) === 0) throw notFound()
        const codes = await additions.giveRecoveryCodes(userId, transaction)
        await change.done(transaction, ofOwn(caller, 'New recovery codes were made; those of before ended.'))
        return codes
      })
    },

    ways: async ({ userId, sessionHash, freshFactor: isFresh }) => {
      const [factors, codesLeft, asked] = await Promise.all([
        store.list(userId),
        store.recoveryCodesLeft(userId),
        passkeys.asked(userId),
      ])
      if (factors.length === 0) return { isFresh, ways: ['password'] }
      const hasApp = factors.some(({ kind }) => kind === 'authenticator')
      const ways = [
        ...(hasApp ? (['authenticator'] as const) : []),
        ...(codesLeft > 0 ? (['recoveryCode'] as const) : []),
      ]
      if (!asked) return { isFresh, ways }
      const challenge = await challenges.begin({ purpose: 'step up', userId, sessionHash })
      return { isFresh, ways: ['passkey', ...ways], passkeys: { ...asked, challenge } }
    },
  }
}
