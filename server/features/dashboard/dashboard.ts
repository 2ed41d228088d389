import { overviewCountsJob } from '#server/fleet/overviewCounts.ts'
import { createOverviewTeller } from '#server/live/overviewTeller.ts'
import { readEtlInfo } from '#server/telemetry/read/etlInfo.ts'
import { readSeriesRows } from '#server/telemetry/read/seriesRows.ts'
import type { Given } from '../feature.ts'
import { dashboardRoutes } from './dashboard.routes.ts'
import { createDashboard, type DashboardNeeds } from './dashboard.service.ts'
import { createDashboardStore } from './dashboard.store.ts'
import { fleetSamplesJob } from './fleetSamples.store.ts'
import { createWrongNowStore } from './wrongNow.store.ts'

type Needs = Pick<Given, 'pool' | 'log' | 'clock'> & Pick<DashboardNeeds, 'customerExists'>

/** The numbers of the Overview, asked for and told. */
export function dashboardFeature({ pool, log, clock, customerExists }: Needs) {
  const store = createDashboardStore(pool)
  const wrong = createWrongNowStore(pool)
  const dashboard = createDashboard({
    store,
    wrong,
    customerExists,
    etlInfo: () => readEtlInfo(pool, clock.now()),
    hourlyMeans: (question) => readSeriesRows(pool, { ...question, stepMinutes: 60, withRange: false }),
  })
  const overview = createOverviewTeller({
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
