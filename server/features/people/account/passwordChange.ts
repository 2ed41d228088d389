import type { UserId } from '#domain/ids.ts'
import { weaknessOf } from '#domain/passwords/passwordRules.ts'
import type { Db } from '#server/db/database.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError } from '#server/http/call/callError.ts'
import type { Caller } from '#server/http/call/caller.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import { personalTermsOf, storePassword } from './passwords.store.ts'
import { endSessionsOf } from './sessions.store.ts'

interface Attempt {
  readonly username: string
  readonly address: string
}

export interface PasswordParts {
  readonly db: Db
  readonly idleHours: number
  readonly hashPassword: (password: string) => Promise<string>
  /** Explains in a sentence why a password would be guessed by whoever knows these words. */
  readonly whyGuessable: (password: string, personalTerms: readonly string[]) => Promise<string | undefined>
  readonly tokenHash: (token: string) => Buffer
  /** @throws CallError `wrong_credentials`, `too_many_requests` */
  readonly prove: (
    attempt: Attempt,
    password: string,
  ) => Promise<{ readonly forgive: (transaction: Tx) => Promise<void> }>
  /** Takes back what counts against a name. */
  readonly forgiveAccount: (transaction: Tx, attempt: Attempt) => Promise<void>
}

export async function changeOwnPassword(
  parts: PasswordParts,
  { oldPass, newPass }: { readonly oldPass: string; readonly newPass: string },
  caller: Caller,
  change: ChangeRecord,
): Promise<void> {
  const { db } = parts
  const { userId, username, address } = caller
  change.about({ id: userId, name: username })
  refuseWeak(newPass, username)
  const { forgive } = await parts.prove({ username, address }, oldPass).catch(asWrongOldPassword)
  try {
    if (newPass === oldPass) throw new CallError('weak_password', 'The new password is the old one.')
    await refuseGuessable(parts, newPass, userId)
  } catch (refusal) {
    // The old password was right: this was no guess.
    await db.transaction().execute(forgive)
    throw refusal
  }
  const passwordHash = await parts.hashPassword(newPass)
  await db.transaction().execute(async (transaction) => {
    await forgive(transaction)
    await storePassword(transaction, userId, passwordHash)
    await endSessionsOf(transaction, userId, { allBut: Buffer.from(caller.sessionHash, 'hex') }, parts.idleHours)
    await change.done(transaction, {
      customerId: caller.customerId ?? null,
      details: 'The password was changed; other sessions ended.',
    })
  })
}

export function refuseWeak(password: string, username: string): void {
  const weakness = weaknessOf(password, username)
  if (weakness !== undefined) throw new CallError('weak_password', weakness)
}

/** Asked only of those who have proved who they are: it takes time. */
export async function refuseGuessable(
  { db, whyGuessable }: Pick<PasswordParts, 'db' | 'whyGuessable'>,
  password: string,
  userId: UserId,
): Promise<void> {
  const weakness = await whyGuessable(password, await personalTermsOf(db, userId))
  if (weakness !== undefined) throw new CallError('weak_password', weakness)
}

/** A 401 would mean that the session is over. */
function asWrongOldPassword(failure: unknown): never {
  if (failure instanceof CallError && failure.code === 'wrong_credentials') throw new CallError('wrong_old_password')
  throw failure
}
