import type { AnswerOf, ReadBodyOf } from '#contract/call/call.ts'
import type {
  changeMaintenanceWindow,
  createMaintenanceWindow,
  endMaintenanceWindow,
  WindowSchedule,
} from '#contract/http/alerting/maintenanceWindows.ts'
import type { CustomerId, DeviceId } from '#domain/ids.ts'
import { hasMore, lastEnd, type MaintenanceSchedule } from '#domain/maintenanceWindows/maintenanceSchedule.ts'
import { changeFault, type ScheduleFault, scheduleFault } from '#domain/maintenanceWindows/scheduleRules.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import type { Given } from '#server/features/feature.ts'
import type { AuditedThing, Tx } from '#server/http/call/audit.store.ts'
import { CallError } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import { foundRow } from '#server/http/call/changeSteps.store.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import { devicesFrom, endLasting, forgetComing, inPlanTurn, moveEnd, planAnew } from './windowPlan.store.ts'
import {
  addWindow,
  deleteWindow,
  endWindow,
  findWindow,
  toSchedule,
  type WindowRow,
  type WrittenWindow,
  writeWindow,
} from './windowRows.store.ts'
import { findTarget, readDevicesOf } from './windowTargets.store.ts'

type WindowDeps = Pick<Given, 'db' | 'clock' | 'live'>
type NewWindow = Pick<ReadBodyOf<typeof createMaintenanceWindow>, 'schedule' | 'reason' | 'tellsCustomer'>
type Nothing = Record<string, never>

/** Makes changes one after the other, and informs of the devices after the commit. */
async function changing<Result>(
  { db, clock, live }: WindowDeps,
  work: (transaction: Tx, now: Date) => Promise<readonly [Result, readonly DeviceId[]]>,
): Promise<Result> {
  const [result, deviceIds] = await inPlanTurn(db, (transaction) => work(transaction, clock.now()))
  for (const deviceId of new Set(deviceIds)) live.noteChanged(deviceId)
  return result
}

interface Changed extends Pick<AuditedThing, 'details' | 'before' | 'after'> {
  /** The devices that may have entered or left maintenance. */
  readonly deviceIds: readonly DeviceId[]
}

/**
 * Changes a window with its audit row.
 *
 * @throws CallError `not_found` or `forbidden` for a window that the caller may not change
 */
function changeOwn(
  deps: WindowDeps,
  id: number,
  { caller, change }: { readonly caller: Caller; readonly change: ChangeRecord },
  work: (transaction: Tx, row: WindowRow, now: Date) => Promise<Changed>,
): Promise<Nothing> {
  change.about({ id })
  return changing(deps, async (transaction, now) => {
    const scope = scopeOf(caller)
    const row = await foundRow(findWindow(transaction, scope, now, id))
    if (scope.kind === 'customer' && row.customer_id !== scope.customerId) throw new CallError('forbidden')
    const about = aboutRow(row)
    change.about(about)
    const { deviceIds, ...changed } = await work(transaction, row, now)
    await change.done(transaction, { ...about, ...changed })
    return [{}, deviceIds]
  })
}

export const create = (
  deps: WindowDeps,
  { target, ...asked }: ReadBodyOf<typeof createMaintenanceWindow>,
  caller: Caller,
  change: ChangeRecord,
): Promise<AnswerOf<typeof createMaintenanceWindow>> =>
  changing(deps, async (transaction, now) => {
    const found = await foundRow(findTarget(transaction, scopeOf(caller), target))
    const { kind, name, customerId, deviceId, tag } = found
    change.about({ name })
    const written = checked(asked, now, found.timeZone)
    const id = await addWindow(transaction, found, written, caller, now)
    await planAnew(transaction, { ...written, id }, now)
    const deviceIds = await devicesFrom(transaction, id, now)
    const chosen = found.deviceIds ? { deviceIds: found.deviceIds } : {}
    const after = { target: { kind, deviceId, ...chosen, tag, customerId }, ...audited(written) }
    await change.done(transaction, { id, name, customerId, after })
    const { count } = await readDevicesOf(transaction, found, 0)
    return [{ id, deviceCount: count }, deviceIds]
  })

