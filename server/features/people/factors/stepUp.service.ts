import { required } from '#domain/validation/messages.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError } from '#server/http/call/callError.ts'
import type { Caller } from '#server/http/call/caller.ts'
import { forgetHeldRefusals } from '#server/http/call/heldRefusals.store.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import type { ChallengeStore } from './challenges.store.ts'
import { type FactorGiven, type FactorProved, onlyOne, type ProveFactor } from './factorProof.ts'
import type { FactorStore } from './factors.store.ts'
import type { PasskeyProof } from './passkeyProof.ts'

export interface StepUpGiven extends FactorGiven {
  readonly password?: string | undefined
  readonly challenge?: string | undefined
}

const WORDS: Readonly<Record<FactorProved['by'], string>> = {
  authenticator: 'a one-time code',
  recoveryCode: 'a recovery code',
  passkey: 'a passkey',
}

/** @throws CallError `wrong_credentials`, `too_many_requests` */
export type ProvePassword = (
  attempt: { readonly username: string; readonly address: string },
  password: string,
) => Promise<{ readonly forgive: (transaction: Tx) => Promise<void> }>

export type StepUp = (given: StepUpGiven, caller: Caller, change: ChangeRecord) => Promise<void>

export function createStepUp({
  store,
  challenges,
  proveCode,
  passkeys,
  provePassword,
}: {
  readonly store: FactorStore
  readonly challenges: ChallengeStore
  readonly proveCode: ProveFactor
  readonly passkeys: PasskeyProof
  readonly provePassword: ProvePassword
}): StepUp {
  async function byPassword({ userId, username, address }: Caller, password: string) {
    if (await store.has(userId)) {
      throw new CallError('invalid_request', 'You have a second factor. It is asked for instead of the password.')
    }
    const { forgive } = await provePassword({ username, address }, password).catch(asWrongFactor)
    return { words: 'the password', take: forgive }
  }

  async function byFactor({ userId, sessionHash }: Caller, given: StepUpGiven) {
    const { code, passkey } = onlyOne(given)
    if (!passkey) {
      const { by, take } = await proveCode(userId, code, 'session')
      return { words: WORDS[by], take }
    }
    const { challenge } = given
    if (challenge === undefined) throw new CallError('invalid_request', required('challenge'))
    const isOpen = await challenges.find(challenge, { purpose: 'step up', userId, sessionHash })
    if (!isOpen) throw new CallError('challenge_not_valid')
    const { by, take } = await passkeys.prove(userId, passkey, challenge)
    const takeBoth = async (transaction: Tx) => {
      if (!(await challenges.use(challenge, transaction))) throw new CallError('challenge_not_valid')
      await take(transaction)
    }
    return { words: WORDS[by], take: takeBoth }
  }

  return async (given, caller, change) => {
    const { password, code, passkey } = given
    const { username, sessionHash, customerId } = caller
    change.about({ name: username })
    if (password !== undefined && (code !== undefined || passkey !== undefined)) {
      throw new CallError('invalid_request', 'Give either password, code or passkey.')
    }
    const proved = password === undefined ? await byFactor(caller, given) : await byPassword(caller, password)
    await store.transaction(async (transaction) => {
      await proved.take(transaction)
      await store.noteProved(Buffer.from(sessionHash, 'hex'), transaction)
      await forgetHeldRefusals(sessionHash, transaction)
      const details = `Who it is was proved once more by ${proved.words}.`
      await change.done(transaction, { name: username, customerId: customerId ?? null, details })
    })
  }
}

/** A 401 would mean to the browser that its session has ended. */
function asWrongFactor(failure: unknown): never {
  if (failure instanceof CallError && failure.code === 'wrong_credentials') {
    throw new CallError('wrong_second_factor', 'The password is not right.')
  }
  throw failure
}
