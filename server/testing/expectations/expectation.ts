import type { ErrorCode } from '#contract/errors.ts'
import type { FunctionId } from '#domain/permissions/functions.ts'
import type { Request } from '#server/testing/callers.ts'

/** Says which functions may make a call, by hand and not from the contract: the two must agree. */
export type Allowed =
  | 'everybody'
  | 'signedIn'
  | 'internal'
  | { readonly labWith: readonly FunctionId[] }
  | { readonly staffWith: readonly FunctionId[] }
  | readonly FunctionId[]
/** The subject of a call; devices include one that came from the other customer, and one that went there. */
export type Target = 'own' | 'foreign' | 'deleted' | 'never' | 'movedIn' | 'movedAway'

export interface Expectation {
  readonly allowed: Allowed
  /** The kind of the subject; without it nothing can be foreign. */
  readonly about?: 'device' | 'customer' | 'user'
  readonly asked: (target: Target) => Request
  /** Everybody with the right gets this refusal: no device is connected here. */
  readonly refusal?: ErrorCode
  /** Runs before each use, for a call that leaves nothing for the next. */
  readonly prepare?: (target: Target) => Promise<void>
}

/** Only users of the other customer may read this. */
export const CANARY = 'canary of the other customer'
/** Users of the other customer must not read this: it is from before a device went to them. */
export const OWN_CANARY = 'canary of the own customer'

/** Every device has a report and a message in the last day. */
export const PERIOD = {
  dateFrom: new Date(Date.now() - 86_400_000).toISOString(),
  dateTo: new Date(Date.now() + 3_600_000).toISOString(),
}
