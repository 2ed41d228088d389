import { getDeviceDrivers, setDeviceDriver } from '#contract/http/devices/deviceDrivers.ts'
import { type Route, route } from '#server/http/call/route.ts'
import type { DeviceDriverService } from './deviceDrivers.service.ts'

export const deviceDriverRoutes = (drivers: DeviceDriverService): readonly Route[] => [
  route(getDeviceDrivers, ({ query, caller }) => drivers.read(query.deviceId, caller)),
  route(setDeviceDriver, ({ body, caller, change }) => drivers.choose(body, caller, change)),
]
