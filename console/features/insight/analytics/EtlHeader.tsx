import { useEffect } from 'react'
import { messages } from '#console/lib/call/messages.ts'
import { REFRESH_EVERY_MS } from '#console/lib/call/refreshPeriods.ts'
import { toasts } from '#console/lib/call/toasts.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { useAge } from '#console/lib/time/time.ts'
import { type EtlInfo, getDashboardTable } from '#contract/http/insight/overview.ts'
import type { CustomerId } from '#domain/ids.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'

/** The roll-up is queried by these fixed values (rules/analytics 11). */
const QUERY = {
  table: 'ETL_DB_INFO',
  customerId: -1 as CustomerId | -1,
  dateFrom: '2000-01-01',
  dateTo: '2999-12-31',
} as const

/** Internal users see the status and last refresh of the roll-up that charts read. */
export function EtlHeader() {
  const answer = useCall(getDashboardTable, QUERY, { refreshEveryMs: REFRESH_EVERY_MS.byTheMinute })
  const info: EtlInfo | undefined = answer.data?.find((row) => 'etl_status' in row)
  const age = useAge(info?.etl_last_refresh)
  const status = info?.etl_status
  useEffect(() => {
    if (status === 'PROCESSING') toasts.info(messages.etlRunning)
  }, [status])

  // The room is kept before the answer, because a later line would push the page down.
  return (
    <span className="etl" data-status={status}>
      ETL status <strong>{status ?? UNKNOWN_TEXT}</strong> · last refresh {age ?? UNKNOWN_TEXT}
    </span>
  )
}
