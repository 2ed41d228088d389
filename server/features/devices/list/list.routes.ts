import { listClientVersions, listDeviceTags } from '#contract/http/devices/details.ts'
import { exportDevices, listDevices } from '#contract/http/devices/devices.ts'
import { listDevicePins } from '#contract/http/devices/pins.ts'
import { jsonTextRoute, type Route, route, rowsRoute } from '#server/http/call/route.ts'
import type { DeviceList } from './list.service.ts'

export const deviceListRoutes = (list: DeviceList): readonly Route[] => [
  route(listDevices, ({ query, caller }) => list.list(query, caller)),
  rowsRoute(exportDevices, ({ query, caller }) => list.whole(query, caller)),
  jsonTextRoute(listDevicePins, ({ query, caller }) => list.pins(query, caller)),
  route(listDeviceTags, ({ query, caller }) => list.tags(query, caller)),
  route(listClientVersions, ({ query, caller }) => list.versions(query, caller)),
]
