import { exportMessages, exportRawData, listMessages, listRawData } from '#contract/http/devices/records.ts'
import { jsonTextRoute, type Route, route, rowsRoute } from '#server/http/call/route.ts'
import type { DeviceRecords } from './records.service.ts'

export const deviceRecordRoutes = (records: DeviceRecords): readonly Route[] => [
  jsonTextRoute(listRawData, ({ query, caller }) => records.listRawData(query, caller)),
  rowsRoute(exportRawData, ({ query, caller, coding }) => records.exportRawData(query, caller, coding)),
  route(listMessages, ({ query, caller }) => records.listMessages(query, caller)),
  rowsRoute(exportMessages, ({ query, caller }) => records.exportMessages(query, caller)),
]
