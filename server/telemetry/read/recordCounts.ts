import { containing } from '#server/db/queries/containing.ts'
import type { Queryable } from '#server/db/transaction.ts'
import { exactTotal, ROWS_TO_COUNT } from '#server/http/reading/pages.ts'
import { layoutByTypeId } from '#server/telemetry/ingress/eventLayout.ts'
import { findSettled, spansOfType } from '../settled/settledDays.ts'
import { type MessagesQuestion, REFUSED_AS_MESSAGES } from './messages.ts'
import type { RawRowsQuestion } from './rawRows.ts'

/** Counts the reports in the period; null beyond 10,000, because counting on would cost more than reading. */
export async function countRawRows(
  queryable: Queryable,
  { deviceId, eventTypeId, from, to }: RawRowsQuestion,
): Promise<number | null> {
  const layout = layoutByTypeId(eventTypeId)
  if (layout === undefined) return 0
  const settled = await findSettled(queryable, spansOfType(layout, deviceId, { from, to }))
  let count = await countOf(
    queryable,
    `select from ${layout.table} where device_id = $1 and device_dt >= $2 and device_dt < $3
       and number between 1 and ${layout.type.prefixes.length}`,
    [deviceId, new Date(Math.max(+from, settled.openFromMs)), to],
  )
  if (settled.isEmpty || count >= ROWS_TO_COUNT) return exactTotal(count)
  for await (const { begin, end } of settled.days({ fields: [] }, 'newestFirst')) {
    count += end - begin
    if (count >= ROWS_TO_COUNT) break
  }
  return exactTotal(Math.min(count, ROWS_TO_COUNT))
}

/** Counts the messages in the period, with the same limit. */
export async function countMessages(
  queryable: Queryable,
  { deviceId, from, to, text }: MessagesQuestion,
): Promise<number | null> {
  const contains = text ? 'and msg ilike $4' : ''
  const those = `device_id = $1 and at >= $2 and at < $3 ${contains}`
  const count = await countOf(
    queryable,
    `select from device_message where ${those} union all select from ${REFUSED_AS_MESSAGES} refused where ${those}`,
    [deviceId, from, to, ...(text ? [containing(text)] : [])],
  )
  return exactTotal(count)
}

async function countOf(queryable: Queryable, rows: string, values: unknown[]): Promise<number> {
  const { rows: found } = await queryable.query<{ count: number }>(
    `select count(*)::integer as count from (${rows} limit ${ROWS_TO_COUNT}) as counted`,
    values,
  )
  return found[0]?.count ?? 0
}
