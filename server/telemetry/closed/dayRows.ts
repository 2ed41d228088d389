import type pg from 'pg'
import { microsecondsOf } from '#server/db/queries/microseconds.ts'
import type { Queryable } from '#server/db/transaction.ts'
import type { EventLayout } from '#server/telemetry/ingress/eventLayout.ts'
import type { Cells, DayColumns } from './dayColumns.ts'

export interface Component {
  readonly deviceId: number
  readonly number: number
}

export interface DayOfType {
  readonly layout: EventLayout
  /** A UTC day like `2026-05-07`. */
  readonly day: string
}

export type ComponentDay = Component & DayOfType

const AS_TEXT: pg.CustomTypesConfig = { getTypeParser: () => (text: string) => text }
type TextRow = readonly (string | null)[]

const HEAD = `${microsecondsOf('device_dt')}, ${microsecondsOf('inserted')}, ${microsecondsOf('claimed_at')}, is_corrected, extra`

/** SQL condition: a row is of the component's day, by the parameters of `dayParameters`. */
const OF_COMPONENT = `device_id = $1 and number = $2
  and device_dt >= $3::date::timestamp at time zone 'UTC' and device_dt < ($3::date + 1)::timestamp at time zone 'UTC'`

const dayParameters = ({ deviceId, number, day }: ComponentDay) => [deviceId, number, day]

/** Reads a component's day. @param from SQL of the rows, or the name of a table */
export async function readOpenDay(queryable: Queryable, of: ComponentDay, from: string): Promise<DayColumns> {
  const { layout } = of
  const rows = await textRows(queryable, {
    text: `select ${HEAD}, ${layout.columns.join(', ')} from ${from} where ${OF_COMPONENT} order by device_dt`,
    values: dayParameters(of),
  })
  return openDayOf(rows, layout)
}

/** Reads a day of some components with one statement. @param from SQL of the rows */
export async function readOpenDays(
  queryable: Queryable,
  layout: EventLayout,
  from: string,
  components: readonly Component[],
): Promise<(readonly [Component, DayColumns])[]> {
  const place = FIRST_FIELD + layout.columns.length
  const rows = await textRows(queryable, {
    text: `select ${HEAD}, ${layout.columns.join(', ')}, one.place
      from unnest($1::integer[], $2::smallint[]) with ordinality as one (device_id, number, place)
      join ${from} as r using (device_id, number) order by one.place, device_dt`,
    values: [components.map(({ deviceId }) => deviceId), components.map(({ number }) => number)],
  })
  const byPlace = Map.groupBy(rows, (row) => Number(row[place]))
  return Array.from(byPlace, ([at, its]) => [components[at - 1] as Component, openDayOf(its, layout)] as const)
}

const openDayOf = (rows: readonly TextRow[], layout: EventLayout) =>
  dayOf(rows, layout, (place, index) => cellValue(layout, index, rows[place]?.[FIRST_FIELD + index] ?? null))

/** Takes a component's late readings of a day away and returns them. */
export async function takeLateDay(queryable: Queryable, of: ComponentDay): Promise<DayColumns> {
  const rows = await textRows(queryable, {
    text: `with taken as (
        delete from late_reading where ${OF_COMPONENT} and event_type_id = $4 returning *
      ) select ${HEAD}, fields from taken order by device_dt`,
    values: [...dayParameters(of), of.layout.type.id],
  })
  return lateDayOf(of.layout, rows)
}

/** @param rows texts of device time, arrival, claimed time, is_corrected, extra and fields, oldest first; times in microseconds */
export function lateDayOf(layout: EventLayout, rows: readonly TextRow[]): DayColumns {
  const documents = rows.map((row) => JSON.parse(row[FIRST_FIELD] ?? '{}') as Record<string, number | string>)
  return dayOf(rows, layout, (place, index) => {
    const value = documents[place]?.[layout.fields[index]?.name ?? '']
    return cellValue(layout, index, value === undefined ? null : textOf(value))
  })
}

/** The text of a negative zero would be that of zero, and rows of a day that is being closed come as numbers. */
const textOf = (value: number | string) => (Object.is(value, -0) ? '-0' : String(value))

const FIRST_FIELD = 5

async function textRows(queryable: Queryable, query: { text: string; values: unknown[] }): Promise<TextRow[]> {
  const { rows } = await queryable.query<(string | null)[]>({ ...query, rowMode: 'array', types: AS_TEXT })
  return rows
}

function cellValue({ fields }: EventLayout, index: number, text: string | null): number | string | null {
  const storage = fields[index]?.storage
  if (text === null || storage === 'text') return text
  return storage === 'real' ? Math.fround(Number(text)) : Number(text)
}

type CellOf = (place: number, index: number) => number | string | null

function dayOf(rows: readonly TextRow[], { fields }: EventLayout, cellOf: CellOf): DayColumns {
  const columns = new Map<string, ArrayLike<number | string | null>>()
  fields.forEach(({ name }, index) => {
    const cells = unlessEmpty(rows.map((_, place) => cellOf(place, index)))
    if (cells !== undefined) columns.set(name, cells)
  })
  return {
    rows: rows.length,
    at: Float64Array.from(rows, (row) => Number(row[0])),
    inserted: Float64Array.from(rows, (row) => Number(row[1])),
    claimedAt: unlessEmpty(rows.map((row) => (row[2] === null ? null : Number(row[2])))),
    isCorrected: unlessEmpty(rows.map((row) => (row[3] === null ? null : row[3] === 't'))),
    extra: unlessEmpty(rows.map((row) => row[4] ?? null)),
    fields: columns,
  }
}

function unlessEmpty<Value>(cells: readonly (Value | null)[]): Cells<Value> {
  return cells.some((cell) => cell !== null) ? cells : undefined
}
