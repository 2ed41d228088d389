import type { ReadBodyOf } from '#contract/call/call.ts'
import type { setMaintenance } from '#contract/http/devices/maintenance.ts'
import { componentTitle } from '#domain/components/componentFields.ts'
import type { CustomerId, DeviceId } from '#domain/ids.ts'
import {
  isKnownId,
  MAINTENANCE_ACTIONS,
  MAINTENANCE_REASONS,
  MAINTENANCE_RESOLUTIONS,
} from '#domain/maintenanceWindows/maintenanceLabels.ts'
import { notValid } from '#domain/validation/messages.ts'
import type { Db } from '#server/db/database.ts'
import { lockDevice } from '#server/fleet/existingDevices.store.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import { foundRow } from '#server/http/call/changeSteps.store.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import { deleteVisitOfEntry } from './fieldVisits.store.ts'
import {
  addEntry,
  changeEntry,
  componentsOfDevice,
  deleteEntry,
  findEntry,
  hasAlert,
  type MaintenanceRecord,
  type SavedMaintenance,
  type WrittenMaintenance,
} from './maintenance.store.ts'

type Request = ReadBodyOf<typeof setMaintenance>

export async function setEntry(db: Db, asked: Request, caller: Caller, change: ChangeRecord): Promise<number> {
  const { deviceId } = asked
  const scope = scopeOf(caller)
  if (asked.id > 0) change.about({ id: asked.id })
  const entry = checkedEntry(asked)
  return db.transaction().execute(async (transaction) => {
    const device = await foundRow(lockDevice(transaction, deviceId, scope))
    const before = asked.id > 0 ? await findEntry(transaction, asked.id, scope) : undefined
    const name = before?.deviceName ?? device.name
    change.about({ name })
    if (asked.id > 0 && before?.deviceId !== deviceId) throw notFound()
    const customerId = before?.customerId ?? device.customerId
    const after = await writtenEntry(transaction, { deviceId, customerId }, entry, before)
    const id = before?.id ?? (await addEntry(transaction, deviceId, after, caller))
    if (before) await changeEntry(transaction, deviceId, id, after, caller.userId)
    const thing = { id, name, customerId, after }
    await change.done(transaction, { ...thing, ...(before ? { before: kept(before) } : { isNew: true }) })
    return id
  })
}

export async function removeEntry(db: Db, id: number, caller: Caller, change: ChangeRecord): Promise<true> {
  change.about({ id })
  await db.transaction().execute(async (transaction) => {
    const before = await findEntry(transaction, id, scopeOf(caller))
    if (!before?.hasDevice || !(await deleteEntry(transaction, before.deviceId, id))) throw notFound()
    await deleteVisitOfEntry(transaction, before.deviceId, id)
    const { deviceName: name, customerId } = before
    await change.done(transaction, { id, name, customerId, before: kept(before) })
  })
  return true
}

/** @throws CallError `not_found` for a component or an alert of another device */
export async function writtenEntry(
  transaction: Tx,
  { deviceId, customerId }: { readonly deviceId: DeviceId; readonly customerId: CustomerId },
  entry: MaintenanceRecord,
  before?: SavedMaintenance,
): Promise<WrittenMaintenance> {
  const { componentId, alertId } = entry
  // A former choice may stay, even when the component was removed since, or the alert was withdrawn.
  const isOtherAlert = alertId !== null && alertId !== before?.alertId
  if (isOtherAlert && !(await hasAlert(transaction, deviceId, alertId, customerId))) throw notFound()
  if (componentId === null) return { ...entry, componentName: '' }
  if (componentId === before?.componentId) return { ...entry, componentName: before.componentName }
  const component = (await componentsOfDevice(transaction, deviceId)).find(({ id }) => id === componentId)
  if (!component) throw notFound()
  return { ...entry, componentName: componentTitle(component) }
}

/** @throws CallError `invalid_request` with the sentence of rules/messages 1 */
export function checkedEntry(asked: Omit<Request, 'id'>): MaintenanceRecord {
  const known = [
    ['reasonId', MAINTENANCE_REASONS],
    ['actionId', MAINTENANCE_ACTIONS],
    ['resolutionId', MAINTENANCE_RESOLUTIONS],
  ] as const
  for (const [field, names] of known) {
    const id = asked[field] ?? null
    if (id !== null && !isKnownId(names, id)) throw invalid(field)
  }
  const startAt = new Date(asked.startDt)
  const endAt = asked.endDt ? new Date(asked.endDt) : null
  if (endAt && endAt < startAt) throw invalid('endDt')
  return {
    startAt,
    endAt,
    componentId: asked.modelComponentId ?? null,
    reasonId: asked.reasonId ?? null,
    actionId: asked.actionId ?? null,
    resolutionId: asked.resolutionId ?? null,
    alertId: asked.alertId ?? null,
    actionComment: asked.actionComment,
  }
}

const invalid = (field: string) => new CallError('invalid_request', notValid(field))

function kept(entry: SavedMaintenance): WrittenMaintenance {
  const { startAt, endAt, componentId, componentName, reasonId, actionId, resolutionId, alertId, actionComment } = entry
  return { startAt, endAt, componentId, reasonId, actionId, resolutionId, alertId, actionComment, componentName }
}
