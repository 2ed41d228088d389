/**
 * `challenge_not_valid`: the browser's answer does not belong to this sign-in. `provider_refused`: the provider let
 * nobody in. `provider_failed`: the provider could not be asked, or its answer is not valid.
 */
export type FailureCode = 'challenge_not_valid' | 'provider_refused' | 'provider_failed'

/** A failed sign-in at a provider, whose message holds no secret. */
export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure'
  readonly code: FailureCode

  constructor(message: string, code: FailureCode = 'provider_failed') {
    super(message)
    this.code = code
  }
}
