import type { Given } from '#server/features/feature.ts'
import { customerExists } from '#server/fleet/customerLookup.ts'
import { overviewCountsJob } from '#server/fleet/overviewCounts.ts'
import { OverviewPublisher } from '#server/live/OverviewPublisher.ts'
import { readEtlInfo } from '#server/telemetry/read/etlInfo.ts'
import { readSeriesRows } from '#server/telemetry/read/seriesRows.ts'
import { fleetSamplesJob } from './fleetSamples.store.ts'
import { createWrongNowStore } from './needsAttention.store.ts'
import { dashboardRoutes } from './overview.routes.ts'
import { createDashboard } from './overview.service.ts'
import { createDashboardStore } from './overview.store.ts'

type Deps = Pick<Given, 'db' | 'pool' | 'log' | 'clock'>

export function dashboardFeature({ db, pool, log, clock }: Deps) {
  const store = createDashboardStore(pool)
  const wrong = createWrongNowStore(pool)
  const dashboard = createDashboard({
    store,
    wrong,
    customerExists: (id, scope) => customerExists(db, id, scope),
    etlInfo: () => readEtlInfo(pool, clock.now()),
    hourlyMeans: (question) => readSeriesRows(pool, { ...question, stepMinutes: 60, withRange: false }),
  })
  const overview = new OverviewPublisher({
    readValues: dashboard.valuesOf,
    readOpenedAlerts: dashboard.openedRows,
    readWrongNow: dashboard.wrongNowOf,
    readAlertChanges: store.alertChanges,
    readVerdictChanges: wrong.changes,
    log,
  })
  return {
    routes: dashboardRoutes(dashboard),
    jobs: [overviewCountsJob(), fleetSamplesJob()],
    overview,
    stop: () => overview.stop(),
  }
}
