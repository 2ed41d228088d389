import type { Session } from '#contract/http/people/account.ts'
import type { UserId } from '#domain/ids.ts'
import { mayManage } from '#domain/permissions/people.ts'
import { deviceLabel } from '#domain/sessions/deviceLabels.ts'
import type { Db } from '#server/db/database.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import { foundRow } from '#server/http/call/changeSteps.store.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import { endSessionsOf, findSessionOwner, listSessionsOf, lockTimeZone, storeTimeZone } from './sessions.store.ts'

interface Parts {
  readonly db: Db
  readonly idleHours: number
}

/** Lists the caller's sessions, with the one that asks first. */
export async function listOwnSessions(parts: Parts, caller: Caller): Promise<Session[]> {
  const sessions = await sessionsOf(parts, caller.userId, caller)
  return [...sessions.filter(({ isCurrent }) => isCurrent), ...sessions.filter(({ isCurrent }) => !isCurrent)]
}

/** @throws CallError `not_found`, `forbidden` for users whom the caller does not manage */
export async function listSessionsOfUser(parts: Parts, userId: UserId, caller: Caller): Promise<Session[]> {
  await requireManaged(parts, userId, caller)
  return sessionsOf(parts, userId, caller)
}

export async function endSessionsOfUser(
  parts: Parts,
  { userId, id }: { readonly userId: UserId; readonly id?: number | undefined },
  caller: Caller,
  change: ChangeRecord,
): Promise<{ readonly endedCount: number }> {
  change.about({ id: userId })
  const { username, customerId } = await requireManaged(parts, userId, caller)
  change.about({ name: username })
  return parts.db.transaction().execute(async (transaction) => {
    const ended = await endSessionsOf(transaction, userId, id === undefined ? 'all' : { id }, parts.idleHours)
    const [first] = ended
    if (id !== undefined && !first) throw notFound()
    const details =
      id !== undefined && first
        ? `A session was ended: ${deviceLabel(first.userAgent)}.`
        : `Sessions that were ended: ${ended.length}.`
    await change.done(transaction, { customerId, details })
    return { endedCount: ended.length }
  })
}

/** @throws CallError `not_found` also for sessions of others, and for those that have ended */
export async function endOwnSession(
  { db, idleHours }: Parts,
  id: number,
  { userId, username, customerId }: Caller,
  change: ChangeRecord,
): Promise<void> {
  change.about({ id })
  await db.transaction().execute(async (transaction) => {
    const [ended] = await endSessionsOf(transaction, userId, { id }, idleHours)
    if (!ended) throw notFound()
    const details = `A session was ended: ${deviceLabel(ended.userAgent)}.`
    await change.done(transaction, { name: username, customerId: customerId ?? null, details })
  })
}

export function endAllOthers({ db, idleHours }: Parts, caller: Caller, change: ChangeRecord) {
  const { userId, username, customerId } = caller
  return db.transaction().execute(async (transaction) => {
    const ended = await endSessionsOf(transaction, userId, { allBut: ownHash(caller) }, idleHours)
    const details = `Other sessions that were ended: ${ended.length}.`
    await change.done(transaction, { name: username, customerId: customerId ?? null, details })
    return { endedCount: ended.length }
  })
}

export async function changeTimeZone(
  db: Db,
  timeZone: string,
  { userId, username, customerId }: Caller,
  change: ChangeRecord,
): Promise<void> {
  change.about({ id: userId, name: username })
  await db.transaction().execute(async (transaction) => {
    const before = { timeZone: await lockTimeZone(transaction, userId) }
    await storeTimeZone(transaction, userId, timeZone)
    await change.done(transaction, { customerId: customerId ?? null, before, after: { timeZone } })
  })
}

const ownHash = ({ sessionHash }: Caller) => Buffer.from(sessionHash, 'hex')

async function sessionsOf({ db, idleHours }: Parts, userId: UserId, caller: Caller): Promise<Session[]> {
  const own = ownHash(caller)
  return (await listSessionsOf(db, userId, idleHours)).map(
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

async function requireManaged({ db }: Parts, userId: UserId, caller: Caller) {
  const user = await foundRow(findSessionOwner(db, userId, scopeOf(caller)))
  if (!mayManage(caller, user)) throw new CallError('forbidden')
  return user
}
