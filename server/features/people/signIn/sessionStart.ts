import type { SignedInUser } from '#contract/http/people/signedInUser.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError } from '#server/http/call/callError.ts'
import type { ChangeRecord, Client } from '#server/http/call/route.ts'
import { isReachedByTls } from '#server/network/publicAddress.ts'
import type { Config } from '#server/settings/config.ts'
import { bindSession } from './sessionBinding.ts'
import { authorityOf, type RightsConfig, signedInUser } from './signedInUser.ts'
import { openSession, type Proof, type UserRow } from './signIn.store.ts'
import { newToken, tokenHash } from './tokens.ts'

export type SessionConfig = RightsConfig & Pick<Config, 'sessionLongestHours' | 'publicUrl' | 'tlsCert'>

/** What somebody who has proved who they are begins a session with. */
interface Beginning {
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
 * The one place where a session begins, with its audit row, by whatever way somebody has proved who they are.
 *
 * @throws CallError `bound_sign_in_only` before anything is done
 */
export async function beginSession(
  transaction: Tx,
  config: SessionConfig,
  { proof, client, change, accountId }: Beginning,
): Promise<StartedSession> {
  const { user } = proof
  const { sessionLongestHours: longestHours } = config
  change.about(...aboutOf(user))
  const accessToken = newToken()
  const hash = tokenHash(accessToken)
  const binding = bindSession(hash, client, { longestHours, isReachedByTls: isReachedByTls(config) })
  if (binding === undefined && user.requiresBoundSession) throw new CallError('bound_sign_in_only')
  await openSession(transaction, hash, { proof, client, bindingHash: binding?.hash, longestHours })
  await change.done(transaction)
  return {
    answer: { ...signedInUser(user, authorityOf(user, config), accountId), accessToken },
    cookies: binding?.cookies ?? [],
  }
}

/** Names to the audit log whose session it is, and who makes it. */
export const aboutOf = (user: UserRow): Parameters<ChangeRecord['about']> => [
  { id: user.id as number, name: user.username, customerId: user.customerId },
  {
    userId: user.id,
    username: user.username,
    ...(user.customerId === null ? {} : { customerId: user.customerId }),
  },
]
