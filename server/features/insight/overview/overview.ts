import type { ReadQueryOf } from '#contract/call/call.ts'
import {
  DASHBOARD_KEYS,
  getDashboardTable,
  getDashboardValues,
  getTileTrends,
  getWrongNow,
  type TileTrend,
  TREND_POINTS,
} from '#contract/http/insight/overview.ts'
import { isAllowed } from '#domain/permissions/permissions.ts'
import { DAY_MS, MINUTE_MS } from '#domain/units/time.ts'
import type { Given } from '#server/features/feature.ts'
import { narrowScope } from '#server/fleet/customerLookup.ts'
import { overviewCountsJob } from '#server/fleet/overviewCounts.ts'
import { CallError } from '#server/http/call/callError.ts'
import { type Caller, type Scope, scopeOf } from '#server/http/call/caller.ts'
import { route } from '#server/http/call/route.ts'
import { type Period, readPeriod } from '#server/http/reading/period.ts'
import { OverviewPublisher } from '#server/live/OverviewPublisher.ts'
import { readEtlInfo } from '#server/telemetry/read/etlInfo.ts'
import { chartRows, heatMapRows, hotRows, lastRows, openedRows } from './dashboardTables.ts'
import { fleetSamplesJob, SAMPLE_STEP_MS, sampleTimeOf } from './fleetSamples.store.ts'
import { readVerdictChanges } from './needsAttention.store.ts'
import { readNeedsAttention } from './needsAttention.ts'
import { readAlertChanges, readSamples, readTileValues } from './overview.store.ts'

type Deps = Pick<Given, 'db' | 'pool' | 'log' | 'clock'>
type TableQuery = ReadQueryOf<typeof getDashboardTable>

/** This period is used where none is given (rules/overview 7). */
const DEFAULT_PERIOD_MS = 7 * DAY_MS

export function overviewFeature(deps: Deps) {
  const { db, pool, log } = deps
  const wrongNow = (scope: Scope) => readNeedsAttention(deps, scope)
  const askedScope = (caller: Caller, { customerId }: Pick<TableQuery, 'customerId'>) =>
    narrowScope(db, scopeOf(caller), customerId)
  const overview = new OverviewPublisher({
    readValues: (scope) => readTileValues(pool, scope, new Date()),
    readOpenedAlerts: (scope) => openedRows(pool, scope),
    readWrongNow: wrongNow,
    readAlertChanges: () => readAlertChanges(pool),
    readVerdictChanges: () => readVerdictChanges(pool),
    log,
  })
  return {
    routes: [
      route(getDashboardValues, async ({ query, caller }) => {
        const now = new Date()
        askedPeriod(query, now)
        return readTileValues(pool, await askedScope(caller, query), now)
      }),
      route(getTileTrends, async ({ query, caller }) => trends(deps, await askedScope(caller, query))),
      route(getWrongNow, async ({ query, caller }) => wrongNow(await askedScope(caller, query))),
      route(getDashboardTable, ({ query, caller }) => table(deps, query, caller)),
    ],
    jobs: [overviewCountsJob(), fleetSamplesJob()],
    overview,
    stop: () => overview.stop(),
  }
}

async function trends({ pool }: Deps, scope: Scope): Promise<TileTrend> {
  const lastMs = sampleTimeOf(new Date()).getTime()
  const fromMs = lastMs - (TREND_POINTS - 1) * SAMPLE_STEP_MS
  const samples = await readSamples(pool, scope, new Date(fromMs))
  const known = new Map(samples.map(({ at, values }) => [at.getTime(), values]))
  const timesMs = Array.from({ length: TREND_POINTS }, (_, step) => fromMs + step * SAMPLE_STEP_MS)
  return {
    from: new Date(fromMs).toISOString(),
    stepMinutes: SAMPLE_STEP_MS / MINUTE_MS,
    trends: DASHBOARD_KEYS.map((key) => ({ key, values: timesMs.map((ms) => known.get(ms)?.[key] ?? null) })),
  }
}

/**
 * @throws CallError `forbidden` for the roll-up unless the caller is internal, for the rest unless they see devices
 */
async function table({ db, pool, clock }: Deps, query: TableQuery, caller: Caller) {
  const now = new Date()
  const period = askedPeriod(query, now)
  const { table: name, timeZone = 'UTC' } = query
  if (!isAllowed(name === 'ETL_DB_INFO' ? 'internal' : 'seeDevices', caller)) throw new CallError('forbidden')
  const scope = await narrowScope(db, scopeOf(caller), query.customerId)
  if (name === 'ETL_DB_INFO') return [await readEtlInfo(pool, clock.now())]
  if (name === 'INTERNAL_TEMPERATURE') return hotRows(pool, scope, now)
  if (name === 'AVG_TEMPERATURE') return chartRows(pool, scope, now)
  if (name === 'OPENED_ALERTS') return openedRows(pool, scope)
  if (name === 'HEATMAP_ALERTS') return heatMapRows(pool, scope, timeZone, now)
  return lastRows(pool, scope, period)
}

/** @throws CallError `invalid_request` when it ends before it begins */
function askedPeriod({ dateFrom, dateTo }: Pick<TableQuery, 'dateFrom' | 'dateTo'>, now: Date): Period {
  const to = dateTo ?? now.toISOString()
  return readPeriod({ dateTo: to, dateFrom: dateFrom ?? new Date(Date.parse(to) - DEFAULT_PERIOD_MS).toISOString() })
}
