import type { CustomerId } from '#domain/ids.ts'
import { settleDevices } from '#server/darkness/sums/darkSums.ts'
import type { Given } from '#server/features/feature.ts'
import { deletedDevicesJob } from '#server/fleet/deletedDevices.ts'
import { searchTextsJob } from '#server/fleet/searchTexts.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { createDeviceListStore } from '../list/deviceList.store.ts'
import { createDevicePinStore } from '../list/devicePins.store.ts'
import { usedTags } from '../list/deviceTags.store.ts'
import { knownVersions, versionsIn } from '../list/deviceVersions.store.ts'
import { createDeviceDeletion } from './deviceDeletion.service.ts'
import { createDeviceDetails } from './deviceDetails.service.ts'
import { deviceDetailsStore } from './deviceDetails.store.ts'
import { createDeviceEventStore } from './deviceEvents.store.ts'
import { createDeviceKeys } from './deviceKeys.service.ts'
import { type DeviceServices, deviceRoutes } from './devices.routes.ts'
import { createDeviceService } from './devices.service.ts'
import { createDeviceStore } from './devices.store.ts'

type Deps = Pick<Given, 'db' | 'pool' | 'log' | 'clock' | 'live' | 'closeRevoked' | 'addresses'> & {
  /** Public keys of releases that devices are to trust. */
  readonly releaseKeys: () => Promise<readonly string[]>
}

/** What devices are: their records and keys. */
export function devicesFeature({ db, pool, log, clock, live, closeRevoked, addresses, releaseKeys }: Deps) {
  const store = createDeviceStore(db)
  const seen = createDeviceEventStore(db)
  const onChanged = live.noteChanged
  const services: DeviceServices = {
    devices: createDeviceService({
      store,
      list: createDeviceListStore(db, pool),
      pins: createDevicePinStore(db),
      usedTags: (scope) => usedTags(db, scope),
      versionsIn: (scope) => versionsIn(db, scope),
      knownVersions: () => knownVersions(db),
    }),
    details: createDeviceDetails({ store, details: deviceDetailsStore, onChanged, onAlerts: live.noteAlerts }),
    keys: createDeviceKeys({ store, addresses, releaseKeys, closeRevoked }),
    remove: createDeviceDeletion({ store, closeRevoked, onChanged }),
  }
  return {
    routes: deviceRoutes(services),
    jobs: [searchTextsJob, clock.deleting(deletedDevicesJob({ log, takeOut: settleDevices }))],
    liveReaders: { readDevices: seen.events },
    visibleDevices: seen.visible,
    customerExists: async (id: CustomerId, scope: Scope) => (await store.findCustomer(id, scope)) !== undefined,
  }
}
