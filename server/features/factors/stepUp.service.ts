import { required } from '#domain/validation/messages.ts'
import type { Statement, Tx } from '#server/http/call/audit.store.ts'
import { CallError } from '#server/http/call/callError.ts'
import type { Caller } from '#server/http/call/caller.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import type { ProveFactor } from './factorProof.ts'
import type { FactorStore } from './factors.store.ts'

export interface StepUpGiven {
  readonly password?: string | undefined
  readonly code?: string | undefined
}

/** @throws CallError `wrong_credentials`, `too_many_requests` */
export type ProvePassword = (
  attempt: { readonly username: string; readonly address: string },
  password: string,
) => Promise<{ readonly forgiving: Statement }>

/** Proves once more who a caller is. */
export type StepUp = (given: StepUpGiven, caller: Caller, change: ChangeRecord) => Promise<void>

export function createStepUp({
  store,
  proveFactor,
  provePassword,
}: {
  readonly store: FactorStore
  readonly proveFactor: ProveFactor
  readonly provePassword: ProvePassword
}): StepUp {
  async function byPassword({ userId, username, address }: Caller, password: string) {
    if (await store.has(userId)) {
      throw new CallError('invalid_request', 'You have a second factor. It is asked for instead of the password.')
    }
    const { forgiving } = await provePassword({ username, address }, password).catch(asWrongFactor)
    const take = async (transaction: Tx) => void (await transaction.executeQuery(forgiving))
    return { words: 'the password', take }
  }

  async function byCode({ userId }: Caller, code: string) {
    const { by, take } = await proveFactor(userId, code, 'session')
    return { words: by === 'recoveryCode' ? 'a recovery code' : 'a one-time code', take }
  }

  return async ({ password, code }, caller, change) => {
    const { username, sessionHash, customerId } = caller
    change.about({ name: username })
    if (password !== undefined && code !== undefined) {
      throw new CallError('invalid_request', 'Give either password or code.')
    }
    if (password === undefined && code === undefined) throw new CallError('invalid_request', required('code'))
    const proved = code === undefined ? await byPassword(caller, password ?? '') : await byCode(caller, code)
    await store.transaction(async (transaction) => {
      await proved.take(transaction)
      await store.noteProved(Buffer.from(sessionHash, 'hex'), transaction)
      const details = `Who it is was proved once more by ${proved.words}.`
      await change.done(transaction, { name: username, customerId: customerId ?? null, details })
    })
  }
}

/** A 401 would mean that the session is over. */
function asWrongFactor(failure: unknown): never {
  if (failure instanceof CallError && failure.code === 'wrong_credentials') {
    throw new CallError('wrong_second_factor', 'The password is not right.')
  }
  throw failure
}
