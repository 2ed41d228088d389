import type pg from 'pg'
import type { DeviceId } from '#domain/ids.ts'
import { openDatabase } from './db/database.ts'
import { createDarknessStore } from './features/darkness/darkness.store.ts'
import { feedChainRoutes } from './features/darkness/feedChain.routes.ts'
import { createFeedStore } from './features/darkness/feeds.store.ts'
import { deviceComponentRoutes } from './features/deviceComponents/deviceComponents.routes.ts'
import { createDeviceComponents } from './features/deviceComponents/deviceComponents.service.ts'
import { createDeviceComponentStore } from './features/deviceComponents/deviceComponents.store.ts'
import type { DeviceAddresses } from './features/devices/deviceAddresses.ts'
import { createDeviceDeletion } from './features/devices/deviceDeletion.service.ts'
import { createDeviceDetails } from './features/devices/deviceDetails.service.ts'
import { deviceDetailsStore } from './features/devices/deviceDetails.store.ts'
import { createDeviceKeys } from './features/devices/deviceKeys.service.ts'
import { createDeviceListStore } from './features/devices/deviceList.store.ts'
import { createDevicePinStore } from './features/devices/devicePins.store.ts'
import { deviceRoutes } from './features/devices/devices.routes.ts'
import { createDeviceService } from './features/devices/devices.service.ts'
import { createDeviceStore } from './features/devices/devices.store.ts'
import { holidayRoutes } from './features/holidays/holidays.routes.ts'
import { createHolidays } from './features/holidays/holidays.service.ts'
import { createHolidayStore } from './features/holidays/holidays.store.ts'
import { lockDevice } from './http/existingDevices.store.ts'
import type { Route } from './http/route.ts'
import { createVisibleDevices } from './http/visibleDevices.store.ts'

export interface DeviceAreaNeeds {
  readonly pool: pg.Pool
  readonly addresses: () => DeviceAddresses
  /** Public keys of releases that devices are to trust. */
  readonly releaseKeys: () => Promise<readonly string[]>
  /** Connections of this process whose key is gone are to end. */
  readonly closeRevoked: () => void
  /** Consoles that watch the device are to see it anew. */
  readonly onChanged: (deviceId: DeviceId) => void
  /** Alerts of these devices changed. */
  readonly onAlerts: (devices: ReadonlySet<DeviceId>) => void
}

/** The calls about what devices are: records, keys, components, and the holidays where they stand. */
export function deviceAreaRoutes({
  pool,
  addresses,
  releaseKeys,
  closeRevoked,
  onChanged,
  onAlerts,
}: DeviceAreaNeeds): readonly Route[] {
  const db = openDatabase(pool)
  const store = createDeviceStore(db)
  return [
    ...deviceRoutes({
      devices: createDeviceService({ store, list: createDeviceListStore(db), pins: createDevicePinStore(db) }),
      details: createDeviceDetails({ store, details: deviceDetailsStore, onChanged, onAlerts }),
      keys: createDeviceKeys({ store, addresses, releaseKeys, closeRevoked }),
      remove: createDeviceDeletion({ store, closeRevoked, onChanged }),
    }),
    ...deviceComponentRoutes(
      createDeviceComponents({ store: createDeviceComponentStore(db), visibleDevices: createVisibleDevices(pool) }),
    ),
    ...feedChainRoutes({
      store: createDarknessStore(db),
      feeds: createFeedStore(db),
      lockDevice,
      transaction: (work) => db.transaction().execute(work),
    }),
    ...holidayRoutes(createHolidays(createHolidayStore(db))),
  ]
}
