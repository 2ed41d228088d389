import { settleDevices } from '#server/darkness/sums/darkSums.ts'
import type { Given } from '#server/features/feature.ts'
import { deletedDevicesJob } from '#server/fleet/deletedDevices.ts'
import { type DetailsServices, detailsRoutes } from './details.routes.ts'
import { createDeviceDeletion } from './deviceDeletion.service.ts'
import { createDeviceDetails } from './deviceDetails.service.ts'
import { deviceDetailsStore } from './deviceDetails.store.ts'
import { createDeviceEventStore } from './deviceEvents.store.ts'
import { createDeviceKeys } from './deviceKeys.service.ts'
import { createDeviceService } from './devices.service.ts'
import { createDeviceStore } from './devices.store.ts'

type Deps = Pick<Given, 'db' | 'log' | 'clock' | 'live' | 'closeRevoked' | 'addresses'> & {
  readonly releaseKeys: () => Promise<readonly string[]>
}

export function deviceDetailsFeature({ db, log, clock, live, closeRevoked, addresses, releaseKeys }: Deps) {
  const store = createDeviceStore(db)
  const seen = createDeviceEventStore(db)
  const onChanged = live.noteChanged
  const services: DetailsServices = {
    devices: createDeviceService(store),
    details: createDeviceDetails({ store, details: deviceDetailsStore, onChanged, onAlerts: live.noteAlerts }),
    keys: createDeviceKeys({ store, addresses, releaseKeys, closeRevoked }),
    remove: createDeviceDeletion({ store, closeRevoked, onChanged }),
  }
  return {
    routes: detailsRoutes(services),
    jobs: [clock.deleting(deletedDevicesJob({ log, takeOut: settleDevices }))],
    liveReaders: { readDevices: seen.events },
    visibleDevices: seen.visible,
  }
}
