import { createStore, del, entries, get, set } from 'idb-keyval'
import { send } from '#console/lib/call/api.ts'
import { CallFailed } from '#console/lib/call/CallFailed.ts'
import { readSession } from '#console/lib/call/sessionStore.ts'
import { Listeners } from '#console/lib/notice/Listeners.ts'
import { KEPT, KEPT_STORE, keepFor, noteUnsentVisits } from '#console/lib/session/onDevice.ts'
import type { BodyOf } from '#contract/call/call.ts'
import { addVisitPhoto, recordVisit } from '#contract/http/devices/visits.ts'
import type { DeviceGuid, UserId } from '#domain/ids.ts'
import type { QueuedPhoto, VisitDraft } from './visitDraft.ts'

const store = createStore(KEPT, KEPT_STORE)
const QUEUED = 'visit '
const keyOf = (key: string) => `${QUEUED}${key}`

/** A visit that was written on this device and is not sent yet, or not with all its photos. */
export interface QueuedVisit {
  /** The same visit is never written twice, however often it is sent. */
  readonly key: string
  readonly userId: UserId
  readonly guid: DeviceGuid
  readonly deviceName: string
  readonly body: BodyOf<typeof recordVisit>
  readonly photos: readonly QueuedPhoto[]
  /** Set once the server has written it down. */
  readonly visitId?: number
  /** Why the server refused it; it is kept until somebody sends it again or discards it. */
  readonly refusal?: string
}

const listeners = new Listeners()
export const onQueueChange = listeners.subscribe
let queued: readonly QueuedVisit[] = []
export const readQueue = (): readonly QueuedVisit[] => queued

export async function loadQueue(): Promise<void> {
  const userId = readSession()?.user.id
  const all = await entries<string, QueuedVisit>(store)
  queued = all.flatMap(([key, visit]) => (key.startsWith(QUEUED) && visit.userId === userId ? [visit] : []))
  noteUnsentVisits(queued.length)
  listeners.notify()
}

/** Keeps something of a user while they are signed in: an answer may come after everything was removed. */
async function put(userId: UserId, key: string, value: unknown): Promise<void> {
  if (readSession()?.user.id !== userId) return
  await keepFor(userId)
  await set(key, value, store)
}

async function keep(visit: QueuedVisit): Promise<void> {
  await put(visit.userId, keyOf(visit.key), visit)
  await loadQueue()
}

/** Sends a refused visit once more; what refused it may have changed. */
export async function sendAgain({ refusal: _, ...visit }: QueuedVisit): Promise<void> {
  await keep(visit)
  await sendQueue()
}

export async function discard(key: string): Promise<void> {
  await del(keyOf(key), store)
  await loadQueue()
}

/** Keeps the visit on this device first, so that nothing is lost whatever the network does, and sends it. */
export async function queueVisit(visit: QueuedVisit): Promise<void> {
  await keep(visit)
  await sendQueue()
}

/** Sends what waits, the oldest first. Two tabs never send at the same time. */
export function sendQueue(): Promise<void> {
  const run = async () => {
    await loadQueue()
    for (const { key } of queued) if (!(await sendOne(key))) break
    await loadQueue()
  }
  return navigator.locks === undefined ? run() : navigator.locks.request(KEPT, run)
}

/** These judge what was written. Whatever else fails may pass: no network, no session, a server in trouble, a limit. */
const REFUSES: readonly number[] = [400, 403, 404, 409, 413]

/** @returns false when the network or the server does not answer, so that the others wait as well */
async function sendOne(key: string): Promise<boolean> {
  const visit = await get<QueuedVisit>(keyOf(key), store)
  if (visit === undefined || visit.refusal !== undefined) return true
  try {
    const { visitId } =
      visit.visitId === undefined ? await send(recordVisit, { body: visit.body, creationKey: key } as never) : visit
    let rest: QueuedVisit = { ...visit, visitId: visitId as number }
    await keep(rest)
    for (const photo of visit.photos) {
      await send(addVisitPhoto, { body: { visitId: rest.visitId as number, ...photo } })
      rest = { ...rest, photos: rest.photos.filter((one) => one.key !== photo.key) }
      await keep(rest)
    }
    await discard(key)
    return true
  } catch (failure) {
    if (!(failure instanceof CallFailed)) throw failure
    if (!REFUSES.includes(failure.status)) return false
    const kept = await get<QueuedVisit>(keyOf(key), store)
    if (kept !== undefined) await keep({ ...kept, refusal: failure.message })
    return true
  }
}

/** The last answer of a call is kept by this name for times without network. */
export async function keepAnswer(name: string, userId: UserId, answer: unknown): Promise<void> {
  await put(userId, `answer ${userId} ${name}`, { at: Date.now(), answer })
}

export interface KeptAnswer<Answer> {
  readonly at: number
  readonly answer: Answer
}

export const keptAnswer = <Answer>(name: string, userId: UserId) =>
  get<KeptAnswer<Answer>>(`answer ${userId} ${name}`, store)

const draftKey = (guid: DeviceGuid, userId: UserId) => `draft ${userId} ${guid}`

export const keptDraft = (guid: DeviceGuid, userId: UserId) => get<VisitDraft>(draftKey(guid, userId), store)

export const keepDraft = (guid: DeviceGuid, userId: UserId, draft: VisitDraft) =>
  put(userId, draftKey(guid, userId), draft)

export const dropDraft = (guid: DeviceGuid, userId: UserId) => del(draftKey(guid, userId), store)
