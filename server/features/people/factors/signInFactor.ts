import type { SecondFactorRequest } from '#contract/errors.ts'
import type { UserId } from '#domain/ids.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError } from '#server/http/call/callError.ts'
import { beginChallenge, requireChallenge, useChallenge } from './challenges.store.ts'
import { addAuthenticator, firstPeriodOf } from './factorAdditions.ts'
import type { FactorParts } from './factorParts.ts'
import { type FactorGiven, onlyOne, proveCode } from './factorProof.ts'
import { newSecret, shownSecret } from './oneTimeCodes.ts'
import { provePasskey, requestPasskeys } from './passkeyProof.ts'

const PURPOSE = 'sign in'
const ENROLMENT = 'enrolment'

interface Begun {
  readonly passwordStamp: string
  readonly browser: string | undefined
}

type Forgive = (transaction: Tx) => Promise<void>

/** Asks somebody who gave the right password for their factor. */
export async function beginSecondFactor(
  parts: FactorParts,
  userId: UserId,
  begun: Begun,
  forgive: Forgive,
): Promise<SecondFactorRequest> {
  const { db, cipher } = parts
  const asked = await requestPasskeys(parts, userId)
  const challenge = await db.transaction().execute(async (transaction) => {
    await forgive(transaction)
    return beginChallenge(transaction, cipher, { purpose: PURPOSE, userId, ...begun })
  })
  return { challenge, ...(asked && { passkeys: asked }) }
}

export async function proveSecondFactor(
  parts: FactorParts,
  userId: UserId,
  given: FactorGiven & { readonly challenge: string; readonly passwordStamp: string },
) {
  const { challenge } = given
  const { code, passkey } = onlyOne(given)
  const { passwordStamp, browser } = await requireChallenge(parts.db, parts.cipher, challenge, {
    purpose: PURPOSE,
    userId,
  })
  if (passwordStamp !== given.passwordStamp) throw new CallError('challenge_not_valid')
  const { by, take } = passkey
    ? await provePasskey(parts, userId, passkey, challenge)
    : await proveCode(parts, userId, code, browser ?? '')
  const takeBoth = async (transaction: Tx) => {
    await useChallenge(transaction, challenge)
    await take(transaction)
  }
  return { by, take: takeBoth }
}

/** Gives somebody who needs a factor and has none the secret of an authenticator app to add. */
export async function beginEnrolment(
  { db, cipher }: FactorParts,
  { id: userId, username }: { readonly id: UserId; readonly username: string },
  begun: Begun,
  forgive: Forgive,
): Promise<SecondFactorRequest> {
  const secret = newSecret()
  const challenge = await db.transaction().execute(async (transaction) => {
    await forgive(transaction)
    return beginChallenge(transaction, cipher, { purpose: ENROLMENT, userId, secret, ...begun })
  })
  return { challenge, newApp: shownSecret(secret, username) }
}

export async function enrol(
  { db, cipher, now }: FactorParts,
  userId: UserId,
  { challenge, code, name, passwordStamp }: Readonly<Record<'challenge' | 'code' | 'name' | 'passwordStamp', string>>,
) {
  const begun = await requireChallenge(db, cipher, challenge, { purpose: ENROLMENT, userId })
  const { secret } = begun
  if (!secret || begun.passwordStamp !== passwordStamp) throw new CallError('challenge_not_valid')
  const period = firstPeriodOf(code, secret, now())
  const take = async (transaction: Tx) => {
    await useChallenge(transaction, challenge)
    return addAuthenticator(transaction, cipher, { userId }, { name, secret, period })
  }
  return { by: 'authenticator' as const, take }
}
