import { createVisibleDevices } from '#server/fleet/visibleDevices.store.ts'
import { readSeries, readSeriesByDevice } from '#server/telemetry/read/series.ts'
import type { Given } from '../feature.ts'
import { analyticsRoutes } from './analytics.routes.ts'
import { createAnalyticsStore } from './analytics.store.ts'

export const analyticsFeature = ({ pool, db }: Pick<Given, 'pool' | 'db'>) => ({
  routes: analyticsRoutes({
    store: createAnalyticsStore(db),
    visibleDevices: createVisibleDevices(pool),
    series: (question) => readSeries(pool, question),
    seriesByDevice: (question) => readSeriesByDevice(pool, question),
  }),
})
