import {
  changeDeviceTags,
  deleteDevice,
  getTimeZoneAt,
  renewDeviceKey,
  setDeviceDetails,
  setDeviceStatus,
} from '#contract/http/devices/details.ts'
import { createDevice, downloadConfiguration, getDevice, getDeviceById } from '#contract/http/devices/devices.ts'
import { zoneAt } from '#server/fleet/timeZone.ts'
import { fileRoute, type Route, route } from '#server/http/call/route.ts'
import type { DeleteDevice } from './deviceDeletion.service.ts'
import type { DeviceDetailsService } from './deviceDetails.service.ts'
import type { DeviceKeyService } from './deviceKeys.service.ts'
import type { DeviceService } from './devices.service.ts'

export interface DetailsServices {
  readonly devices: DeviceService
  readonly details: DeviceDetailsService
  readonly keys: DeviceKeyService
  readonly remove: DeleteDevice
}

export const detailsRoutes = ({ devices, details, keys, remove }: DetailsServices): readonly Route[] => [
  route(getDevice, ({ query, caller }) => devices.get(query.guid, caller)),
  route(getDeviceById, ({ query, caller }) => devices.getById(query.id, caller)),
  route(createDevice, ({ body, caller, change, idempotencyKey, arrivedAtMs }) =>
    devices.create({ ...body, idempotencyKey, arrivedAtMs }, caller, change),
  ),
  route(setDeviceDetails, ({ body, caller, change }) => details.setDetails(body, caller, change)),
  route(changeDeviceTags, ({ body, caller, change }) => details.changeTags(body, caller, change)),
  route(setDeviceStatus, ({ query, caller, change }) => details.setStatus(query.id, query.statusId, caller, change)),
  route(deleteDevice, ({ query, caller, change }) => remove(query.id, caller, change)),
  route(getTimeZoneAt, ({ query }) => ({ timeZone: zoneAt(query.latitude, query.longitude) })),
  fileRoute(downloadConfiguration, ({ query, caller, change }) => keys.download(query.id, caller, change)),
  fileRoute(renewDeviceKey, ({ body, caller, change }) => keys.renew(body.id, caller, change)),
]
