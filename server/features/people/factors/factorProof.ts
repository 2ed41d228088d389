import type { PasskeyAnswer } from '#contract/http/people/passkeys.ts'
import type { UserId } from '#domain/ids.ts'
import { required } from '#domain/validation/messages.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError } from '#server/http/call/callError.ts'
import { RateLimited } from '#server/http/limits/rateLimits.ts'
import type { FactorParts } from './factorParts.ts'
import { countCode, readSecrets, takePeriod, takeRecoveryCode, uncountCode } from './factors.store.ts'
import { isOneTimeCode, periodOf } from './oneTimeCodes.ts'
import { plainCode, recoveryCodeHash } from './recoveryCodes.ts'

export interface FactorProved {
  readonly by: 'authenticator' | 'recoveryCode' | 'passkey'
  /**
   * Uses the code up in the transaction of what follows, and takes back its count.
   * @throws CallError `wrong_second_factor` when it was used meanwhile, or is not valid
   */
  readonly take: (transaction: Tx) => Promise<void>
}

/**
 * Counts the code before it is judged, so that many at once cannot pass together.
 * @param place has an allowance of its own: a browser that its owner has used, or a session
 * @throws CallError `wrong_second_factor`, `too_many_requests`
 */
export async function proveCode(
  parts: FactorParts,
  userId: UserId,
  typed: string,
  place: string,
): Promise<FactorProved> {
  const waitSeconds = await countCode(parts.db, userId, place)
  if (waitSeconds > 0) throw new RateLimited(waitSeconds)
  const code = plainCode(typed)
  const by = isOneTimeCode(code) ? 'authenticator' : 'recoveryCode'
  const use =
    by === 'authenticator'
      ? await tryPeriod(parts, userId, code)
      : (transaction: Tx) => takeRecoveryCode(transaction, userId, recoveryCodeHash(code))
  return {
    by,
    take: async (transaction) => {
      if (!(await use(transaction))) throw new CallError('wrong_second_factor')
      await uncountCode(transaction, userId, place)
    },
  }
}

async function tryPeriod({ db, cipher, now }: FactorParts, userId: UserId, code: string) {
  for (const { id, secret } of await readSecrets(db, cipher, userId)) {
    const period = periodOf(code, secret, now().getTime())
    if (period !== undefined) return (transaction: Tx) => takePeriod(transaction, id, period)
  }
  throw new CallError('wrong_second_factor')
}

export interface FactorGiven {
  readonly code?: string | undefined
  readonly passkey?: PasskeyAnswer | undefined
}

/** @throws CallError `invalid_request` for neither of them, and for both */
export function onlyOne({
  code,
  passkey,
}: FactorGiven): { code: string; passkey?: undefined } | { code?: undefined; passkey: PasskeyAnswer } {
  if (code !== undefined && passkey !== undefined) {
    throw new CallError('invalid_request', 'Give either code or passkey.')
  }
  if (passkey !== undefined) return { passkey }
  if (code === undefined) throw new CallError('invalid_request', required('code'))
  return { code }
}
