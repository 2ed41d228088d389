import { ERRORS, type ErrorBody, type ErrorCode, type SecondFactorRequest } from '#contract/errors.ts'

interface Options {
  readonly retryAfterSeconds?: number
  readonly secondFactor?: SecondFactorRequest
}

/** A refusal with one of the codes of the contract. Everything else that is thrown is a fault of the server. */
export class CallError extends Error {
  override readonly name = 'CallError'
  readonly code: ErrorCode
  readonly retryAfterSeconds: number | undefined
  readonly #secondFactor: SecondFactorRequest | undefined

  constructor(code: ErrorCode, message: string = ERRORS[code].message, options: Options = {}) {
    super(message)
    this.code = code
    this.retryAfterSeconds = options.retryAfterSeconds
    this.#secondFactor = options.secondFactor
  }

  get status(): number {
    return ERRORS[this.code].status
  }

  get body(): ErrorBody {
    const secondFactor = this.#secondFactor
    return { message: this.message, code: this.code, ...(secondFactor && { secondFactor }) }
  }
}

/** Foreign, missing and deleted things are refused byte for byte alike, so that nobody learns which ids exist. */
export const notFound = () => new CallError('not_found')
