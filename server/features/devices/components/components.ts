import {
  type DeviceComponent,
  listDeviceComponents,
  listDeviceComponentsExt,
  setDeviceComponents,
} from '#contract/http/devices/components.ts'
import { getDeviceDrivers, setDeviceDriver } from '#contract/http/devices/deviceDrivers.ts'
import { eventTypeByTopic } from '#domain/catalogue/eventTypes.ts'
import { categoryOfModel } from '#domain/components/componentFields.ts'
import { componentModelById } from '#domain/components/componentModels.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { Given } from '#server/features/feature.ts'
import { requireVisible } from '#server/fleet/visibleDevices.store.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import { route } from '#server/http/call/route.ts'
import { listComponents, newestReportsOf, type SavedComponent } from './components.store.ts'
import { chooseDriver, readDrivers } from './deviceDrivers.ts'
import { saveComponents } from './saveComponents.ts'

export function deviceComponentsFeature(given: Pick<Given, 'pool' | 'db' | 'cipher'>) {
  const { pool, db } = given
  const visibleComponents = async (deviceId: DeviceId, caller: Caller) => {
    await requireVisible(pool, scopeOf(caller), [deviceId])
    return (await listComponents(db, deviceId)).map((component) => onWire(deviceId, component))
  }
  return {
    routes: [
      route(listDeviceComponents, ({ query, caller }) => visibleComponents(query.deviceId, caller)),
      route(listDeviceComponentsExt, async ({ query, caller }) => {
        const components = await visibleComponents(query.deviceId, caller)
        const newest = await newestReportsOf(db, query.deviceId)
        return components.map((component) => withModel(component, newest))
      }),
      route(setDeviceComponents, async ({ body, caller, change }) => {
        const saved = await saveComponents(db, body, caller, change)
        return saved.map((component) => onWire(body[0]?.deviceId as DeviceId, component))
      }),
      route(getDeviceDrivers, async ({ query: { deviceId }, caller }) => {
        await requireVisible(pool, scopeOf(caller), [deviceId])
        return readDrivers(db, given.cipher, deviceId)
      }),
      route(setDeviceDriver, ({ body, caller, change }) => chooseDriver(given, body, caller, change)),
    ],
  }
}

function onWire(deviceId: DeviceId, component: SavedComponent): DeviceComponent {
  const category = categoryOfModel(component.modelId)
  const topic = componentModelById(component.modelId)?.reports
  return {
    ...component,
    deviceId,
    categoryId: category?.id ?? 0,
    removed: false,
    jsonSettings: component.jsonSettings && [...component.jsonSettings],
    unusedPorts: [...component.unusedPorts],
    event_type_id: (topic && eventTypeByTopic(topic)?.id) ?? null,
    category: category?.name ?? '',
    touch_matrix: component.touchMatrix,
  }
}

function withModel(component: DeviceComponent, newestReports: ReadonlyMap<string, Date>) {
  return {
    ...component,
    modelName: componentModelById(component.modelId)?.name ?? '',
    maximumNumber: categoryOfModel(component.modelId)?.maximumNumber ?? 1,
    lastReport: newestReports.get(`${component.event_type_id}/${component.number}`)?.toISOString() ?? null,
  }
}
