import type { DeviceId, EventTypeId } from '#domain/ids.ts'
import type { Queryable } from '#server/db/transaction.ts'
import { type EventLayout, layoutByTypeId } from './eventLayout.ts'
import { microsecondsOf, momentOf } from './moments.ts'

/** Where a page ends; the next one begins behind it. */
export interface RawRowKey {
  readonly atMicroseconds: number
  readonly number: number
}

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

const KEY_COLUMNS = 5

/**
 * Stored reports of all components of an event type, newest first, of one instant the highest component first.
 *
 * @returns at most `limit`; none for an event type that does not exist
 */
export async function readRawRows(
  queryable: Queryable,
  { deviceId, eventTypeId, from, to, after, limit }: RawRowsQuestion & { after?: RawRowKey | undefined; limit: number },
): Promise<StoredReport[]> {
  const layout = layoutByTypeId(eventTypeId)
  if (layout === undefined) return []
  const { rows } = await queryable.query<unknown[]>({
    rowMode: 'array',
    text: pageSql(layout, after),
    values: [deviceId, from, to, limit, ...(after === undefined ? [] : [after.atMicroseconds])],
  })
  return rows.map((row) => reportOf(layout, row))
}

/** One index scan for each component number, merged: the key of the table has the number before the time. */
function pageSql({ type, table, columns }: EventLayout, after: RawRowKey | undefined): string {
  const numbers = type.prefixes.map((_, index) => index + 1)
  const components = numbers.map((number) => {
    const behind = after === undefined ? '' : `and device_dt ${number < after.number ? '<=' : '<'} ${momentOf('$5')}`
    return `(select * from ${table} where device_id = $1 and number = ${number}
      and device_dt >= $2 and device_dt < $3 ${behind} order by device_dt desc limit $4)`
  })
  return `
    select ${microsecondsOf('device_dt')}, number, ${microsecondsOf('inserted')}, ${microsecondsOf('claimed_at')}, extra,
      ${columns.join(', ')}
    from (${components.join(' union all ')}) as merged
    order by device_dt desc, number desc limit $4`
}

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
