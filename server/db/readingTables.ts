import { EVENT_TYPES, type EventType } from '#domain/catalogue/eventTypes.ts'
import type { CatalogueField } from '#domain/catalogue/field.ts'

/** Name of the partitioned table that keeps the readings of an event type. */
export function readingTable(type: EventType): string {
  return `reading_${type.topic.replaceAll('-', '_')}`
}

/** Columns that every reading table has before its fields. 8-byte columns first: no padding between. */
export const READING_KEY_COLUMNS = ['device_dt', 'inserted', 'claimed_at', 'device_id', 'number'] as const

const SQL_TYPES = { real: 'real', integer: 'integer', text: 'text' } as const

export function quoted(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`
}

/** A statement that adds the column of a field; what a new line in the catalogue needs as its migration. */
export function addColumnStatement(type: EventType, field: CatalogueField): string {
  return `alter table ${readingTable(type)} add column ${quoted(field.name)} ${SQL_TYPES[field.storage]};`
}

/** Tables partitioned by UTC day, with the column that says the day. */
export const PARTITIONED_TABLES: readonly { readonly table: string; readonly column: string }[] = [
  ...EVENT_TYPES.map((type) => ({ table: readingTable(type), column: 'device_dt' })),
  { table: 'device_message', column: 'at' },
  { table: 'rejected_report', column: 'received_at' },
]
