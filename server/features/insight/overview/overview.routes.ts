import { getDashboardTable, getDashboardValues, getTileTrends, getWrongNow } from '#contract/http/insight/overview.ts'
import { type Route, route } from '#server/http/call/route.ts'
import type { Dashboard } from './overview.service.ts'

export const dashboardRoutes = (dashboard: Dashboard): readonly Route[] => [
  route(getDashboardValues, async ({ query, caller }) => [...(await dashboard.values(query, caller))]),
  route(getTileTrends, ({ query, caller }) => dashboard.trends(query, caller)),
  route(getWrongNow, ({ query, caller }) => dashboard.wrongNow(query, caller)),
  route(getDashboardTable, ({ query, caller }) => dashboard.table(query, caller)),
]
