import type { ReadBodyOf } from '#contract/call/call.ts'
import {
  deleteOnCallSchedule,
  LONGEST_OVERRIDE_DAYS,
  listOnCallSchedules,
  type OnCallSchedule,
  setOnCallOverride,
  setOnCallSchedule,
} from '#contract/http/alerting/onCall.ts'
import type { CustomerId, UserId } from '#domain/ids.ts'
import { onCallAt } from '#domain/notifications/onCall.ts'
import { DAY_MS } from '#domain/units/time.ts'
import type { Given } from '#server/features/feature.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import { type ChangeRecord, route } from '#server/http/call/route.ts'
import { type ScheduleRow, scheduleOf } from '#server/notifications/onCallRows.ts'
import { readNamed } from './notificationRoutes.store.ts'
import {
  addOverride,
  addSchedule,
  changeSchedule,
  type NamedPerson,
  readCustomerNames,
  readOwnSchedules,
  readPeople,
  removeOverride,
  removeSchedule,
  type WrittenSchedule,
} from './onCall.store.ts'
import { addOwn, changeOwn } from './ownChange.store.ts'

type Request = ReadBodyOf<typeof setOnCallSchedule>
type RequestedOverride = ReadBodyOf<typeof setOnCallOverride>
type OnCallDeps = Pick<Given, 'db' | 'clock'>

/** Manages who is on call in turn, and who stands in. */
export const onCallFeature = (deps: OnCallDeps) => ({
  routes: [
    route(listOnCallSchedules, ({ caller }) => list(deps, caller)),
    route(setOnCallSchedule, ({ body, caller, change }) => {
      change.about({ name: body.name })
      return body.id > 0 ? edited(deps, body, caller, change) : added(deps, body, caller, change)
    }),
    route(deleteOnCallSchedule, ({ body: { id }, caller, change }) =>
      changeOne(deps, { id, caller, change }, async (transaction, before) => {
        await removeSchedule(transaction, id)
        return { answer: {}, before: auditedOf(before) }
      }),
    ),
    route(setOnCallOverride, ({ body, caller, change }) => override(deps, body, caller, change)),
  ],
})

async function list({ db, clock }: OnCallDeps, caller: Caller): Promise<OnCallSchedule[]> {
  const rows = await readOwnSchedules(db, scopeOf(caller), clock.now())
  const ids = rows.flatMap(({ members, overrides }) => [...members, ...overrides].map(({ userId }) => userId))
  const people = await readPeople(db, ids)
  const customers = await readCustomerNames(db)
  return rows.map((row) => toSchedule(row, people, customers, clock.now()))
}

const added = ({ db }: OnCallDeps, asked: Request, caller: Caller, change: ChangeRecord): Promise<number> => {
  const { id: _, customerId: owner, ...written } = asked
  return addOwn(db, { customerId: owner, caller, change }, async (transaction, customerId) => {
    await checkMembers(transaction, written, customerId)
    const id = await addSchedule(transaction, written, customerId, caller.userId)
    return { answer: id, id, name: written.name, after: written }
  })
}

const edited = (deps: OnCallDeps, asked: Request, caller: Caller, change: ChangeRecord): Promise<number> => {
  const { id, customerId: _, ...written } = asked
  return changeOne(deps, { id, caller, change }, async (transaction, before) => {
    await checkMembers(transaction, written, before.customerId)
    await changeSchedule(transaction, id, written)
    return { answer: id, name: written.name, before: auditedOf(before), after: written }
  })
}

const changeOne = <Answer>(
  { db, clock }: OnCallDeps,
  about: Parameters<typeof changeOwn>[1],
  work: Parameters<typeof changeOwn<ScheduleRow, Answer>>[3],
) =>
  changeOwn(
    db,
    about,
    async (transaction, scope, id) =>
      (await readOwnSchedules(transaction, scope, clock.now())).find((row) => row.id === id),
    work,
  )

