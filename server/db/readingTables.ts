import { EVENT_TYPES, type EventType } from '#domain/catalogue/eventTypes.ts'

/** Name of the partitioned table that keeps the readings of an event type. */
export function readingTable(type: EventType): string {
  return `reading_${type.topic.replaceAll('-', '_')}`
}

/**
 * SQL: a row of readings counts, because its time is the device's own, or one that was corrected (decision 254).
 *
 * @param rows how the statement calls them, with its dot
 */
export const isBelieved = (rows = ''): string => `(${rows}claimed_at is null or ${rows}is_corrected is true)`

export function quoted(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`
}

/** Tables partitioned by UTC day, with the column that says the day. */
export const PARTITIONED_TABLES: readonly { readonly table: string; readonly column: string }[] = [
  ...EVENT_TYPES.map((type) => ({ table: readingTable(type), column: 'device_dt' })),
  { table: 'device_message', column: 'at' },
  { table: 'rejected_report', column: 'received_at' },
]

/** Partitioned by UTC month of its days, and kept for years. */
export const ROLLUP_TABLE = 'rollup'
