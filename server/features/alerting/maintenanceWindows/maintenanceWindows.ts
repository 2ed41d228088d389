import type { Given } from '#server/features/feature.ts'
import { createVisibleDevices } from '#server/fleet/visibleDevices.store.ts'
import { maintenanceWindowRoutes } from './maintenanceWindows.routes.ts'
import { createMaintenanceWindows } from './maintenanceWindows.service.ts'
import { maintenancePlanJob } from './planJob.ts'
import { createWindowStore } from './windowPlan.store.ts'

/** During a maintenance window nobody is mailed, and its minutes do not count for availability. */
export const maintenanceWindowsFeature = ({
  pool,
  db,
  clock,
  live,
}: Pick<Given, 'pool' | 'db' | 'clock' | 'live'>) => ({
  routes: maintenanceWindowRoutes(
    createMaintenanceWindows({
      store: createWindowStore(db),
      visibleDevices: createVisibleDevices(pool),
      now: clock.now,
      onChanged: (deviceIds) => {
        for (const deviceId of new Set(deviceIds)) live.noteChanged(deviceId)
      },
    }),
  ),
  jobs: [maintenancePlanJob(live.noteChanged)],
})
