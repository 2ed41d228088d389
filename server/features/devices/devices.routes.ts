import { createDevice, downloadConfiguration, getDevice, getDeviceById, listDevices } from '#contract/http/device.ts'
import { fileRoute, type Route, route } from '#server/http/route.ts'
import type { DeviceService } from './devices.service.ts'

export const deviceRoutes = (devices: DeviceService): readonly Route[] => [
  route(listDevices, ({ query, caller }) => devices.list(query, caller)),
  route(getDevice, ({ query, caller }) => devices.get(query.guid, caller)),
  route(getDeviceById, ({ query, caller }) => devices.getById(query.id, caller)),
  route(createDevice, ({ body, caller, change }) => devices.create(body, caller, change)),
  fileRoute(downloadConfiguration, ({ query, caller, change }) => devices.issueConfiguration(query.id, caller, change)),
]