export const edit = (
  deps: WindowDeps,
  { id, ...asked }: ReadBodyOf<typeof changeMaintenanceWindow>,
  caller: Caller,
  change: ChangeRecord,
): Promise<Nothing> =>
  changeOwn(deps, id, { caller, change }, async (transaction, row, now) => {
    refusePast(row, now)
    const before = toSchedule(row)
    const schedule = readSchedule(asked.schedule, startOf(row, before) ?? now, before.timeZone)
    refuse(changeFault({ before, after: schedule, now, hasBegun: row.has_begun }))
    const written = { ...asked, schedule, endsAt: lastEnd(schedule) }
    const held = await devicesFrom(transaction, id, now)
    await writeWindow(transaction, id, written)
    await forgetComing(transaction, id, now)
    if (schedule.kind === 'once' && row.has_begun) await moveEnd(transaction, id, now, schedule.to)
    else await planAnew(transaction, { ...written, id }, now)
    const deviceIds = [...held, ...(await devicesFrom(transaction, id, now))]
    return { deviceIds, before: auditedRow(row), after: audited(written) }
  })

export const end = (
  deps: WindowDeps,
  { id, isForGood }: ReadBodyOf<typeof endMaintenanceWindow>,
  caller: Caller,
  change: ChangeRecord,
): Promise<Nothing> =>
  changeOwn(deps, id, { caller, change }, async (transaction, row, now) => {
    refusePast(row, now)
    const endsAll = isForGood || !hasMore(toSchedule(row), now)
    if (row.current_to === null && (!endsAll || !row.has_begun)) throw new CallError('maintenance_not_begun')
    const deviceIds = await devicesFrom(transaction, id, now)
    await endLasting(transaction, id, now)
    if (endsAll) {
      await forgetComing(transaction, id, now)
      await endWindow(transaction, id, now)
    }
    return {
      deviceIds,
      details: endsAll ? 'Ended' : 'This time ended',
      before: { lastsUntil: row.current_to?.toISOString() ?? null },
      after: { endedAt: now.toISOString() },
    }
  })

export const remove = (deps: WindowDeps, id: number, caller: Caller, change: ChangeRecord): Promise<Nothing> =>
  changeOwn(deps, id, { caller, change }, async (transaction, row, now) => {
    if (row.has_begun) throw new CallError('maintenance_begun')
    const deviceIds = await devicesFrom(transaction, id, now)
    await deleteWindow(transaction, id)
    return { deviceIds, before: auditedRow(row) }
  })

function refusePast(row: WindowRow, now: Date): void {
  if (row.current_to === null && row.ends_at <= now) throw new CallError('maintenance_over')
}

/** @throws CallError `invalid_request` with the field and the reason */
function checked(asked: NewWindow, now: Date, deviceTimeZone: string | undefined): WrittenWindow {
  const wanted = readSchedule(asked.schedule, now, deviceTimeZone)
  refuse(scheduleFault(wanted, now))
  // A window whose start has just passed begins now.
  const schedule = wanted.kind === 'once' && wanted.from < now ? { ...wanted, from: now } : wanted
  return { ...asked, schedule, endsAt: lastEnd(schedule) }
}

/** A single window that has begun keeps its start. */
const startOf = (row: WindowRow, schedule: MaintenanceSchedule) =>
  row.has_begun && schedule.kind === 'once' ? schedule.from : undefined

function refuse(fault: ScheduleFault | undefined) {
  if (fault) throw new CallError('invalid_request', `${fault.field}: ${fault.says}`)
}

/** @throws CallError `invalid_request` when the length is missing or given twice */
export function readSchedule(
  asked: WindowSchedule,
  start: Date,
  deviceTimeZone: string | undefined,
): MaintenanceSchedule {
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
