import type { Given } from '#server/features/feature.ts'
import { createVisibleDevices } from '#server/fleet/visibleDevices.store.ts'
import { maintenanceWindowRoutes } from './maintenanceWindows.routes.ts'
import { createMaintenanceWindows } from './maintenanceWindows.service.ts'
import { maintenancePlanJob } from './planJob.ts'
import { createWindowStore } from './windowPlan.store.ts'

/** When devices are worked on: nobody is mailed then, and the minutes count neither way. */
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
