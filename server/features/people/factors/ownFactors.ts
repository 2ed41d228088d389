import { CallError, notFound } from '#server/http/call/callError.ts'
import type { Caller } from '#server/http/call/caller.ts'
import { foundRow } from '#server/http/call/changeSteps.store.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import { beginChallenge, requireChallenge, useChallenge } from './challenges.store.ts'
import { addAuthenticator, firstPeriodOf, giveRecoveryCodes, ofOwn } from './factorAdditions.ts'
import type { FactorParts } from './factorParts.ts'
import {
  countRecoveryCodes,
  deleteFactor,
  forgetFactors,
  isFactorNeeded,
  listFactorsOf,
  lockAndCountFactors,
} from './factors.store.ts'
import { newSecret, shownSecret } from './oneTimeCodes.ts'

const PURPOSE = 'authenticator'

export async function listOwnFactors({ db, relyingParty }: FactorParts, { userId }: Caller) {
  const [factors, recoveryCodesLeft] = await Promise.all([listFactorsOf(db, userId), countRecoveryCodes(db, userId)])
  return {
    factors: factors.map(({ addedAt, lastUsedAt, ...factor }) => ({
      ...factor,
      added: addedAt.toISOString(),
      lastUsed: lastUsedAt?.toISOString() ?? null,
    })),
    recoveryCodesLeft,
    passkeyOrigin: relyingParty()?.origin ?? null,
  }
}

export async function beginAuthenticator({ db, cipher }: FactorParts, { userId, username, sessionHash }: Caller) {
  const secret = newSecret()
  const challenge = await beginChallenge(db, cipher, { purpose: PURPOSE, userId, sessionHash, secret })
  return { challenge, ...shownSecret(secret, username) }
}

/** @returns recovery codes when it is the first factor */
export async function addOwnAuthenticator(
  { db, cipher, now }: FactorParts,
  { challenge, name, code }: { readonly challenge: string; readonly name: string; readonly code: string },
  caller: Caller,
  change: ChangeRecord,
): Promise<string[]> {
  const { userId, username, sessionHash } = caller
  change.about({ id: userId, name: username })
  const { secret } = await requireChallenge(db, cipher, challenge, { purpose: PURPOSE, userId, sessionHash })
  if (!secret) throw new CallError('challenge_not_valid')
  const period = firstPeriodOf(code, secret, now())
  return db.transaction().execute(async (transaction) => {
    await useChallenge(transaction, challenge)
    const codes = await addAuthenticator(transaction, cipher, caller, { name, secret, period })
    await change.done(transaction, ofOwn(caller, `An authenticator app was added: ${name}.`))
    return codes
  })
}

export function removeOwnFactor({ db }: FactorParts, id: number, caller: Caller, change: ChangeRecord): Promise<void> {
  const { userId, username } = caller
  change.about({ id: userId, name: username })
  return db.transaction().execute(async (transaction) => {
    const before = await lockAndCountFactors(transaction, userId)
    const { name } = await foundRow(deleteFactor(transaction, userId, id))
    if (before === 1) {
      if (await isFactorNeeded(transaction, userId)) throw new CallError('factor_needed')
      await forgetFactors(transaction, userId)
    }
    await change.done(transaction, ofOwn(caller, `A second factor was removed: ${name}.`))
  })
}

export function renewOwnCodes({ db }: FactorParts, caller: Caller, change: ChangeRecord): Promise<string[]> {
  const { userId, username } = caller
  change.about({ id: userId, name: username })
  return db.transaction().execute(async (transaction) => {
    if ((await lockAndCountFactors(transaction, userId)) === 0) throw notFound()
    const codes = await giveRecoveryCodes(transaction, userId)
    await change.done(transaction, ofOwn(caller, 'New recovery codes were made; those of before ended.'))
    return codes
  })
}
