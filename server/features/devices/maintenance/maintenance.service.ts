import type { ReadBodyOf } from '#contract/call/call.ts'
import { LAST_VISITS, type setMaintenance } from '#contract/http/devices/maintenance.ts'
import { componentTitle } from '#domain/components/componentFields.ts'
import type { CustomerId, DeviceId } from '#domain/ids.ts'
import {
  isKnownId,
  MAINTENANCE_ACTIONS,
  MAINTENANCE_REASONS,
  MAINTENANCE_RESOLUTIONS,
} from '#domain/maintenanceWindows/maintenanceLabels.ts'
import { notValid } from '#domain/validation/messages.ts'
import type { VisibleDevices } from '#server/fleet/visibleDevices.store.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import type {
  MaintenanceElsewhere,
  MaintenanceRecord,
  MaintenanceStore,
  SavedMaintenance,
  WrittenMaintenance,
} from './maintenance.store.ts'

type Request = ReadBodyOf<typeof setMaintenance>

export interface MaintenanceDeps {
  readonly store: MaintenanceStore
  readonly visibleDevices: VisibleDevices
}

export interface MaintenanceService {
  readonly components: (deviceId: DeviceId, caller: Caller) => Promise<{ id: number; name: string }[]>
  readonly list: (deviceId: DeviceId, caller: Caller) => Promise<SavedMaintenance[]>
  readonly elsewhere: (deviceId: DeviceId, caller: Caller) => Promise<MaintenanceElsewhere[]>
  readonly get: (id: number, caller: Caller) => Promise<SavedMaintenance>
  readonly set: (asked: Request, caller: Caller, change: ChangeRecord) => Promise<number>
  readonly remove: (id: number, caller: Caller, change: ChangeRecord) => Promise<true>
}

/** Keeps the log of what was done on site (rules/maintenance 1). */
export function createMaintenance({ store, visibleDevices }: MaintenanceDeps): MaintenanceService {
  /** @throws CallError `not_found` for a component or an alert of another device */
  async function written(
    { deviceId, customerId }: { readonly deviceId: DeviceId; readonly customerId: CustomerId },
    entry: MaintenanceRecord,
    before: SavedMaintenance | undefined,
    transaction: Tx,
  ): Promise<WrittenMaintenance> {
    const { componentId, alertId } = entry
    // A former choice may stay, even when the component was removed since, or the alert was withdrawn.
    if (
      alertId !== null &&
      alertId !== before?.alertId &&
      !(await store.hasAlert(deviceId, alertId, customerId, transaction))
    )
      throw notFound()
    if (componentId === null) return { ...entry, componentName: '' }
    if (componentId === before?.componentId) return { ...entry, componentName: before.componentName }
    const component = (await store.components(deviceId, transaction)).find(({ id }) => id === componentId)
    if (!component) throw notFound()
    return { ...entry, componentName: componentTitle(component) }
  }

  return {
    components: async (deviceId, caller) => {
      await visibleDevices.require(scopeOf(caller), [deviceId])
      const components = await store.components(deviceId)
      return components.map((component) => ({ id: component.id, name: componentTitle(component) }))
    },

    list: async (deviceId, caller) => {
      await visibleDevices.require(scopeOf(caller), [deviceId])
      return store.list(deviceId, scopeOf(caller))
    },

    elsewhere: async (deviceId, caller) => {
      await visibleDevices.require(scopeOf(caller), [deviceId])
      return store.elsewhere(deviceId, LAST_VISITS, scopeOf(caller))
    },

    get: async (id, caller) => {
      const found = await store.find(id, scopeOf(caller))
      if (!found) throw notFound()
      return found
    },

    set: async (asked, caller, change) => {
      const { deviceId } = asked
      if (asked.id > 0) change.about({ id: asked.id })
      const entry = checked(asked)
      return store.transaction(async (transaction) => {
        const device = await store.lockDevice(deviceId, scopeOf(caller), transaction)
        if (!device) throw notFound()
        const before = asked.id > 0 ? await store.find(asked.id, scopeOf(caller), transaction) : undefined
        const name = before?.deviceName ?? device.name
        change.about({ name })
        if (asked.id > 0 && before?.deviceId !== deviceId) throw notFound()
        const customerId = before?.customerId ?? device.customerId
        const after = await written({ deviceId, customerId }, entry, before, transaction)
        const id = before?.id ?? (await store.add(deviceId, after, caller, transaction))
        if (before) await store.change(deviceId, id, after, caller.userId, transaction)
        await change.done(transaction, {
          id,
          name,
          customerId,
          ...(before ? { before: kept(before) } : { isNew: true }),
          after,
        })
        return id
      })
    },

    remove: async (id, caller, change) => {
      change.about({ id })
      return store.transaction(async (transaction) => {
        const before = await store.find(id, scopeOf(caller), transaction)
        if (!before?.hasDevice || !(await store.remove(before.deviceId, id, transaction))) throw notFound()
        const { deviceName: name, customerId } = before
        await change.done(transaction, { id, name, customerId, before: kept(before) })
        return true as const
      })
    },
  }
}

/** @throws CallError `invalid_request` with the sentence of rules/messages 1 */
function checked(asked: Request): MaintenanceRecord {
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
