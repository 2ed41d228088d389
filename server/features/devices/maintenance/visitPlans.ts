import type { ReadBodyOf } from '#contract/call/call.ts'
import type { setVisit } from '#contract/http/devices/visits.ts'
import { notValid } from '#domain/validation/messages.ts'
import type { Db } from '#server/db/database.ts'
import { lockDevice } from '#server/fleet/existingDevices.store.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import { foundRow } from '#server/http/call/changeSteps.store.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import {
  addVisit,
  cancelPlanned,
  changeVisit,
  findTechnician,
  findVisit,
  hasIncident,
  type VisitPlan,
} from './fieldVisits.store.ts'

const invalid = (field: string) => new CallError('invalid_request', notValid(field))

/** Plans a visit, or changes one that was neither made nor cancelled (rules/maintenance 5). */
export async function planVisit(
  db: Db,
  asked: ReadBodyOf<typeof setVisit>,
  caller: Caller,
  change: ChangeRecord,
): Promise<number> {
  const { deviceId, incidentId, technicianId, bring } = asked
  if (asked.id > 0) change.about({ id: asked.id })
  const plan: VisitPlan = {
    ...{ deviceId, incidentId, technicianId, bring },
    startAt: new Date(asked.startDt),
    endAt: new Date(asked.endDt),
  }
  if (plan.endAt < plan.startAt) throw invalid('endDt')
  const scope = scopeOf(caller)
  return db.transaction().execute(async (transaction) => {
    const device = await foundRow(lockDevice(transaction, deviceId, scope))
    change.about({ name: device.name })
    const before = asked.id > 0 ? await foundRow(findVisit(transaction, asked.id, scope)) : undefined
    if (before && (before.deviceId !== deviceId || before.state !== 'planned')) throw notFound()
    const technician = await findTechnician(transaction, technicianId, device.customerId, scope)
    if (technician === undefined) throw invalid('technicianId')
    const isOtherIncident = incidentId !== null && incidentId !== before?.incidentId
    if (isOtherIncident && !(await hasIncident(transaction, incidentId, deviceId))) throw notFound()
    const id = before?.id ?? (await addVisit(transaction, plan, { customerId: device.customerId, by: caller.userId }))
    if (before) await changeVisit(transaction, id, plan)
    const after = {
      technician: technician.username,
      start: plan.startAt.toISOString(),
      end: plan.endAt.toISOString(),
      ...{ bring, incidentId },
    }
    const thing = { id, name: device.name, customerId: device.customerId, after }
    const was = before && {
      technician: before.technicianName,
      start: before.startDt,
      end: before.endDt,
      ...{ bring: before.bring, incidentId: before.incidentId },
    }
    await change.done(transaction, { ...thing, ...(was ? { before: was } : { isNew: true }) })
    return id
  })
}

export async function cancelVisitPlan(db: Db, id: number, caller: Caller, change: ChangeRecord): Promise<true> {
  change.about({ id })
  const scope = scopeOf(caller)
  await db.transaction().execute(async (transaction) => {
    const visit = await foundRow(findVisit(transaction, id, scope))
    const device = await foundRow(lockDevice(transaction, visit.deviceId, scope))
    if (!(await cancelPlanned(transaction, visit.deviceId, id))) throw notFound()
    const before = { technician: visit.technicianName, start: visit.startDt, end: visit.endDt }
    await change.done(transaction, { id, name: device.name, customerId: device.customerId, before })
  })
  return true
}
