import type { SignedInUser } from '#contract/http/app.ts'
import type { Statement, Tx } from '#server/http/call/audit.store.ts'
import { CallError } from '#server/http/call/callError.ts'
import type { ChangeRecord, Client } from '#server/http/call/route.ts'
import { bindSession } from './sessionBinding.ts'
import { authorityOf, type RightsNeeds, signedInUser } from './signedInUser.ts'
import type { Proof, SignInStore, UserRow } from './signIn.store.ts'
import { newToken, tokenHash } from './tokens.ts'

export interface SessionStartNeeds extends RightsNeeds {
  readonly store: Pick<SignInStore, 'openSession' | 'openSessionIn' | 'transaction'>
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
  /** Done with the session, or not at all. */
  readonly beside?: readonly Statement[]
  /** Uses up what the session is opened by, in the same transaction; absent: nothing is. */
  readonly first?: (transaction: Tx) => Promise<void>
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
export function createSessionStart({ store, longestHours, isReachedByTls, ...rights }: SessionStartNeeds) {
  return async ({ proof, client, change, accountId, beside = [], first }: Beginning): Promise<StartedSession> => {
    const { user } = proof
    change.about(...aboutOf(user))
    const accessToken = newToken()
    const hash = tokenHash(accessToken)
    const binding = bindSession(hash, client, { longestHours, isReachedByTls })
    if (binding === undefined && user.requiresBoundSession) throw new CallError('bound_sign_in_only')
    const opened = { proof, client, bindingHash: binding?.hash }
    if (first)
      await store.transaction(async (transaction) => {
        await first(transaction)
        for (const statement of beside) await transaction.executeQuery(statement)
        await store.openSessionIn(hash, opened, transaction)
        await change.done(transaction)
      })
    else await change.doneIn((auditRow) => store.openSession(hash, { ...opened, beside: [...beside, auditRow] }))
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
