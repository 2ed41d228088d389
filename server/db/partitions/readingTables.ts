import { DISPLAY_EVENT_TYPE_ID, EVENT_TYPES, type EventType } from '#domain/catalogue/eventTypes.ts'

/** The table with a row for each report of a component. */
export function readingTable(type: EventType): string {
  return `reading_${tableWord(type)}`
}

/** The table with a row for all parts that a device looked at together (decision 326). */
export const LOOK_TABLE = 'reading_look'

/** Displays tell so much that each has a row of its own. */
export const isInLooks = ({ id }: EventType): boolean => id !== DISPLAY_EVENT_TYPE_ID

/** What readers ask for the readings of an event type: of parts in looks a view, of which rows without a number are others. */
export const readingsOf = (type: EventType): string =>
  isInLooks(type) ? `readings_of_${tableWord(type)}` : readingTable(type)

const tableWord = ({ topic }: EventType) => topic.replaceAll('-', '_')

/**
 * SQL condition: a row of readings counts, because its time is the device's own or a corrected one (decision 254).
 *
 * @param rows how the statement calls them, with its dot
 */
export const isBelieved = (rows = ''): string => `(${rows}claimed_at is null or ${rows}is_corrected is true)`

export function quoted(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`
}

/** Days of messages are joined to months when they are old. */
export const MESSAGE_TABLE = 'device_message'

export const PARTITIONED_TABLES: readonly { readonly table: string; readonly column: string }[] = [
  ...EVENT_TYPES.map((type) => ({ table: readingTable(type), column: 'device_dt' })),
  { table: LOOK_TABLE, column: 'device_dt' },
  { table: MESSAGE_TABLE, column: 'at' },
  { table: 'rejected_report', column: 'received_at' },
]

const READING_TABLES = new Set([...EVENT_TYPES.map(readingTable), LOOK_TABLE])

/** Whether a table holds readings, whose days are closed before they go. */
export const isReadingTable = (table: string): boolean => READING_TABLES.has(table)

/** This table is partitioned by the UTC month of its days, and kept for years. */
export const ROLLUP_TABLE = 'rollup'

/** This table is partitioned by the UTC month of its days too. A month is made when its first day is closed. */
export const CLOSED_DAY_TABLE = 'closed_day'

/**
 * These tables grow with what devices report. Each can be spread over machines by its device (decision 342), in this
 * order: when the first is not, none is, and when the last is, all are.
 */
export const DISTRIBUTED_TABLES: readonly string[] = [
  ...[CLOSED_DAY_TABLE, ROLLUP_TABLE, 'late_reading', 'rejected_report_count'],
  ...PARTITIONED_TABLES.map(({ table }) => table).filter((table) => table !== LOOK_TABLE),
  LOOK_TABLE,
]
