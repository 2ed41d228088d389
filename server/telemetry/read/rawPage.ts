import { momentOf } from '#server/db/queries/microseconds.ts'
import type { EventLayout } from '#server/telemetry/ingress/eventLayout.ts'

/** The place where a page ends. The next page begins after it. */
export interface RawRowKey {
  readonly atMicroseconds: number
  readonly number: number
}

export interface StoredReport {
  readonly key: RawRowKey
  /** A row of the contract. Fields have the names of component 1 whatever component it was. */
  readonly json: string
}

export interface RawPage {
  readonly deviceId: number
  readonly from: Date
  /** The end is excluded. */
  readonly to: Date
  readonly after: RawRowKey | undefined
  readonly limit: number
}

export const rawPageValues = ({ deviceId, from, to, limit, after }: RawPage): unknown[] => [
  deviceId,
  from,
  to,
  limit,
  ...(after === undefined ? [] : [after.atMicroseconds]),
]

export const NEWEST_FIRST = 'order by device_dt desc, number desc'

/**
 * SQL of a page of reports of all components, newest first, and within an instant the highest component first. Its
 * parameters are `rawPageValues`. It merges one index scan for each component number, because the table's key has the
 * number before the time. The number of different texts is small, so that they can be prepared.
 */
export function rawPageSql({ type, table }: EventLayout, after: RawRowKey | undefined): string {
  const components = type.prefixes.map((_, index) => {
    const number = index + 1
    const behind = after === undefined ? '' : `and device_dt ${number < after.number ? '<=' : '<'} ${momentOf('$5')}`
    return `(select * from ${table} where device_id = $1 and number = ${number}
      and device_dt >= $2 and device_dt < $3 ${behind} order by device_dt desc limit $4)`
  })
  return `select * from (${components.join(' union all ')}) as merged ${NEWEST_FIRST} limit $4`
}
