import type { CsvColumn } from '#console/lib/csv.ts'
import type { RawRow } from '#contract/http/devices/records.ts'
import { eventTypeById } from '#domain/catalogue/eventTypes.ts'
import type { CatalogueField } from '#domain/catalogue/field.ts'
import { exportedRawValue, showRawValue } from '#domain/catalogue/rawValue.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'

export interface RawFieldColumn {
  readonly id: string
  readonly header: string
  /** A file has numbers, so every one of them names its unit. */
  readonly exportedHeader: string
  readonly isText: boolean
  readonly shown: (row: RawRow) => string
  readonly exported: (row: RawRow) => string | number | undefined
}

export interface RawColumns {
  /** A device can have several of this component, so rows say which one. */
  readonly isNumbered: boolean
  readonly fields: readonly RawFieldColumn[]
}

/** It returns undefined for an event type that the catalogue does not know. */
export function rawColumnsOf(eventTypeId: number): RawColumns | undefined {
  const type = eventTypeById(eventTypeId)
  if (!type) return undefined
  return {
    isNumbered: type.prefixes.length > 1,
    fields: type.fields.map((field) => rawFieldColumn(field, `${type.prefixes[0]}${field.name}`)),
  }
}

function rawFieldColumn(field: CatalogueField, wireName: string): RawFieldColumn {
  const valueIn = (row: RawRow) => {
    const value: unknown = row[wireName]
    return typeof value === 'number' || typeof value === 'string' ? value : undefined
  }
  return {
    id: wireName,
    // A duration says its own units.
    header: field.unit && field.display !== 'duration' ? `${field.label} (${field.unit})` : field.label,
    exportedHeader: field.unit ? `${field.label} (${field.unit})` : field.label,
    isText: field.storage === 'text',
    shown: (row) => showRawValue(field, valueIn(row)),
    exported: (row) => exportedRawValue(field, valueIn(row)),
  }
}

/** A newer client may report fields that the catalogue does not know yet. */
export function otherFieldsText({ extra }: RawRow): string {
  const entries = Object.entries(extra ?? {})
  return entries.length === 0 ? UNKNOWN_TEXT : entries.map(([name, value]) => `${name}: ${value}`).join(', ')
}

export function rawCsvColumns(eventTypeId: number): readonly CsvColumn<RawRow>[] | undefined {
  const columns = rawColumnsOf(eventTypeId)
  if (!columns) return undefined
  return [
    { header: 'Time', cell: ({ device_dt }) => new Date(device_dt) },
    ...(columns.isNumbered ? [{ header: 'Component', cell: ({ number }: RawRow) => number }] : []),
    ...columns.fields.map(({ exportedHeader, exported }) => ({ header: exportedHeader, cell: exported })),
    { header: 'Received', cell: ({ inserted }) => new Date(inserted) },
    { header: 'Clock of the device', cell: ({ claimed_at }) => claimed_at && new Date(claimed_at) },
    { header: 'Other fields', cell: ({ extra }) => (extra ? JSON.stringify(extra) : undefined) },
  ]
}
