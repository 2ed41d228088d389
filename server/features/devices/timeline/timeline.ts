import { holidayReader, readDarkPlaces, readLevels } from '#server/darkness/dayCounts.ts'
import type { Given } from '#server/features/feature.ts'
import { createVisibleDevices } from '#server/fleet/visibleDevices.store.ts'
import { readHourExtremes, readingsKeptSince } from '#server/telemetry/read/hourExtremes.ts'
import { readMeansOfHours } from '#server/telemetry/read/hourlyMeans.ts'
import { createSiteStore } from './site.store.ts'
import { deviceTimelineRoutes } from './timeline.routes.ts'
import { createDeviceTimelineStore } from './timeline.store.ts'

export function deviceTimelineFeature({ pool, clock }: Pick<Given, 'pool' | 'clock'>) {
  const store = createDeviceTimelineStore(pool)
  return {
    routes: deviceTimelineRoutes({
      store,
      visibleDevices: createVisibleDevices(pool),
      now: clock.now,
      place: async (deviceId) => (await readDarkPlaces(pool, [deviceId])).get(deviceId),
      holidays: ({ country }, first, last) => holidayReader(pool, first, last)(country),
      timeZone: store.timeZone,
      means: (deviceId, hours) => readMeansOfHours(pool, deviceId, hours),
      levels: (deviceId, span) => readLevels(pool, deviceId, span),
      onBattery: store.onBattery,
      extremes: (deviceId, fieldIds, hours) => readHourExtremes(pool, deviceId, fieldIds, hours),
      readingsKeptSince: () => readingsKeptSince(pool),
      siteOf: createSiteStore(pool).siteOf,
    }),
  }
}
