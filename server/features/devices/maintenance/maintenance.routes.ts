import {
  deleteMaintenance,
  getMaintenance,
  listMaintenance,
  listMaintenanceActions,
  listMaintenanceComponents,
  listMaintenanceElsewhere,
  listMaintenanceReasons,
  listMaintenanceResolutions,
  type MaintenanceEntry,
  setMaintenance,
} from '#contract/http/devices/maintenance.ts'
import {
  MAINTENANCE_ACTIONS,
  MAINTENANCE_REASONS,
  MAINTENANCE_RESOLUTIONS,
} from '#domain/maintenanceWindows/maintenanceLabels.ts'
import { type Route, route } from '#server/http/call/route.ts'
import type { MaintenanceService } from './maintenance.service.ts'
import type { SavedMaintenance } from './maintenance.store.ts'

export const maintenanceRoutes = (maintenance: MaintenanceService): readonly Route[] => [
  route(listMaintenanceActions, () => [...MAINTENANCE_ACTIONS]),
  route(listMaintenanceReasons, () => [...MAINTENANCE_REASONS]),
  route(listMaintenanceResolutions, () => [...MAINTENANCE_RESOLUTIONS]),
  route(listMaintenanceComponents, ({ query, caller }) => maintenance.components(query.deviceId, caller)),
  route(listMaintenance, async ({ query, caller }) => (await maintenance.list(query.deviceId, caller)).map(onWire)),
  route(listMaintenanceElsewhere, async ({ query, caller }) =>
    (await maintenance.elsewhere(query.deviceId, caller)).map((entry) => ({
      ...onWire(entry),
      deviceGuid: entry.deviceGuid,
      deviceName: entry.deviceName,
    })),
  ),
  route(getMaintenance, async ({ query, caller }) => onWire(await maintenance.get(query.id, caller))),
  route(setMaintenance, ({ body, caller, change }) => maintenance.set(body, caller, change)),
  route(deleteMaintenance, ({ query, caller, change }) => maintenance.remove(query.id, caller, change)),
]

type Names = readonly { readonly id: number; readonly name: string }[]

const nameIn = (names: Names, id: number | null) => names.find((known) => known.id === id)?.name ?? ''

function onWire(entry: SavedMaintenance): MaintenanceEntry {
  const { id, deviceId, reasonId, actionId, resolutionId, alertId, actionComment, alertText, username } = entry
  return {
    id,
    deviceId,
    startDt: entry.startAt.toISOString(),
    endDt: entry.endAt?.toISOString() ?? null,
    modelComponentId: entry.componentId,
    reasonId,
    actionId,
    resolutionId,
    alertId,
    actionComment,
    modelComponentName: entry.componentName,
    reasonName: nameIn(MAINTENANCE_REASONS, reasonId),
    actionName: nameIn(MAINTENANCE_ACTIONS, actionId),
    resolutionName: nameIn(MAINTENANCE_RESOLUTIONS, resolutionId),
    alertText,
    username,
  }
}
