import type { UserId } from '#domain/ids.ts'
import { limitKeyOf } from '#domain/network/ipAddress.ts'
import { mayManage } from '#domain/permissions/people.ts'
import type { Db } from '#server/db/database.ts'
import { CallError } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import { foundRow } from '#server/http/call/changeSteps.store.ts'
import type { ChangeRecord, Client } from '#server/http/call/route.ts'
import { RateLimited } from '#server/http/limits/rateLimits.ts'
import { type PasswordParts, refuseGuessable, refuseWeak } from './passwordChange.ts'
import {
  countRecentMails,
  findLink,
  lockMailable,
  noteResetRequest,
  type PasswordMailKind,
  queueMail,
  storePassword,
  takeLink,
  takeResetRequest,
} from './passwords.store.ts'
import { endSessionsOf } from './sessions.store.ts'

/** More links than this make nobody find the right one, and a mailbox is not a toy. */
const MOST_MAILS_TO_A_USER_PER_HOUR = 5
const MOST_MAILS_BY_A_CALLER_PER_HOUR = 60
const MAILS_AGAIN_AFTER_SECONDS = 900

/** @returns the address that the mail goes to */
export function sendLink(
  db: Db,
  kind: PasswordMailKind,
  id: UserId,
  caller: Caller,
  change: ChangeRecord,
): Promise<string> {
  change.about({ id })
  return db.transaction().execute(async (transaction) => {
    const user = await foundRow(lockMailable(transaction, id, scopeOf(caller)))
    change.about({ name: user.username })
    // Whoever reads that mailbox would become somebody who may do more.
    if (!mayManage(caller, user)) throw new CallError('forbidden')
    if (!user.maySignIn) throw new CallError('user_cannot_sign_in')
    const recent = await countRecentMails(transaction, { userId: id, askedBy: caller.userId })
    if (recent.toUser >= MOST_MAILS_TO_A_USER_PER_HOUR || recent.byAsker >= MOST_MAILS_BY_A_CALLER_PER_HOUR) {
      throw new CallError('too_many_requests', 'Too many mails within an hour. Please wait a while.', {
        retryAfterSeconds: MAILS_AGAIN_AFTER_SECONDS,
      })
    }
    await queueMail(transaction, user, kind, caller.userId)
    const what = kind === 'activation' ? 'Registration e-mail' : 'Reset password e-mail'
    await change.done(transaction, { customerId: user.customerId, details: `${what} to ${user.username}.` })
    return user.username
  })
}

/** Whether there is such a user is looked up later, where nobody waits for an answer that could tell by its time. */
export async function requestReset(
  db: Db,
  username: string,
  { address, browser }: Client,
  change: ChangeRecord,
): Promise<void> {
  change.about({ name: username }, { username })
  const waitSeconds = await takeResetRequest(db, browser ?? limitKeyOf(address))
  if (waitSeconds > 0) throw new RateLimited(waitSeconds)
  await db.transaction().execute(async (transaction) => {
    await noteResetRequest(transaction, username)
    await change.done(transaction, { details: 'A new password was asked for on the page of forgotten passwords.' })
  })
}

export async function checkLink({ db, tokenHash }: Pick<PasswordParts, 'db' | 'tokenHash'>, token: string) {
  const { username, expiresAt } = await requireLink(db, tokenHash(token))
  return { username, expires: expiresAt.toISOString() }
}

export async function setPasswordByLink(
  parts: PasswordParts,
  { token, password }: { readonly token: string; readonly password: string },
  { address }: Client,
  change: ChangeRecord,
): Promise<{ readonly username: string }> {
  const { db } = parts
  const hash = parts.tokenHash(token)
  const { userId, username, customerId } = await requireLink(db, hash)
  change.about({ id: userId, name: username }, { userId, username, ...(customerId !== null && { customerId }) })
  refuseWeak(password, username)
  await refuseGuessable(parts, password, userId)
  const passwordHash = await parts.hashPassword(password)
  await db.transaction().execute(async (transaction) => {
    if (!(await takeLink(transaction, hash))) throw new CallError('link_not_valid')
    await storePassword(transaction, userId, passwordHash)
    await endSessionsOf(transaction, userId, 'all', parts.idleHours)
    await parts.forgiveAccount(transaction, { username, address })
    await change.done(transaction, { customerId, details: 'The password was set by the link of an e-mail.' })
  })
  return { username }
}

async function requireLink(db: Db, tokenHash: Buffer) {
  const link = await findLink(db, tokenHash)
  if (!link) throw new CallError('link_not_valid')
  return link
}
