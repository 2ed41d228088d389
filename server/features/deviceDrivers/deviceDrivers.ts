import { createVisibleDevices } from '#server/fleet/visibleDevices.store.ts'
import type { Given } from '../feature.ts'
import { deviceDriverRoutes } from './deviceDrivers.routes.ts'
import { createDeviceDrivers } from './deviceDrivers.service.ts'
import { createDeviceDriverStore } from './deviceDrivers.store.ts'

/** Which driver reads and switches which part of a device. */
export const deviceDriversFeature = ({ pool, db }: Pick<Given, 'pool' | 'db'>) => ({
  routes: deviceDriverRoutes(
    createDeviceDrivers({ store: createDeviceDriverStore(db), visibleDevices: createVisibleDevices(pool) }),
  ),
})
