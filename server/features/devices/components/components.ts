import type { Given } from '#server/features/feature.ts'
import { createVisibleDevices } from '#server/fleet/visibleDevices.store.ts'
import { deviceComponentRoutes } from './components.routes.ts'
import { createDeviceComponents } from './components.service.ts'
import { createDeviceComponentStore } from './components.store.ts'
import { deviceDriverRoutes } from './deviceDrivers.routes.ts'
import { createDeviceDrivers } from './deviceDrivers.service.ts'
import { createDeviceDriverStore } from './deviceDrivers.store.ts'

export const deviceComponentsFeature = ({ pool, db, cipher }: Pick<Given, 'pool' | 'db' | 'cipher'>) => {
  const visibleDevices = createVisibleDevices(pool)
  return {
    routes: [
      ...deviceComponentRoutes(createDeviceComponents({ store: createDeviceComponentStore(db), visibleDevices })),
      ...deviceDriverRoutes(createDeviceDrivers({ store: createDeviceDriverStore(db, cipher), visibleDevices })),
    ],
  }
}
