import { movesSecrets, type SecretMove, secretToGiveAnew, TO_BE_GIVEN_ANEW } from '#domain/secrets/movedSecrets.ts'
import { CallError } from './callError.ts'
import type { Caller } from './caller.ts'

/**
 * Holds the one rule for everything that keeps secrets (docs/decisions/0265): a new destination needs the secret again,
 * and a fresh proof of identity.
 * @param refusal replaces the error where the call has a code of its own for wrong fields
 * @throws CallError
 */
export function refuseSecretMove(
  move: SecretMove,
  { freshFactor }: Pick<Caller, 'freshFactor'>,
  refusal = (field: string, says: string) => new CallError('invalid_request', `${field}: ${says}.`),
): void {
  const missing = secretToGiveAnew(move)
  if (missing !== undefined) throw refusal(missing, TO_BE_GIVEN_ANEW)
  if (movesSecrets(move) && !freshFactor) throw new CallError('step_up_required')
}
