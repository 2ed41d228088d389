import type { Given } from '#server/features/feature.ts'
import { customerExists } from '#server/fleet/customerLookup.ts'
import { searchTextsJob } from '#server/fleet/searchTexts.ts'
import { createDeviceListStore } from './deviceList.store.ts'
import { createDevicePinStore } from './devicePins.store.ts'
import { usedTags } from './deviceTags.store.ts'
import { knownVersions, versionsIn } from './deviceVersions.store.ts'
import { deviceListRoutes } from './list.routes.ts'
import { createDeviceList } from './list.service.ts'

export function deviceListFeature({ db, pool }: Pick<Given, 'db' | 'pool'>) {
  const list = createDeviceList({
    customerExists: (id, scope) => customerExists(db, id, scope),
    list: createDeviceListStore(db, pool),
    pins: createDevicePinStore(db),
    usedTags: (scope) => usedTags(db, scope),
    versionsIn: (scope) => versionsIn(db, scope),
    knownVersions: () => knownVersions(db),
  })
  return { routes: deviceListRoutes(list), jobs: [searchTextsJob] }
}
