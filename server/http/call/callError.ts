import { ERRORS, type ErrorBody, type ErrorCode } from '#contract/errors.ts'

/** A refusal with one of the codes of the contract; everything else that is thrown is a fault of the server. */
export class CallError extends Error {
  override readonly name = 'CallError'
  readonly code: ErrorCode
  readonly retryAfterSeconds: number | undefined

  constructor(code: ErrorCode, message: string = ERRORS[code].message, options: { retryAfterSeconds?: number } = {}) {
    super(message)
    this.code = code
    this.retryAfterSeconds = options.retryAfterSeconds
  }

  get status(): number {
    return ERRORS[this.code].status
  }

  get body(): ErrorBody {
    return { message: this.message, code: this.code }
  }
}

/** Foreign, missing and deleted things answer this, byte for byte the same. */
export const notFound = () => new CallError('not_found')
