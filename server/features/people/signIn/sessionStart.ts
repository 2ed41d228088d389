import type { SignedInUser } from '#contract/http/people/signedInUser.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError } from '#server/http/call/callError.ts'
import type { ChangeRecord, Client } from '#server/http/call/route.ts'
import { bindSession } from './sessionBinding.ts'
import { authorityOf, type RightsDeps, signedInUser } from './signedInUser.ts'
import type { Proof, SignInStore, UserRow } from './signIn.store.ts'
import { newToken, tokenHash } from './tokens.ts'

export interface SessionStartDeps extends RightsDeps {
  readonly store: Pick<SignInStore, 'openSession'>
  readonly longestHours: number
  /** Whether browsers come by https, as far as the settings say. */
  readonly isReachedByTls: boolean
}

/** What somebody who has proved who they are begins a session with. */
export interface Beginning {
  readonly proof: Proof
  readonly client: Client
  readonly change: ChangeRecord
  readonly accountId: number
}

export interface StartedSession {
  readonly answer: SignedInUser & { readonly accessToken: string }
  /** Values of the header `Set-Cookie`. */
  readonly cookies: readonly string[]
}

/**
 * The one place where a session begins, by whatever way somebody has proved who they are. With its audit row.
 *
 * @throws CallError `bound_sign_in_only` before anything is done
 */
export function createSessionStart({ store, longestHours, isReachedByTls, ...rights }: SessionStartDeps) {
  return async (transaction: Tx, { proof, client, change, accountId }: Beginning): Promise<StartedSession> => {
    const { user } = proof
    change.about(...aboutOf(user))
    const accessToken = newToken()
    const hash = tokenHash(accessToken)
    const binding = bindSession(hash, client, { longestHours, isReachedByTls })
    if (binding === undefined && user.requiresBoundSession) throw new CallError('bound_sign_in_only')
    await store.openSession(hash, { proof, client, bindingHash: binding?.hash }, transaction)
    await change.done(transaction)
    return {
      answer: { ...signedInUser(user, authorityOf(user, rights), accountId), accessToken },
      cookies: binding?.cookies ?? [],
    }
  }
}

/** Whose session it is, and who makes it. */
export const aboutOf = (user: UserRow): Parameters<ChangeRecord['about']> => [
  { id: user.id as number, name: user.username, customerId: user.customerId },
  {
    userId: user.id,
    username: user.username,
    ...(user.customerId === null ? {} : { customerId: user.customerId }),
  },
]
