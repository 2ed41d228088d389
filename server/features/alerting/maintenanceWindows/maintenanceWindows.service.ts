import { z } from 'zod'
import type { AnswerOf, ReadBodyOf, ReadQueryOf } from '#contract/call/call.ts'
import {
  type changeMaintenanceWindow,
  type createMaintenanceWindow,
  type endMaintenanceWindow,
  type listMaintenanceWindows,
  MOST_PREVIEWED,
  type previewMaintenanceWindow,
  type WindowSchedule,
} from '#contract/http/alerting/maintenanceWindows.ts'
import type { CustomerId, DeviceId } from '#domain/ids.ts'
import { hasMore, lastEnd, type MaintenanceSchedule } from '#domain/maintenanceWindows/maintenanceSchedule.ts'
import { changeFault, type ScheduleFault, scheduleFault } from '#domain/maintenanceWindows/scheduleRules.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import type { VisibleDevices } from '#server/fleet/visibleDevices.store.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import { askedPage, readPage, readPageKey } from '#server/http/reading/pages.ts'
import { countMailed } from '#server/mail/maintenanceMails.ts'
import { devicesFrom, endLasting, forgetComing, moveEnd, planAnew, type WindowStore } from './windowPlan.store.ts'
import {
  addWindow,
  changeWindow,
  deleteWindow,
  endWindow,
  onWire,
  readWindows,
  timesOf,
  toSchedule,
  type WindowRow,
  type WrittenWindow,
} from './windowRows.store.ts'
import { devicesOf, findTarget } from './windowTargets.store.ts'

const USUAL_PAGE = 100
const PREVIEWED_TIMES = 3
const pageKey = z.strictObject({ id: z.int32() })

export interface MaintenanceWindowsDeps {
  readonly store: WindowStore
  readonly visibleDevices: VisibleDevices
  readonly now: () => Date
  /** Is called when these devices may have entered or left maintenance. */
  readonly onChanged: (deviceIds: readonly DeviceId[]) => void
}

type Statements = WindowStore['statements']
type Wish = Pick<ReadBodyOf<typeof createMaintenanceWindow>, 'schedule' | 'reason' | 'tellsCustomer'>

export interface MaintenanceWindows {
  readonly list: (
    asked: ReadQueryOf<typeof listMaintenanceWindows>,
    caller: Caller,
  ) => Promise<AnswerOf<typeof listMaintenanceWindows>>
  readonly preview: (
    asked: ReadBodyOf<typeof previewMaintenanceWindow>,
    caller: Caller,
  ) => Promise<AnswerOf<typeof previewMaintenanceWindow>>
  readonly create: (
    asked: ReadBodyOf<typeof createMaintenanceWindow>,
    caller: Caller,
    change: ChangeRecord,
  ) => Promise<AnswerOf<typeof createMaintenanceWindow>>
  readonly change: (
    asked: ReadBodyOf<typeof changeMaintenanceWindow>,
    caller: Caller,
    change: ChangeRecord,
  ) => Promise<Record<string, never>>
  readonly end: (
    asked: ReadBodyOf<typeof endMaintenanceWindow>,
    caller: Caller,
    change: ChangeRecord,
  ) => Promise<Record<string, never>>
  readonly remove: (id: number, caller: Caller, change: ChangeRecord) => Promise<Record<string, never>>
}

/**
 * Plans maintenance windows, in which nobody is woken, and decides what of them may still change (docs/decisions/0193).
 */
