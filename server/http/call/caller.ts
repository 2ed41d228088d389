import type { TokenScope } from '#contract/call/tokenScopes.ts'
import type { CustomerId, RoleId, UserId } from '#domain/ids.ts'
import type { Authority } from '#domain/permissions/permissions.ts'
import { CallError } from './callError.ts'

/** The user or API token that makes a call, with its permissions at this moment. */
export interface Caller extends Authority {
  readonly userId: UserId
  readonly username: string
  readonly roleId: RoleId
  /** SHA-256 of the token in hex. It names the session or the API token, and cannot be used to sign in. */
  readonly sessionHash: string
  /**
   * The caller has confirmed their identity within the last 15 minutes, by a second factor or, where they have none, by
   * their password. Calls with `stepUp` in the contract ask for it.
   */
  readonly freshFactor: boolean
  /** The session was begun without a session cookie: by a program, or in a browser that keeps no cookies. */
  readonly isPlainClient: boolean
  /** The client's address, as trusted proxies report it. */
  readonly address: string
  /** Set when the call was made with an API token, which bounds what the call may do. */
  readonly apiToken?: UsedApiToken
}

export interface UsedApiToken {
  readonly id: number
  readonly name: string
  readonly beginning: string
  readonly scopes: readonly TokenScope[]
  /** It replaces the fresh proof of identity, which a program cannot give. */
  readonly withFreshFactor: boolean
  /** The roles of the token's user and of its maker both permit assistants. */
  readonly servesAssistants: boolean
  /** The customer of the token's user, who may see more than the token. It is undefined for staff. */
  readonly userCustomerId?: CustomerId
}

/**
 * Asks for a fresh proof where only the service knows that the request reaches far; calls that always do declare
 * `stepUp`.
 * @throws CallError `step_up_required`
 */
export function requireFreshProof({ freshFactor }: Pick<Caller, 'freshFactor'>): void {
  if (!freshFactor) throw new CallError('step_up_required')
}

/** The rows that a statement may touch. Every store function that reads or changes tenants' data takes one. */
export type Scope = { readonly kind: 'everything' } | { readonly kind: 'customer'; readonly customerId: CustomerId }

export function scopeOf(caller: Pick<Caller, 'customerId'>): Scope {
  return caller.customerId === undefined ? { kind: 'everything' } : { kind: 'customer', customerId: caller.customerId }
}
