import {
  type DeviceComponent,
  listDeviceComponents,
  listDeviceComponentsExt,
  setDeviceComponents,
} from '#contract/http/devices/components.ts'
import { eventTypeByTopic } from '#domain/catalogue/eventTypes.ts'
import { categoryOfModel } from '#domain/components/componentFields.ts'
import { componentModelById } from '#domain/components/componentModels.ts'
import type { DeviceId } from '#domain/ids.ts'
import { type Route, route } from '#server/http/call/route.ts'
import type { DeviceComponentService } from './components.service.ts'
import type { SavedComponent } from './components.store.ts'

export const deviceComponentRoutes = (components: DeviceComponentService): readonly Route[] => [
  route(listDeviceComponents, async ({ query, caller }) =>
    (await components.list(query.deviceId, caller)).map((component) => onWire(query.deviceId, component)),
  ),
  route(listDeviceComponentsExt, async ({ query, caller }) => {
    const list = await components.list(query.deviceId, caller)
    const newest = await components.newestReports(query.deviceId)
    return list.map((component) => withModel(onWire(query.deviceId, component), newest))
  }),
  route(setDeviceComponents, async ({ body, caller, change }) => {
    const saved = await components.save(body, caller, change)
    return saved.map((component) => onWire(body[0]?.deviceId as DeviceId, component))
  }),
]

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
