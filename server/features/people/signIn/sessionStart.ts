import type { SignedInUser } from '#contract/http/people/signedInUser.ts'
import type { Statement, Tx } from '#server/http/call/audit.store.ts'
import { CallError } from '#server/http/call/callError.ts'
import type { ChangeRecord, Client } from '#server/http/call/route.ts'
import { bindSession } from './sessionBinding.ts'
import { authorityOf, type RightsDeps, signedInUser } from './signedInUser.ts'
import type { Proof, SignInStore, UserRow } from './signIn.store.ts'
import { newToken, tokenHash } from './tokens.ts'

export interface SessionStartDeps extends RightsDeps {
  readonly store: Pick<SignInStore, 'openSession' | 'openSessionWithin'>
  readonly longestHours: number
  /** The settings say that browsers reach the server over HTTPS. */
  readonly isReachedByTls: boolean
}

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
 * Begins every session, however the identity was proved, together with its audit row.
 * @throws CallError `bound_sign_in_only` before anything is done
 */
export function createSessionStart({ store, longestHours, isReachedByTls, ...rights }: SessionStartDeps) {
  function made({ proof, client, change, accountId }: Beginning) {
    const { user } = proof
    change.about(...aboutOf(user))
    const accessToken = newToken()
    const hash = tokenHash(accessToken)
    const binding = bindSession(hash, client, { longestHours, isReachedByTls })
    if (binding === undefined && user.requiresBoundSession) throw new CallError('bound_sign_in_only')
    const started = {
      answer: { ...signedInUser(user, authorityOf(user, rights), accountId), accessToken },
      cookies: binding?.cookies ?? [],
    }
    return { hash, opened: { proof, client, bindingHash: binding?.hash }, started }
  }

  return {
    /** @param beside statements that are executed with the session, or not at all */
    atOnce: async (beginning: Beginning, beside: readonly Statement[]): Promise<StartedSession> => {
      const { hash, opened, started } = made(beginning)
      await beginning.change.doneIn((auditRow) => store.openSession(hash, { ...opened, beside: [...beside, auditRow] }))
      return started
    },
    within: async (transaction: Tx, beginning: Beginning): Promise<StartedSession> => {
      const { hash, opened, started } = made(beginning)
      await store.openSessionWithin(transaction, hash, opened)
      await beginning.change.done(transaction)
      return started
    },
  }
}

export const aboutOf = (user: UserRow): Parameters<ChangeRecord['about']> => [
  { id: user.id as number, name: user.username, customerId: user.customerId },
  {
    userId: user.id,
    username: user.username,
    ...(user.customerId === null ? {} : { customerId: user.customerId }),
  },
]
