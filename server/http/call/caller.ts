import type { TokenScope } from '#contract/call/tokenScopes.ts'
import type { CustomerId, RoleId, UserId } from '#domain/ids.ts'
import type { Authority } from '#domain/permissions/permissions.ts'
import { CallError } from './callError.ts'

/** Who makes a call, with rights as they are at this moment. */
export interface Caller extends Authority {
  readonly userId: UserId
  readonly username: string
  readonly roleId: RoleId
  /** SHA-256 of the token, in hex: names the session, or the API token, without being able to use it. */
  readonly sessionHash: string
  /**
   * They have proved within the last 15 minutes who they are, by a second factor, or by their password where they have
   * none: for the calls that ask for it (`stepUp` of the contract).
   */
  readonly freshFactor: boolean
  /** Their session was begun without a session cookie: by a program, or in a browser that keeps no cookies. */
  readonly isPlainClient: boolean
  /** Where the request came from, behind trusted proxies. */
  readonly address: string
  /** Present: they come by this API token, and may do no more than it was made for. */
  readonly apiToken?: UsedApiToken
}

/** An API token as its use is judged and written down. */
export interface UsedApiToken {
  readonly id: number
  readonly name: string
  readonly beginning: string
  readonly scopes: readonly TokenScope[]
  /** Stands for the fresh factor, which a token cannot show. */
  readonly withFreshFactor: boolean
  /** Whether the roles of its user and of its maker let assistants use it. */
  readonly servesAssistants: boolean
  /** Of its user, who may see more than the token. Absent: staff. */
  readonly userCustomerId?: CustomerId
}

/**
 * For what reaches far by what is asked for, as only its service knows; of calls that always do the contract says `stepUp`.
 *
 * @throws CallError `step_up_required`
 */
export function requireFreshProof({ freshFactor }: Pick<Caller, 'freshFactor'>): void {
  if (!freshFactor) throw new CallError('step_up_required')
}

/** Whose rows a statement may touch. Every store function that reads or changes tenants' data takes one. */
export type Scope = { readonly kind: 'everything' } | { readonly kind: 'customer'; readonly customerId: CustomerId }

export function scopeOf(caller: Pick<Caller, 'customerId'>): Scope {
  return caller.customerId === undefined ? { kind: 'everything' } : { kind: 'customer', customerId: caller.customerId }
}