export function createMaintenanceWindows({
  store,
  visibleDevices,
  now,
  onChanged,
}: MaintenanceWindowsDeps): MaintenanceWindows {
  /** Makes changes one after the other, and informs of the devices after the commit. */
  async function changing<Result>(
    work: (statements: Statements, at: Date, tx: Tx) => Promise<readonly [Result, readonly DeviceId[]]>,
  ): Promise<Result> {
    const [result, deviceIds] = await store.inTurn((statements, tx) => work(statements, now(), tx))
    onChanged(deviceIds)
    return result
  }

  /** @throws CallError `not_found` or `forbidden` for a window that the caller may not change */
  async function own(statements: Statements, id: number, caller: Caller, at: Date): Promise<WindowRow> {
    const scope = scopeOf(caller)
    const [row] = await readWindows(statements, scope, at, { id, atMost: 1 })
    if (!row) throw notFound()
    if (scope.kind === 'customer' && row.customer_id !== scope.customerId) throw new CallError('forbidden')
    return row
  }

  return {
    list: async ({ state, customerId, deviceId, ...paging }, caller) => {
      const page = askedPage(paging, USUAL_PAGE, (key) => readPageKey(key, pageKey))
      const scope = scopeOf(caller)
      if (deviceId !== undefined) await visibleDevices.require(scope, [deviceId])
      const ofCustomer = customerId === -1 ? undefined : customerId
      if (ofCustomer !== undefined && scope.kind === 'customer' && scope.customerId !== ofCustomer) throw notFound()
      const at = now()
      const asked = { state, customerId: ofCustomer, deviceId }
      const found = await readPage(
        page,
        ({ after, skip, size }) =>
          readWindows(store.statements, scope, at, { ...asked, beforeId: after?.id, skip, atMost: size }),
        ({ id }) => ({ id }),
      )
      return { rows: found.rows.map((row) => onWire(row, scope, at)), next: found.next }
    },

    preview: async ({ target, schedule: asked }, caller) => {
      const { statements } = store
      const found = await findTarget(statements, scopeOf(caller), target)
      if (!found) throw notFound()
      const at = now()
      const schedule = readSchedule(asked, at, found.timeZone)
      const [{ count, devices }, toldPeople] = await Promise.all([
        devicesOf(statements, found, MOST_PREVIEWED),
        countMailed(statements, found.customerId),
      ])
      const isPossible = scheduleFault(schedule, at) === undefined
      const times = isPossible ? timesOf(schedule, at, PREVIEWED_TIMES) : []
      return { deviceCount: count, devices, times, timeZone: schedule.timeZone, toldPeople }
    },

    create: ({ target, ...wish }, caller, change) =>
      changing(async (statements, at, tx) => {
        const found = await findTarget(statements, scopeOf(caller), target)
        if (!found) throw notFound()
        change.about({ name: found.name })
        const written = checked(wish, at, found.timeZone)
        const id = await addWindow(statements, found, written, caller, at)
        await planAnew(statements, { ...written, id }, at)
        const deviceIds = await devicesFrom(statements, id, at)
        const { customerId, deviceId, tag } = found
        const chosen = found.deviceIds ? { deviceIds: found.deviceIds } : {}
        const after = { target: { kind: found.kind, deviceId, ...chosen, tag, customerId }, ...audited(written) }
        await change.done(tx, { id, name: found.name, customerId, after })
        const { count } = await devicesOf(statements, found, 0)
        return [{ id, deviceCount: count }, deviceIds]
      }),

    change: ({ id, ...wish }, caller, change) => {
      change.about({ id })
      return changing(async (statements, at, tx) => {
        const row = await own(statements, id, caller, at)
        const about = aboutRow(row)
        change.about(about)
        if (row.current_to === null && row.ends_at <= at) throw new CallError('maintenance_over')
        const before = toSchedule(row)
        const schedule = readSchedule(wish.schedule, startOf(row, before) ?? at, before.timeZone)
        refuse(changeFault({ before, after: schedule, now: at, hasBegun: row.has_begun }))
        const written = { ...wish, schedule, endsAt: lastEnd(schedule) }
        const held = await devicesFrom(statements, id, at)
        await changeWindow(statements, id, written)
        await forgetComing(statements, id, at)
        if (schedule.kind === 'once' && row.has_begun) await moveEnd(statements, id, at, schedule.to)
        else await planAnew(statements, { ...written, id }, at)
        await change.done(tx, { ...about, before: auditedRow(row), after: audited(written) })
        return [{}, [...held, ...(await devicesFrom(statements, id, at))]]
      })
    },

    end: ({ id, isForGood }, caller, change) => {
      change.about({ id })
      return changing(async (statements, at, tx) => {
        const row = await own(statements, id, caller, at)
        const about = aboutRow(row)
        change.about(about)
        if (row.current_to === null && row.ends_at <= at) throw new CallError('maintenance_over')
        const endsAll = isForGood || !hasMore(toSchedule(row), at)
        if (row.current_to === null && (!endsAll || !row.has_begun)) throw new CallError('maintenance_not_begun')
        const held = await devicesFrom(statements, id, at)
        await endLasting(statements, id, at)
        if (endsAll) {
          await forgetComing(statements, id, at)
          await endWindow(statements, id, at)
        }
        await change.done(tx, {
          ...about,
          details: endsAll ? 'Ended' : 'This time ended',
          before: { lastsUntil: row.current_to?.toISOString() ?? null },
          after: { endedAt: at.toISOString() },
        })
        return [{}, held]
      })
    },

    remove: (id, caller, change) => {
      change.about({ id })
      return changing(async (statements, at, tx) => {
        const row = await own(statements, id, caller, at)
        const about = aboutRow(row)
        change.about(about)
        if (row.has_begun) throw new CallError('maintenance_begun')
        const held = await devicesFrom(statements, id, at)
        await deleteWindow(statements, id)
        await change.done(tx, { ...about, before: auditedRow(row) })
        return [{}, held]
      })
    },
  }
}

