import { type EtlInfo, getDashboardTable } from '#contract/http/dashboard.ts'
import type { CustomerId } from '#domain/ids.ts'
import { notFound } from '#server/http/callError.ts'
import { type Scope, scopeOf } from '#server/http/caller.ts'
import { readPeriod } from '#server/http/period.ts'
import { type Route, route } from '#server/http/route.ts'

export interface DashboardNeeds {
  readonly customerExists: (id: CustomerId, scope: Scope) => Promise<boolean>
  readonly etlInfo: () => Promise<EtlInfo>
}

export const dashboardRoutes = ({ customerExists, etlInfo }: DashboardNeeds): readonly Route[] => [
  route(getDashboardTable, async ({ query, caller }) => {
    readPeriod(query)
    const { customerId } = query
    const isFiltered = customerId !== undefined && customerId !== -1
    if (isFiltered && !(await customerExists(customerId, scopeOf(caller)))) throw notFound()
    return [await etlInfo()]
  }),
]
