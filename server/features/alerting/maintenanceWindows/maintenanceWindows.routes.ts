import {
  changeMaintenanceWindow,
  createMaintenanceWindow,
  deleteMaintenanceWindow,
  endMaintenanceWindow,
  listMaintenanceWindows,
  previewMaintenanceWindow,
} from '#contract/http/alerting/maintenanceWindows.ts'
import { type Route, route } from '#server/http/call/route.ts'
import type { MaintenanceWindows } from './maintenanceWindows.service.ts'

export const maintenanceWindowRoutes = (windows: MaintenanceWindows): readonly Route[] => [
  route(listMaintenanceWindows, ({ query, caller }) => windows.list(query, caller)),
  route(previewMaintenanceWindow, ({ body, caller }) => windows.preview(body, caller)),
  route(createMaintenanceWindow, ({ body, caller, change }) => windows.create(body, caller, change)),
  route(changeMaintenanceWindow, ({ body, caller, change }) => windows.change(body, caller, change)),
  route(endMaintenanceWindow, ({ body, caller, change }) => windows.end(body, caller, change)),
  route(deleteMaintenanceWindow, ({ body, caller, change }) => windows.remove(body.id, caller, change)),
]
