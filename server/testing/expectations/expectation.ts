import type { ErrorCode } from '#contract/errors.ts'
import type { FunctionId } from '#domain/permissions/functions.ts'
import type { Request } from '#server/testing/callers.ts'

/** Which functions may make a call, by hand and not from the contract: the two must agree. */
export type Allowed =
  | 'everybody'
  | 'signedIn'
  | 'internal'
  | { readonly labWith: readonly FunctionId[] }
  | { readonly staffWith: readonly FunctionId[] }
  | readonly FunctionId[]
/** What a call is asked about; of devices also one that came from the other customer, and one that went there. */
export type Target = 'own' | 'foreign' | 'deleted' | 'never' | 'movedIn' | 'movedAway'

export interface Expectation {
  readonly allowed: Allowed
  /** What the call is about; without it there is nothing to be foreign. */
  readonly about?: 'device' | 'customer' | 'user'
  readonly asked: (target: Target) => Request
  /** What everybody who may make the call is refused with: here no device is connected. */
  readonly refusal?: ErrorCode
  /** Before each use, for a call that leaves nothing for the next. */
  readonly prepare?: (target: Target) => Promise<void>
}

/** What only users of the other customer may read. */
export const CANARY = 'canary of the other customer'
/** What they may not: of the time before a device went to them. */
export const OWN_CANARY = 'canary of the own customer'

/** The last day, in which every device has a report and a message. */
export const PERIOD = {
  dateFrom: new Date(Date.now() - 86_400_000).toISOString(),
  dateTo: new Date(Date.now() + 3_600_000).toISOString(),
}
