import type { Session } from '#contract/http/account.ts'
import { deviceWords } from '#domain/sessions/deviceWords.ts'
import { notFound } from '#server/http/call/callError.ts'
import type { Caller } from '#server/http/call/caller.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import type { SessionStore } from './sessions.store.ts'

/** What everybody sees and ends of their own sessions, and the zone in which they see times. */
export interface SessionService {
  readonly list: (caller: Caller) => Promise<Session[]>
  /** @throws CallError `not_found` also for sessions of others, and for those that have ended */
  readonly end: (id: number, caller: Caller, change: ChangeRecord) => Promise<void>
  readonly endOthers: (caller: Caller, change: ChangeRecord) => Promise<{ readonly endedCount: number }>
  readonly setTimeZone: (timeZone: string, caller: Caller, change: ChangeRecord) => Promise<void>
}

export function createSessionService(store: SessionStore): SessionService {
  const ownHash = ({ sessionHash }: Caller) => Buffer.from(sessionHash, 'hex')
  return {
    list: async (caller) => {
      const own = ownHash(caller)
      const sessions = (await store.list(caller.userId)).map(
        ({ id, tokenHash, isBound, userAgent, address, startedAt, lastUsedAt, endsAt }) => ({
          id,
          device: deviceWords(userAgent),
          address,
          started: startedAt.toISOString(),
          lastUsed: lastUsedAt.toISOString(),
          ends: endsAt.toISOString(),
          isCurrent: tokenHash.equals(own),
          isBound,
        }),
      )
      return [...sessions.filter(({ isCurrent }) => isCurrent), ...sessions.filter(({ isCurrent }) => !isCurrent)]
    },

    end: async (id, caller, change) => {
      change.about({ id })
      await store.transaction(async (transaction) => {
        const [ended] = await store.end(caller.userId, { id }, transaction)
        if (!ended) throw notFound()
        await change.done(transaction, {
          name: caller.username,
          customerId: caller.customerId ?? null,
          details: `A session was ended: ${deviceWords(ended.userAgent)}.`,
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