const override = (deps: OnCallDeps, asked: RequestedOverride, caller: Caller, change: ChangeRecord): Promise<number> =>
  changeOne(deps, { id: asked.rotaId, caller, change }, async (transaction, { id, customerId }) => {
    if (asked.removesId !== undefined) {
      if (!(await removeOverride(transaction, id, asked.removesId))) throw notFound()
      return { answer: asked.removesId, details: 'An override was taken back' }
    }
    const { userId, from, to } = readOverride(asked, deps.clock.now())
    await checkPeople(transaction, [userId], customerId)
    const answer = await addOverride(transaction, id, { userId, from, to })
    return { answer, after: { userId, from: from.toISOString(), to: to.toISOString() } }
  })

/** @throws CallError `not_found` for somebody of another customer, or an unknown id */
async function checkPeople(transaction: Tx, ids: readonly UserId[], customerId: CustomerId | null) {
  const people = await readPeople(transaction, ids)
  for (const id of ids) {
    const person = people.get(id)
    if (!person || (customerId !== null && person.customerId !== customerId)) throw notFound()
  }
}

async function checkMembers(transaction: Tx, { members }: WrittenSchedule, customerId: CustomerId | null) {
  await checkPeople(
    transaction,
    members.map(({ userId }) => userId),
    customerId,
  )
  const channels = await readNamed(transaction, 'channel')
  for (const { channelId } of members) {
    const channel = channelId === null ? undefined : channels.get(channelId)
    if (channelId !== null && (!channel || (customerId !== null && channel.customerId !== customerId))) throw notFound()
  }
}

function readOverride({ userId, from, to }: RequestedOverride, now: Date) {
  const missing = Object.entries({ userId, from, to }).find(([, value]) => value === undefined)
  if (missing || userId === undefined) throw new CallError('invalid_request', `${missing?.[0]}: It is required.`)
  const read = { userId, from: new Date(from ?? ''), to: new Date(to ?? '') }
  const refuse = (says: string) => new CallError('invalid_request', `to: ${says}`)
  if (read.to <= read.from) throw refuse('It must be after it begins.')
  if (read.to <= now) throw refuse('It must be still to come.')
  if (read.to.getTime() - read.from.getTime() > LONGEST_OVERRIDE_DAYS * DAY_MS)
    throw refuse(`It must be at most ${LONGEST_OVERRIDE_DAYS} days after it begins.`)
  return read
}

const auditedOf = ({ name, timeZone, firstDay, handOver, everyDays, members }: ScheduleRow): WrittenSchedule => ({
  name,
  timeZone,
  firstDay,
  handOver,
  everyDays,
  members: [...members],
})

function toSchedule(
  row: ScheduleRow,
  people: ReadonlyMap<UserId, NamedPerson>,
  customers: ReadonlyMap<number, string>,
  now: Date,
): OnCallSchedule {
  const nameOf = (id: UserId) => people.get(id)?.name ?? ''
  const schedule = scheduleOf(row)
  const onCall = onCallAt(schedule, now.getTime())
  const next = onCall && onCallAt(schedule, onCall.untilMs)
  const at = (ms: number) => new Date(ms).toISOString()
  const { id, name, customerId, timeZone, firstDay, handOver, everyDays, members, overrides } = row
  return {
    ...{ id, name, customerId, timeZone, firstDay, handOver, everyDays },
    customerName: customerId === null ? '' : (customers.get(customerId) ?? ''),
    members: members.map(({ userId, channelId }) => ({ userId, name: nameOf(userId), channelId })),
    overrides: overrides.map(({ id: overrideId, userId, fromMs, toMs }) => ({
      id: overrideId,
      userId,
      name: nameOf(userId),
      from: at(fromMs),
      to: at(toMs),
    })),
    onCall: onCall ? { userId: onCall.userId, name: nameOf(onCall.userId), until: at(onCall.untilMs) } : null,
    next: onCall && next ? { userId: next.userId, name: nameOf(next.userId), from: at(onCall.untilMs) } : null,
  }
}
