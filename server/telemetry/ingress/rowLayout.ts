import type { FieldStorage } from '#domain/catalogue/field.ts'
import { isInLooks, LOOK_TABLE, quoted, readingTable } from '#server/db/partitions/readingTables.ts'
import { EVENT_LAYOUTS, type EventLayout } from './eventLayout.ts'

/** The columns of a table that readings are written to. */
export interface RowLayout {
  readonly table: string
  readonly key: readonly string[]
  readonly fields: readonly { readonly name: string; readonly storage: FieldStorage }[]
  /** The columns of what the catalogue does not know. */
  readonly extras: readonly string[]
}

/** Says where a component's fields stand in the row of a look. */
export interface PlaceInLook {
  readonly firstField: number
  readonly extra: number
}

function rowLayoutOf({ type, fields }: EventLayout): RowLayout {
  return { table: readingTable(type), key: ['device_id', 'number', 'device_dt'], fields, extras: ['extra'] }
}

const lookFields: RowLayout['fields'][number][] = []
const lookExtras: string[] = []
const places = new Map<EventLayout, readonly PlaceInLook[]>()
for (const layout of EVENT_LAYOUTS.filter(({ type }) => isInLooks(type))) {
  const ofNumbers = layout.type.prefixes.map((prefix): PlaceInLook => {
    const place = { firstField: lookFields.length, extra: lookExtras.length }
    lookFields.push(...layout.fields.map(({ name, storage }) => ({ name: prefix + name, storage })))
    lookExtras.push(`${prefix}extra`)
    return place
  })
  places.set(layout, ofNumbers)
}

/** A look has its values in the columns of the flat record. */
export const LOOK_LAYOUT: RowLayout = {
  table: LOOK_TABLE,
  key: ['device_id', 'device_dt'],
  fields: lookFields,
  extras: lookExtras,
}

const ownRows = new Map(
  EVENT_LAYOUTS.filter(({ type }) => !isInLooks(type)).map((layout) => [layout, rowLayoutOf(layout)]),
)

/** Every process writes tables in this order, so that two never wait for each other in a circle. */
export const ROW_LAYOUTS: readonly RowLayout[] = [...ownRows.values(), LOOK_LAYOUT]

export const rowLayoutFor = (layout: EventLayout): RowLayout => ownRows.get(layout) ?? LOOK_LAYOUT

/** @returns undefined for a component that has rows of its own */
export const placeInLook = (layout: EventLayout, number: number): PlaceInLook | undefined =>
  places.get(layout)?.[number - 1]

/**
 * SQL of the rows of an event type in some tables of one day, with the transaction that wrote each.
 *
 * @param tables names of days of its own table or of looks
 */
export function rowsOfType({ type, columns, fields }: EventLayout, tables: readonly string[]): string {
  const head = 'xmin, device_dt, inserted, claimed_at, is_corrected, device_id'
  const parts = tables.flatMap((table) =>
    table.startsWith(LOOK_TABLE)
      ? type.prefixes.map((prefix, index) => {
          const own = fields.map(({ name }) => quoted(prefix + name))
          const extra = quoted(`${prefix}extra`)
          const named = own.map((column, at) => `${column} as ${columns[at]}`)
          return `select ${head}, ${index + 1}::smallint as number, ${named.join(', ')}, nullif(${extra}, '{}') as extra
            from ${table} where num_nonnulls(${own.join(', ')}, ${extra}) > 0`
        })
      : [`select ${head}, number, ${columns.join(', ')}, extra from ${table}`],
  )
  return `(${parts.join('\nunion all ')})`
}
