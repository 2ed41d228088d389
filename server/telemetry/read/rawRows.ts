import type { DeviceId, EventTypeId } from '#domain/ids.ts'
import { prepared } from '#server/db/prepared.ts'
import type { Queryable } from '#server/db/transaction.ts'
import { type EventLayout, layoutByTypeId } from '#server/telemetry/door/eventLayout.ts'
import { microsecondsOf, wideningWindows } from './moments.ts'
import { NEWEST_FIRST, type RawRowKey, rawPageSql, rawPageValues } from './rawPage.ts'

const KEY_COLUMNS = 5

export interface StoredReport {
  readonly key: RawRowKey
  /** Device time, or receive time where the device's clock was not believed. */
  readonly at: Date
  readonly insertedAt: Date
  readonly number: number
  /** What the clock said where it was not believed. */
  readonly claimedAt: Date | undefined
  /** Known fields by name without prefix, in the order of the catalogue; absent ones are left out. */
  readonly values: Readonly<Record<string, number | string>>
  readonly extra: Readonly<Record<string, number | string | boolean>> | undefined
}

export interface RawRowsQuestion {
  readonly deviceId: DeviceId
  readonly eventTypeId: EventTypeId
  readonly from: Date
  /** Excluded. */
  readonly to: Date
}

/**
 * Stored reports of all components of an event type, newest first, of one instant the highest component first. Only the
 * days that hold the page are asked, because planning for all that are kept would take longer than reading it.
 *
 * @returns at most `limit`; none for an event type that does not exist
 */
export async function readRawRows(
  queryable: Queryable,
  { deviceId, eventTypeId, from, to, after, limit }: RawRowsQuestion & { after?: RawRowKey | undefined; limit: number },
): Promise<StoredReport[]> {
  const layout = layoutByTypeId(eventTypeId)
  if (layout === undefined) return []
  // The rows of that instant that stand behind it are still to come.
  const end = after === undefined ? to : new Date(Math.min(to.getTime(), Math.floor(after.atMicroseconds / 1000) + 1))
  const reports: StoredReport[] = []
  for (const window of wideningWindows(from, end)) {
    if (reports.length === limit) break
    const page = { deviceId, ...window, after, limit: limit - reports.length }
    const { rows } = await queryable.query<unknown[]>({
      ...prepared(pageSql(layout, after), rawPageValues(page)),
      rowMode: 'array',
    })
    for (const row of rows) reports.push(reportOf(layout, row))
  }
  return reports
}

const pageSql = (layout: EventLayout, after: RawRowKey | undefined) => `
  select ${microsecondsOf('device_dt')}, number, ${microsecondsOf('inserted')}, ${microsecondsOf('claimed_at')}, extra,
    ${layout.columns.join(', ')}
  from (${rawPageSql(layout, after)}) as page ${NEWEST_FIRST}`

function reportOf({ fields }: EventLayout, row: readonly unknown[]): StoredReport {
  const [atMicroseconds, number, inserted, claimed, extra] = row as [number, number, number, number | null, unknown]
  const values: Record<string, number | string> = {}
  fields.forEach(({ name }, index) => {
    const value = row[KEY_COLUMNS + index] as number | string | null
    if (value !== null) values[name] = value
  })
  return {
    key: { atMicroseconds, number },
    at: new Date(Math.floor(atMicroseconds / 1000)),
    insertedAt: new Date(Math.floor(inserted / 1000)),
    number,
    claimedAt: claimed === null ? undefined : new Date(Math.floor(claimed / 1000)),
    values,
    extra: extra === null ? undefined : (extra as Record<string, number | string | boolean>),
  }
}
