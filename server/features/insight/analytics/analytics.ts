import type { Given } from '#server/features/feature.ts'
import { createVisibleDevices } from '#server/fleet/visibleDevices.store.ts'
import { readFieldReadings } from '#server/telemetry/read/fieldReadings.ts'
import { readHourlyMeansOfMany } from '#server/telemetry/read/hourlyMeans.ts'
import { readSeries, readSeriesByDevice } from '#server/telemetry/read/series.ts'
import { analyticsRoutes } from './analytics.routes.ts'
import { createAnalyticsStore } from './analytics.store.ts'
import { readingsRoutes } from './readings.routes.ts'

export function analyticsFeature({ pool, db, longReads }: Pick<Given, 'pool' | 'db' | 'longReads'>) {
  const store = createAnalyticsStore(db)
  return {
    routes: [
      ...analyticsRoutes({
        store,
        visibleDevices: createVisibleDevices(pool),
        series: (question) => readSeries(pool, question),
        longReads,
        seriesByDevice: (question) => readSeriesByDevice(pool, question),
      }),
      ...readingsRoutes({
        visibleDevices: createVisibleDevices(pool),
        readings: (question, atMost) => readFieldReadings(pool, question, atMost),
        states: store.presentStates,
        means: (deviceIds, fieldIds, now) => readHourlyMeansOfMany(pool, deviceIds, fieldIds, now),
      }),
    ],
  }
}
