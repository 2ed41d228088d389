import type { AnswerOf } from '#contract/call/call.ts'
import type { getStepUpWays } from '#contract/http/people/factors.ts'
import { required } from '#domain/validation/messages.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError } from '#server/http/call/callError.ts'
import type { Caller } from '#server/http/call/caller.ts'
import { forgetHeldRefusals } from '#server/http/call/heldRefusals.store.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import { beginChallenge, requireChallenge, useChallenge } from './challenges.store.ts'
import type { FactorParts } from './factorParts.ts'
import { type FactorGiven, type FactorProved, onlyOne, proveCode } from './factorProof.ts'
import { countRecoveryCodes, hasFactor, listFactorsOf, noteProved } from './factors.store.ts'
import { provePasskey, requestPasskeys } from './passkeyProof.ts'

interface StepUpGiven extends FactorGiven {
  readonly password?: string | undefined
  readonly challenge?: string | undefined
}

const LABELS: Readonly<Record<FactorProved['by'], string>> = {
  authenticator: 'a one-time code',
  recoveryCode: 'a recovery code',
  passkey: 'a passkey',
}

/** @throws CallError `wrong_credentials`, `too_many_requests` */
export type ProvePassword = (
  attempt: { readonly username: string; readonly address: string },
  password: string,
) => Promise<{ readonly forgive: (transaction: Tx) => Promise<void> }>

export async function stepUpWays(
  parts: FactorParts,
  { userId, sessionHash, freshFactor: isFresh }: Caller,
): Promise<AnswerOf<typeof getStepUpWays>> {
  const { db, cipher } = parts
  const [factors, codesLeft, asked] = await Promise.all([
    listFactorsOf(db, userId),
    countRecoveryCodes(db, userId),
    requestPasskeys(parts, userId),
  ])
  if (factors.length === 0) return { isFresh, ways: ['password'] }
  const hasApp = factors.some(({ kind }) => kind === 'authenticator')
  const ways = [...(hasApp ? (['authenticator'] as const) : []), ...(codesLeft > 0 ? (['recoveryCode'] as const) : [])]
  if (!asked) return { isFresh, ways }
  const challenge = await beginChallenge(db, cipher, { purpose: 'step up', userId, sessionHash })
  return { isFresh, ways: ['passkey', ...ways], passkeys: { ...asked, challenge } }
}

export async function proveOnceMore(
  parts: FactorParts,
  provePassword: ProvePassword,
  given: StepUpGiven,
  caller: Caller,
  change: ChangeRecord,
): Promise<void> {
  const { password, code, passkey } = given
  const { username, sessionHash, customerId } = caller
  change.about({ name: username })
  if (password !== undefined && (code !== undefined || passkey !== undefined)) {
    throw new CallError('invalid_request', 'Give either password, code or passkey.')
  }
  const proved =
    password === undefined
      ? await byFactor(parts, given, caller)
      : await byPassword(parts, provePassword, password, caller)
  await parts.db.transaction().execute(async (transaction) => {
    await proved.take(transaction)
    await noteProved(transaction, Buffer.from(sessionHash, 'hex'))
    await forgetHeldRefusals(sessionHash, transaction)
    const details = `Who it is was proved once more by ${proved.label}.`
    await change.done(transaction, { name: username, customerId: customerId ?? null, details })
  })
}

async function byPassword(
  { db }: FactorParts,
  provePassword: ProvePassword,
  password: string,
  { userId, username, address }: Caller,
) {
  if (await hasFactor(db, userId)) {
    throw new CallError('invalid_request', 'You have a second factor. It is asked for instead of the password.')
  }
  const { forgive } = await provePassword({ username, address }, password).catch(asWrongFactor)
  return { label: 'the password', take: forgive }
}

async function byFactor(parts: FactorParts, given: StepUpGiven, { userId, sessionHash }: Caller) {
  const { code, passkey } = onlyOne(given)
  if (!passkey) {
    const { by, take } = await proveCode(parts, userId, code, 'session')
    return { label: LABELS[by], take }
  }
  const { challenge } = given
  if (challenge === undefined) throw new CallError('invalid_request', required('challenge'))
  await requireChallenge(parts.db, parts.cipher, challenge, { purpose: 'step up', userId, sessionHash })
  const { by, take } = await provePasskey(parts, userId, passkey, challenge)
  const takeBoth = async (transaction: Tx) => {
    await useChallenge(transaction, challenge)
    await take(transaction)
  }
  return { label: LABELS[by], take: takeBoth }
}

/** A 401 would mean to the browser that its session has ended. */
function asWrongFactor(failure: unknown): never {
  if (failure instanceof CallError && failure.code === 'wrong_credentials') {
    throw new CallError('wrong_second_factor', 'The password is not right.')
  }
  throw failure
}
