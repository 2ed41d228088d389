import type { ErrorCode, SecondFactorRequest } from '#contract/errors.ts'

/** `network`: no answer came. `unexpected`: an answer that is not ours, e.g. of a proxy in between. */
export type FailureCode = ErrorCode | 'network' | 'unexpected'

/** Every way in which a call can fail, with the sentence that people read. */
export class CallFailed extends Error {
  readonly code: FailureCode
  /** HTTP status; 0 when there was no answer. */
  readonly status: number

  /** Of `second_factor_required`: by what the sign-in goes on. */
  readonly secondFactor: SecondFactorRequest | undefined

  constructor(code: FailureCode, status: number, message: string, secondFactor?: SecondFactorRequest) {
    super(message)
    this.name = 'CallFailed'
    this.code = code
    this.status = status
    this.secondFactor = secondFactor
  }
}

/** Trouble that may pass by itself, so that asking again makes sense. */
export function mayPass(failure: unknown): boolean {
  return failure instanceof CallFailed && (failure.code === 'network' || [502, 503, 504].includes(failure.status))
}

export function failureMessage(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure)
}
