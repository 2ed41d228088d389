import type pg from 'pg'
import { openDatabase } from './db/database.ts'
import { maintenanceRoutes } from './features/maintenance/maintenance.routes.ts'
import { createMaintenance } from './features/maintenance/maintenance.service.ts'
import { createMaintenanceStore } from './features/maintenance/maintenance.store.ts'
import { notificationSettingsRoutes } from './features/notifications/notificationSettings.routes.ts'
import { createNotificationSettings } from './features/notifications/notificationSettings.service.ts'
import { createNotificationSettingsStore } from './features/notifications/notificationSettings.store.ts'
import type { Route } from './http/route.ts'
import { createVisibleDevices } from './http/visibleDevices.store.ts'

/** The calls about who is told of alerts, and what was done on site. */
export function careRoutes(pool: pg.Pool): readonly Route[] {
  const db = openDatabase(pool)
  return [
    ...maintenanceRoutes(
      createMaintenance({ store: createMaintenanceStore(db), visibleDevices: createVisibleDevices(pool) }),
    ),
    ...notificationSettingsRoutes(createNotificationSettings(createNotificationSettingsStore(db))),
  ]
}
