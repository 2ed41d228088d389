import type { Call } from '#contract/call/call.ts'
import type { ErrorBody } from '#contract/errors.ts'

/**
 * Makes a call as the assistant's caller, by the same address and checks as everybody.
 * @throws Refused
 */
export type CallOf = (call: Call, input: Readonly<Record<string, unknown>>) => Promise<unknown>

export class Refused extends Error {
  readonly body: ErrorBody
  constructor(body: ErrorBody) {
    super(body.message)
    this.body = body
  }
}
