import type { DeviceId, EventTypeId } from '#domain/ids.ts'
import { microsecondsOf } from '#server/db/queries/microseconds.ts'
import type { Queryable } from '#server/db/transaction.ts'
import { type EventLayout, layoutByTypeId } from '#server/telemetry/ingress/eventLayout.ts'
import { findSettled, spansOfType } from '../settled/settledDays.ts'
import { wideningWindows } from './moments.ts'
import { NEWEST_FIRST, type RawRowKey, rawPageSql, rawPageValues, type StoredReport } from './rawPage.ts'
import { settledReports } from './settledReports.ts'

const KEY_COLUMNS = 5

const AS_TEXT = { getTypeParser: () => (text: string) => text }

export interface RawRowsQuestion {
  readonly deviceId: DeviceId
  readonly eventTypeId: EventTypeId
  readonly from: Date
  /** The end is excluded. */
  readonly to: Date
}

/**
 * Reads stored reports of all components of an event type, newest first, and within an instant the highest component
 * first. Only the days that hold the page are queried, because planning for all kept days would take longer than
 * reading.
 *
 * @returns at most `limit` reports; none for an event type that does not exist
 */
export async function readRawRows(
  queryable: Queryable,
  { deviceId, eventTypeId, from, to, after, limit }: RawRowsQuestion & { after?: RawRowKey | undefined; limit: number },
): Promise<StoredReport[]> {
  const layout = layoutByTypeId(eventTypeId)
  if (layout === undefined) return []
  // The rows of that instant behind the key are still to come.
  const end = after === undefined ? to : new Date(Math.min(to.getTime(), Math.floor(after.atMicroseconds / 1000) + 1))
  const write = reportWriter(layout)
  const reports: StoredReport[] = []
  for (const window of wideningWindows(from, end)) {
    const settled = await findSettled(queryable, spansOfType(layout, deviceId, window))
    const openFrom = new Date(Math.max(+window.from, settled.openFromMs))
    if (openFrom < window.to) {
      const page = { deviceId, from: openFrom, to: window.to, after, limit: limit - reports.length }
      const { rows } = await queryable.query<(string | null)[]>({
        text: pageSql(layout, after),
        values: rawPageValues(page),
        rowMode: 'array',
        types: AS_TEXT,
      })
      for (const row of rows) reports.push(write(row))
    }
    if (reports.length === limit) return reports
    for await (const report of settledReports(settled, layout, after)) {
      if (reports.push(report) === limit) return reports
    }
  }
  return reports
}

const pageSql = (layout: EventLayout, after: RawRowKey | undefined) => `
  select ${microsecondsOf('device_dt')}, number, ${microsecondsOf('inserted')}, ${microsecondsOf('claimed_at')}, extra,
    ${layout.columns.join(', ')}
  from (${rawPageSql(layout, after)}) as page ${NEWEST_FIRST}`

/** Numbers stay the text they came as, because parsing and printing them takes longer than the rest of a page. */
function reportWriter({ type, fields }: EventLayout): (row: readonly (string | null)[]) => StoredReport {
  const begins = fields.map(({ name }) => `,"${type.prefixes[0]}${name}":`)
  const areTexts = fields.map(({ storage }) => storage === 'text')
  return (row) => {
    const [at, number, inserted, claimed, extra] = row
    let json = `{"device_dt":"${momentText(at)}","inserted":"${momentText(inserted)}","number":${number}`
    if (claimed) json += `,"claimed_at":"${momentText(claimed)}"`
    if (extra) json += `,"extra":${extra}`
    for (let index = 0; index < begins.length; index++) {
      const value = row[KEY_COLUMNS + index]
      if (typeof value === 'string') json += `${begins[index]}${areTexts[index] ? JSON.stringify(value) : value}`
    }
    return { key: { atMicroseconds: Number(at), number: Number(number) }, json: `${json}}` }
  }
}

const momentText = (microseconds: string | null | undefined) =>
  new Date(Math.floor(Number(microseconds) / 1000)).toISOString()
