import {
  deleteMaintenance,
  getMaintenance,
  LAST_VISITS,
  listMaintenance,
  listMaintenanceActions,
  listMaintenanceComponents,
  listMaintenanceElsewhere,
  listMaintenanceReasons,
  listMaintenanceResolutions,
  type MaintenanceEntry,
  setMaintenance,
} from '#contract/http/devices/maintenance.ts'
import { componentTitle } from '#domain/components/componentFields.ts'
import type { DeviceId } from '#domain/ids.ts'
import {
  MAINTENANCE_ACTIONS,
  MAINTENANCE_REASONS,
  MAINTENANCE_RESOLUTIONS,
} from '#domain/maintenanceWindows/maintenanceLabels.ts'
import type { Given } from '#server/features/feature.ts'
import { requireVisible } from '#server/fleet/visibleDevices.store.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import { foundRow } from '#server/http/call/changeSteps.store.ts'
import { route } from '#server/http/call/route.ts'
import { visitRoutes } from './fieldVisits.ts'
import {
  componentsOfDevice,
  findEntry,
  listElsewhere,
  listEntries,
  type SavedMaintenance,
} from './maintenance.store.ts'
import { removeEntry, setEntry } from './maintenanceEntries.ts'
import { calendarPage } from './visitCalendar.ts'

/** Keeps the log of what was done on site (rules/maintenance 1). */
export function maintenanceFeature({ pool, db, config }: Pick<Given, 'pool' | 'db' | 'config'>) {
  async function visibleScope(deviceId: DeviceId, caller: Caller) {
    const scope = scopeOf(caller)
    await requireVisible(pool, scope, [deviceId])
    return scope
  }
  return {
    routes: [
      route(listMaintenanceActions, () => [...MAINTENANCE_ACTIONS]),
      route(listMaintenanceReasons, () => [...MAINTENANCE_REASONS]),
      route(listMaintenanceResolutions, () => [...MAINTENANCE_RESOLUTIONS]),
      route(listMaintenanceComponents, async ({ query: { deviceId }, caller }) => {
        await visibleScope(deviceId, caller)
        const components = await componentsOfDevice(db, deviceId)
        return components.map((component) => ({ id: component.id, name: componentTitle(component) }))
      }),
      route(listMaintenance, async ({ query: { deviceId }, caller }) =>
        (await listEntries(db, deviceId, await visibleScope(deviceId, caller))).map(onWire),
      ),
      route(listMaintenanceElsewhere, async ({ query: { deviceId }, caller }) =>
        (await listElsewhere(db, deviceId, LAST_VISITS, await visibleScope(deviceId, caller))).map((entry) => ({
          ...onWire(entry),
          deviceGuid: entry.deviceGuid,
          deviceName: entry.deviceName,
        })),
      ),
      route(getMaintenance, async ({ query, caller }) =>
        onWire(await foundRow(findEntry(db, query.id, scopeOf(caller)))),
      ),
      route(setMaintenance, ({ body, caller, change }) => setEntry(db, body, caller, change)),
      route(deleteMaintenance, ({ query, caller, change }) => removeEntry(db, query.id, caller, change)),
      ...visitRoutes({ pool, db }),
    ],
    openPages: [calendarPage({ db, config })],
  }
}

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
