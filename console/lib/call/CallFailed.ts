import type { ErrorCode, SecondFactorRequest } from '#contract/errors.ts'

/** `network` means that no answer came, `unexpected` that the answer is not the server's, for example a proxy's. */
export type FailureCode = ErrorCode | 'network' | 'unexpected'

/** Every failure of a call has a sentence for people. */
export class CallFailed extends Error {
  readonly code: FailureCode
  /** The HTTP status, or 0 when there was no answer. */
  readonly status: number

  /** It belongs to `second_factor_required` and says how the sign-in continues. */
  readonly secondFactor: SecondFactorRequest | undefined

  constructor(code: FailureCode, status: number, message: string, secondFactor?: SecondFactorRequest) {
    super(message)
    this.name = 'CallFailed'
    this.code = code
    this.status = status
    this.secondFactor = secondFactor
  }
}

/** Such trouble may pass, so asking again makes sense. */
export function mayPass(failure: unknown): boolean {
  return failure instanceof CallFailed && (failure.code === 'network' || [502, 503, 504].includes(failure.status))
}

export function failureMessage(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure)
}
