import { createVisibleDevices } from '#server/fleet/visibleDevices.store.ts'
import type { Given } from '../feature.ts'
import { deviceComponentRoutes } from './deviceComponents.routes.ts'
import { createDeviceComponents } from './deviceComponents.service.ts'
import { createDeviceComponentStore } from './deviceComponents.store.ts'

export const deviceComponentsFeature = ({ pool, db }: Pick<Given, 'pool' | 'db'>) => ({
  routes: deviceComponentRoutes(
    createDeviceComponents({ store: createDeviceComponentStore(db), visibleDevices: createVisibleDevices(pool) }),
  ),
})
