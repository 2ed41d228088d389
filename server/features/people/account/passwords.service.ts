import type { UserId } from '#domain/ids.ts'
import { limitKeyOf } from '#domain/network/ipAddress.ts'
import { weaknessOf } from '#domain/passwords/passwordRules.ts'
import { mayManage } from '#domain/permissions/people.ts'
import type { Statement, Tx } from '#server/http/call/audit.store.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import type { ChangeRecord, Client } from '#server/http/call/route.ts'
import { RateLimited } from '#server/http/limits/rateLimits.ts'
import type { PasswordMailKind, PasswordStore } from './passwords.store.ts'

/** With more links than this nobody finds the right one, and nobody may flood a mailbox. */
const MOST_MAILS_TO_A_USER_PER_HOUR = 5
const MOST_MAILS_BY_A_CALLER_PER_HOUR = 60
const MAILS_AGAIN_AFTER_SECONDS = 900

interface Attempt {
  readonly username: string
  readonly address: string
}

export interface PasswordDeps {
  readonly store: PasswordStore
  readonly endSessions: (userId: UserId, except: Buffer | undefined, transaction: Tx) => Promise<unknown>
  readonly hashPassword: (password: string) => Promise<string>
  /** Explains in a sentence why somebody who knows these words would guess the password. */
  readonly whyGuessable: (password: string, personalTerms: readonly string[]) => Promise<string | undefined>
  readonly tokenHash: (token: string) => Buffer
  /** @throws CallError `wrong_credentials`, `too_many_requests` */
  readonly prove: (attempt: Attempt, password: string) => Promise<{ readonly forgiving: Statement }>
  /** Takes back what was counted against the account. */
  readonly forgiveAccount: (attempt: Attempt, transaction: Tx) => Promise<void>
}

export interface PasswordService {
  readonly change: (given: { oldPass: string; newPass: string }, caller: Caller, change: ChangeRecord) => Promise<void>
  /** @returns the address that the mail goes to */
  readonly sendMail: (kind: PasswordMailKind, id: UserId, caller: Caller, change: ChangeRecord) => Promise<string>
  readonly requestReset: (username: string, client: Client, change: ChangeRecord) => Promise<void>
  readonly checkLink: (token: string) => Promise<{ readonly username: string; readonly expires: string }>
  readonly setByToken: (
    given: { readonly token: string; readonly password: string },
    client: Client,
    change: ChangeRecord,
  ) => Promise<{ readonly username: string }>
}

export function createPasswordService(deps: PasswordDeps): PasswordService {
  const { store } = deps

  /** Judges a password only for callers who have proved their identity, because it takes time. */
  async function refuseGuessable(password: string, userId: UserId): Promise<void> {
    const weakness = await deps.whyGuessable(password, await store.personalTerms(userId))
    if (weakness !== undefined) throw new CallError('weak_password', weakness)
  }

  return {
    change: async ({ oldPass, newPass }, caller, change) => {
      const { userId, username, address } = caller
      change.about({ id: userId, name: username })
      refuseWeak(newPass, username)
      const { forgiving } = await deps.prove({ username, address }, oldPass).catch(asWrongOldPassword)
      try {
        if (newPass === oldPass) throw new CallError('weak_password', 'The new password is the old one.')
        await refuseGuessable(newPass, userId)
      } catch (refusal) {
        // The old password was right, so this was no guess.
        await store.transaction((transaction) => transaction.executeQuery(forgiving))
        throw refusal
      }
      const passwordHash = await deps.hashPassword(newPass)
      await store.transaction(async (transaction) => {
        await transaction.executeQuery(forgiving)
        await store.setPassword(userId, passwordHash, transaction)
        await deps.endSessions(userId, Buffer.from(caller.sessionHash, 'hex'), transaction)
        await change.done(transaction, {
          customerId: caller.customerId ?? null,
          details: 'The password was changed; other sessions ended.',
        })
      })
    },

    sendMail: (kind, id, caller, change) => {
      change.about({ id })
      return store.transaction(async (transaction) => {
        const user = await store.findMailable(id, scopeOf(caller), transaction)
        if (!user) throw notFound()
        change.about({ name: user.username })
        // Whoever reads that mailbox could otherwise sign in as somebody with more permissions.
        if (!mayManage(caller, user)) throw new CallError('forbidden')
        if (!user.maySignIn) throw new CallError('user_cannot_sign_in')
        const recent = await store.countRecentMails({ userId: id, askedBy: caller.userId }, transaction)
        if (recent.toUser >= MOST_MAILS_TO_A_USER_PER_HOUR || recent.byAsker >= MOST_MAILS_BY_A_CALLER_PER_HOUR) {
          throw new CallError('too_many_requests', 'Too many mails within an hour. Please wait a while.', {
            retryAfterSeconds: MAILS_AGAIN_AFTER_SECONDS,
          })
        }
        await store.queueMail(user, kind, caller.userId, transaction)
        const what = kind === 'activation' ? 'Registration e-mail' : 'Reset password e-mail'
        await change.done(transaction, { customerId: user.customerId, details: `${what} to ${user.username}.` })
        return user.username
      })
    },

    // The user is looked up later by a job, because the time of this answer could reveal whether the name exists.
    requestReset: async (username, { address, browser }, change) => {
      change.about({ name: username }, { username })
      const waitSeconds = await store.takeResetRequest(browser ?? limitKeyOf(address))
      if (waitSeconds > 0) throw new RateLimited(waitSeconds)
      return store.transaction(async (transaction) => {
        await store.noteResetRequest(username, transaction)
        await change.done(transaction, { details: 'A new password was asked for on the page of forgotten passwords.' })
      })
    },

    checkLink: async (token) => {
      const link = await store.findLink(deps.tokenHash(token))
      if (!link) throw new CallError('link_not_valid')
      return { username: link.username, expires: link.expiresAt.toISOString() }
    },

    setByToken: async ({ token, password }, { address }, change) => {
      const hash = deps.tokenHash(token)
      const link = await store.findLink(hash)
      if (!link) throw new CallError('link_not_valid')
      const { userId, username, customerId } = link
      change.about({ id: userId, name: username }, { userId, username, ...(customerId !== null && { customerId }) })
      refuseWeak(password, username)
      await refuseGuessable(password, userId)
      const passwordHash = await deps.hashPassword(password)
      await store.transaction(async (transaction) => {
        if (!(await store.takeLink(hash, transaction))) throw new CallError('link_not_valid')
        await store.setPassword(userId, passwordHash, transaction)
        await deps.endSessions(userId, undefined, transaction)
        await deps.forgiveAccount({ username, address }, transaction)
        await change.done(transaction, { customerId, details: 'The password was set by the link of an e-mail.' })
      })
      return { username }
    },
  }
}

function refuseWeak(password: string, username: string): void {
  const weakness = weaknessOf(password, username)
  if (weakness !== undefined) throw new CallError('weak_password', weakness)
}

/** A 401 would mean to the browser that its session has ended. */
function asWrongOldPassword(failure: unknown): never {
  if (failure instanceof CallError && failure.code === 'wrong_credentials') throw new CallError('wrong_old_password')
  throw failure
}
