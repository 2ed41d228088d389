import { overviewCountsJob } from '#server/fleet/overviewCounts.ts'
import { createOverviewTeller } from '#server/live/overviewTeller.ts'
import { readEtlInfo } from '#server/telemetry/read/etlInfo.ts'
import { readSeriesRows } from '#server/telemetry/read/seriesRows.ts'
import type { Given } from '../feature.ts'
import { dashboardRoutes } from './dashboard.routes.ts'
import { createDashboard, type DashboardNeeds } from './dashboard.service.ts'
import { createDashboardStore } from './dashboard.store.ts'

type Needs = Pick<Given, 'pool' | 'log' | 'clock'> & Pick<DashboardNeeds, 'customerExists'>

/** The numbers of the Overview, asked for and told. */
export function dashboardFeature({ pool, log, clock, customerExists }: Needs) {
  const store = createDashboardStore(pool)
  const dashboard = createDashboard({
    store,
    customerExists,
    etlInfo: () => readEtlInfo(pool, clock.now()),
    hourlyMeans: (question) => readSeriesRows(pool, { ...question, stepMinutes: 60, withRange: false }),
  })
  const overview = createOverviewTeller({
    readValues: dashboard.valuesOf,
    readOpenedAlerts: dashboard.openedRows,
    readAlertChanges: store.alertChanges,
    log,
  })
  return { routes: dashboardRoutes(dashboard), jobs: [overviewCountsJob()], overview, stop: () => overview.stop() }
}
