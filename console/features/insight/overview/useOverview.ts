import { useMemo } from 'react'
import { REFRESH_EVERY_MS } from '#console/lib/call/refreshPeriods.ts'
import { type CallResult, callKey, queryClient, refresh, useCall } from '#console/lib/call/useCall.ts'
import { useLiveOverview, useOnLiveAgain } from '#console/lib/live/live.ts'
import { useIsCustomerUser } from '#console/lib/session/session.ts'
import { viewerTimeZone } from '#console/lib/time/viewerZone.ts'
import { useAddress } from '#console/router/useAddress.ts'
import type { AnswerOf } from '#contract/call/call.ts'
import { getDashboardTable, getDashboardValues, getTileTrends, getWrongNow } from '#contract/http/insight/overview.ts'
import type { CustomerId } from '#domain/ids.ts'
import { overviewPeriod } from './overviewPeriod.ts'

/** Data that was read for the page before it was drawn is not read again for it. */
const FRESH_MS = 5_000
const OPTIONS = { refreshEveryMs: REFRESH_EVERY_MS.besideLive, keepsPrevious: true, freshMs: FRESH_MS } as const

type AnyRow = AnswerOf<typeof getDashboardTable>[number]
export type TableResult = CallResult<typeof getDashboardTable>

/** All rows of a requested table have the same columns. */
export function rowsWith<Column extends string>(rows: readonly AnyRow[], column: Column) {
  return rows.filter((row): row is Extract<AnyRow, Record<Column, unknown>> => column in row)
}

/** The address names the customer; without one it covers all devices, and for users of a customer their own. */
export function useOverviewCustomer() {
  const { values, change } = useAddress('/overview')
  const isCustomerUser = useIsCustomerUser()
  const customerId = isCustomerUser ? undefined : values.customerId
  return [customerId, (next: CustomerId | undefined) => change({ customerId: next })] as const
}

/** It requests everything on the page at once; tiles and open alerts follow every change in between. */
export function useOverview(customerId: CustomerId | undefined) {
  const scope = useMemo(() => (customerId === undefined ? {} : { customerId }), [customerId])
  const { dateFrom, dateTo } = overviewPeriod(Date.now())
  const asked = useMemo(() => ({ ...scope, dateFrom, dateTo }), [scope, dateFrom, dateTo])
  const timeZone = viewerTimeZone()
  const openedQuery = { ...asked, table: 'OPENED_ALERTS' as const }
  const result = {
    wrong: useCall(getWrongNow, scope, OPTIONS),
    values: useCall(getDashboardValues, asked, OPTIONS),
    trends: useCall(getTileTrends, scope, OPTIONS),
    hottest: useCall(getDashboardTable, { ...asked, table: 'INTERNAL_TEMPERATURE' }, OPTIONS),
    opened: useCall(getDashboardTable, openedQuery, OPTIONS),
    temperatures: useCall(getDashboardTable, { ...asked, table: 'AVG_TEMPERATURE' }, OPTIONS),
    heatMap: useCall(getDashboardTable, { ...asked, table: 'HEATMAP_ALERTS', timeZone }, OPTIONS),
  }
  useLiveOverview(customerId ?? -1, ({ values, openedAlerts, wrongNow }) => {
    queryClient.setQueryData(callKey(getWrongNow, scope), wrongNow)
    queryClient.setQueryData(callKey(getDashboardValues, asked), values)
    queryClient.setQueryData(callKey(getDashboardTable, openedQuery), openedAlerts)
  })
  // Events are lost while the live stream is down, so everything is read again.
  useOnLiveAgain(() => void refresh(getWrongNow, getDashboardValues, getTileTrends, getDashboardTable))
  return { ...result, timeZone }
}