/** @throws CallError `invalid_request` with the field and the reason */
function checked(wish: Wish, now: Date, deviceTimeZone: string | undefined): WrittenWindow {
  const asked = readSchedule(wish.schedule, now, deviceTimeZone)
  refuse(scheduleFault(asked, now))
  // A window whose start has just passed begins now.
  const schedule = asked.kind === 'once' && asked.from < now ? { ...asked, from: now } : asked
  return { ...wish, schedule, endsAt: lastEnd(schedule) }
}

/** A single window that has begun keeps its start. */
const startOf = (row: WindowRow, schedule: MaintenanceSchedule) =>
  row.has_begun && schedule.kind === 'once' ? schedule.from : undefined

function refuse(fault: ScheduleFault | undefined) {
  if (fault) throw new CallError('invalid_request', `${fault.field}: ${fault.says}`)
}

/** @throws CallError `invalid_request` when the length is missing or given twice */
function readSchedule(asked: WindowSchedule, start: Date, deviceTimeZone: string | undefined): MaintenanceSchedule {
  if (asked.kind === 'weekly') return { ...asked, lastDay: asked.lastDay ?? null }
  const { from, to, minutes, timeZone = deviceTimeZone ?? 'UTC' } = asked
  if ((to === undefined) === (minutes === undefined)) {
    throw new CallError('invalid_request', 'to: Say either when it ends or how many minutes it lasts.')
  }
  const begins = from === undefined ? start : new Date(from)
  const ends = minutes === undefined ? new Date(to ?? '') : new Date(begins.getTime() + minutes * MINUTE_MS)
  return { kind: 'once', from: begins, to: ends, timeZone }
}

const aboutRow = (row: WindowRow): { id: number; name: string; customerId: CustomerId | null } => ({
  id: row.id,
  name: row.device_name ?? row.tag ?? nameOfKind(row),
  customerId: row.customer_id,
})
function nameOfKind({ target_kind: kind, device_ids: chosen, customer_name: customer }: WindowRow): string {
  if (kind === 'all') return 'All devices'
  return kind === 'devices' ? `${chosen.length} chosen devices` : (customer ?? '')
}

const audited = ({ schedule, reason, tellsCustomer }: Omit<WrittenWindow, 'endsAt'>) => ({
  schedule,
  reason,
  tellsCustomer,
})
const auditedRow = (row: WindowRow) => ({
  schedule: toSchedule(row),
  reason: row.reason,
  tellsCustomer: row.tells_customer,
})
