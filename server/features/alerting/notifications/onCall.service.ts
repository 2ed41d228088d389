import type { ReadBodyOf } from '#contract/call/call.ts'
import {
  LONGEST_OVERRIDE_DAYS,
  type RotaOnWire,
  type setRota,
  type setRotaOverride,
} from '#contract/http/alerting/onCall.ts'
import type { CustomerId, UserId } from '#domain/ids.ts'
import { onCallAt } from '#domain/notifications/onCall.ts'
import { DAY_MS } from '#domain/units/time.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, type Scope, scopeOf } from '#server/http/call/caller.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import { type RotaRow, readRotas, rotaOf } from '#server/notifications/onCallRows.ts'
import { ownerOf } from './notificationRoutes.service.ts'
import { hasCustomer, readNamed } from './notificationRoutes.store.ts'
import {
  addOverride,
  addRota,
  changeRota,
  deleteRota,
  type NamedPerson,
  readPeople,
  removeOverride,
  type WrittenRota,
} from './onCall.store.ts'
import type { RoutingStore } from './routing.store.ts'

type Request = ReadBodyOf<typeof setRota>
type Statements = RoutingStore['statements']
type RequestedOverride = ReadBodyOf<typeof setRotaOverride>

export interface RotasDeps {
  readonly store: RoutingStore
  readonly now: () => Date
}

export type Rotas = ReturnType<typeof createRotas>

export function createRotas({ store, now }: RotasDeps) {
  async function own(statements: Statements, scope: Scope, id: number): Promise<RotaRow> {
    const found = (await readRotas(statements, now())).find((row) => row.id === id && isOf(row, scope))
    if (!found) throw notFound()
    return found
  }

  return {
    list: async (caller: Caller): Promise<RotaOnWire[]> => {
      const { statements } = store
      const rows = (await readRotas(statements, now())).filter((row) => isOf(row, scopeOf(caller)))
      const ids = rows.flatMap(({ members, overrides }) => [...members, ...overrides].map(({ userId }) => userId))
      const people = await readPeople(statements, ids)
      const customers = await store.customerNames(statements)
      return rows.map((row) => toWire(row, people, customers, now()))
    },

    set: (asked: Request, caller: Caller, change: ChangeRecord): Promise<number> => {
      const { id, customerId: askedCustomer, ...written } = asked
      const scope = scopeOf(caller)
      change.about({ name: asked.name, ...(id > 0 && { id }) })
      return store.transaction(async (statements, tx) => {
        const before = id > 0 ? await own(statements, scope, id) : undefined
        const customerId = before ? before.customerId : ownerOf({ customerId: askedCustomer }, scope)
        if (customerId !== null && !(await hasCustomer(statements, customerId))) throw notFound()
        await checkMembers(statements, written, customerId)
        const changedId = before?.id ?? (await addRota(statements, written, customerId, caller.userId))
        if (before) await changeRota(statements, before.id, written)
        await change.done(tx, {
          id: changedId,
          name: asked.name,
          customerId,
          isNew: before === undefined,
          ...(before && { before: auditedOf(before) }),
          after: written,
        })
        return changedId
      })
    },

    remove: (id: number, caller: Caller, change: ChangeRecord): Promise<Record<string, never>> => {
      change.about({ id })
      return store.transaction(async (statements, tx) => {
        const before = await own(statements, scopeOf(caller), id)
        await deleteRota(statements, id)
        await change.done(tx, { id, name: before.name, customerId: before.customerId, before: auditedOf(before) })
        return {}
      })
    },

    override: (asked: RequestedOverride, caller: Caller, change: ChangeRecord): Promise<number> => {
      change.about({ id: asked.rotaId })
      return store.transaction(async (statements, tx) => {
        const { id, name, customerId } = await own(statements, scopeOf(caller), asked.rotaId)
        change.about({ name })
        if (asked.removesId !== undefined) {
          if (!(await removeOverride(statements, id, asked.removesId))) throw notFound()
          await change.done(tx, { id, name, customerId, details: 'An override was taken back' })
          return asked.removesId
        }
        const added = readOverride(asked, now())
        await checkPeople(statements, [added.userId], customerId)
        const overrideId = await addOverride(statements, id, added)
        const { userId, from, to } = added
        await change.done(tx, {
          id,
          name,
          customerId,
          after: { userId, from: from.toISOString(), to: to.toISOString() },
        })
        return overrideId
      })
    },
  }
}

const isOf = ({ customerId }: RotaRow, scope: Scope) => scope.kind === 'everything' || customerId === scope.customerId

/** @throws CallError `not_found` for somebody of another customer, or an unknown id */
async function checkPeople(statements: Statements, ids: readonly UserId[], customerId: CustomerId | null) {
  const people = await readPeople(statements, ids)
  for (const id of ids) {
    const person = people.get(id)
    if (!person || (customerId !== null && person.customerId !== customerId)) throw notFound()
  }
}

async function checkMembers(statements: Statements, { members }: WrittenRota, customerId: CustomerId | null) {
  await checkPeople(
    statements,
    members.map(({ userId }) => userId),
    customerId,
  )
  const channels = await readNamed(statements, 'channel')
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

const auditedOf = ({ name, timeZone, firstDay, handOver, everyDays, members }: RotaRow): WrittenRota => ({
  name,
  timeZone,
  firstDay,
  handOver,
  everyDays,
  members: [...members],
})

function toWire(
  row: RotaRow,
  people: ReadonlyMap<UserId, NamedPerson>,
  customers: ReadonlyMap<number, string>,
  now: Date,
): RotaOnWire {
  const nameOf = (id: UserId) => people.get(id)?.name ?? ''
  const rota = rotaOf(row)
  const onCall = onCallAt(rota, now.getTime())
  const next = onCall && onCallAt(rota, onCall.untilMs)
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
