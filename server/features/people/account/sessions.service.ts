import type { Session } from '#contract/http/people/account.ts'
import type { UserId } from '#domain/ids.ts'
import { mayManage } from '#domain/permissions/people.ts'
import { deviceLabel } from '#domain/sessions/deviceLabels.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import type { SessionOwner, SessionStore } from './sessions.store.ts'

export interface SessionService {
  readonly list: (caller: Caller) => Promise<Session[]>
  /** @throws CallError `not_found` also for sessions of others, and for those that have ended */
  readonly end: (id: number, caller: Caller, change: ChangeRecord) => Promise<void>
  readonly endOthers: (caller: Caller, change: ChangeRecord) => Promise<{ readonly endedCount: number }>
  /** @throws CallError `not_found`, `forbidden` for users whom the caller does not manage */
  readonly listOf: (userId: UserId, caller: Caller) => Promise<Session[]>
  readonly endOf: (
    asked: { readonly userId: UserId; readonly id?: number | undefined },
    caller: Caller,
    change: ChangeRecord,
  ) => Promise<{ readonly endedCount: number }>
  readonly setTimeZone: (timeZone: string, caller: Caller, change: ChangeRecord) => Promise<void>
}

export function createSessionService(store: SessionStore): SessionService {
  const ownHash = ({ sessionHash }: Caller) => Buffer.from(sessionHash, 'hex')
  async function sessionsOf(userId: UserId, caller: Caller): Promise<Session[]> {
    const own = ownHash(caller)
    return (await store.list(userId)).map(
      ({ id, tokenHash, isBound, userAgent, address, startedAt, lastUsedAt, endsAt }) => ({
        id,
        device: deviceLabel(userAgent),
        address,
        started: startedAt.toISOString(),
        lastUsed: lastUsedAt.toISOString(),
        ends: endsAt.toISOString(),
        isCurrent: tokenHash.equals(own),
        isBound,
      }),
    )
  }

  async function managed(userId: UserId, caller: Caller): Promise<SessionOwner> {
    const user = await store.findUser(userId, scopeOf(caller))
    if (!user) throw notFound()
    if (!mayManage(caller, user)) throw new CallError('forbidden')
    return user
  }

  return {
    list: async (caller) => {
      const sessions = await sessionsOf(caller.userId, caller)
      return [...sessions.filter(({ isCurrent }) => isCurrent), ...sessions.filter(({ isCurrent }) => !isCurrent)]
    },

    listOf: async (userId, caller) => {
      await managed(userId, caller)
      return sessionsOf(userId, caller)
    },

    endOf: async ({ userId, id }, caller, change) => {
      change.about({ id: userId })
      const { username, customerId } = await managed(userId, caller)
      change.about({ name: username })
      return store.transaction(async (transaction) => {
        const ended = await store.end(userId, id === undefined ? 'all' : { id }, transaction)
        const [first] = ended
        if (id !== undefined && !first) throw notFound()
        const details =
          id !== undefined && first
            ? `A session was ended: ${deviceLabel(first.userAgent)}.`
            : `Sessions that were ended: ${ended.length}.`
        await change.done(transaction, { customerId, details })
        return { endedCount: ended.length }
      })
    },

    end: async (id, caller, change) => {
      change.about({ id })
      await store.transaction(async (transaction) => {
        const [ended] = await store.end(caller.userId, { id }, transaction)
        if (!ended) throw notFound()
        await change.done(transaction, {
          name: caller.username,
          customerId: caller.customerId ?? null,
          details: `A session was ended: ${deviceLabel(ended.userAgent)}.`,
        })
      })
    },

    endOthers: (caller, change) =>
      store.transaction(async (transaction) => {
        const ended = await store.end(caller.userId, { allBut: ownHash(caller) }, transaction)
        await change.done(transaction, {
          name: caller.username,
          customerId: caller.customerId ?? null,
          details: `Other sessions that were ended: ${ended.length}.`,
        })
        return { endedCount: ended.length }
      }),

    setTimeZone: async (timeZone, caller, change) => {
      change.about({ id: caller.userId, name: caller.username })
      await store.transaction(async (transaction) => {
        const before = await store.timeZone(caller.userId, transaction)
        await store.setTimeZone(caller.userId, timeZone, transaction)
        await change.done(transaction, {
          customerId: caller.customerId ?? null,
          before: { timeZone: before },
          after: { timeZone },
        })
      })
    },
  }
}
