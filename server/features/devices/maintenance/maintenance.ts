import type { Given } from '#server/features/feature.ts'
import { createVisibleDevices } from '#server/fleet/visibleDevices.store.ts'
import { maintenanceRoutes } from './maintenance.routes.ts'
import { createMaintenance } from './maintenance.service.ts'
import { createMaintenanceStore } from './maintenance.store.ts'

export const maintenanceFeature = ({ pool, db }: Pick<Given, 'pool' | 'db'>) => ({
  routes: maintenanceRoutes(
    createMaintenance({ store: createMaintenanceStore(db), visibleDevices: createVisibleDevices(pool) }),
  ),
})
