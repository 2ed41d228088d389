import type pg from 'pg'
import { DAY_MS } from '#domain/units/time.ts'
import { sizesSql } from '#server/db/distribute/citusState.ts'
import { type DayTable, findDayTables } from '#server/db/partitions/oldPartitions.ts'
import { isInLooks, LOOK_TABLE, readingTable } from '#server/db/partitions/readingTables.ts'
import { EVENT_LAYOUTS, type EventLayout } from '#server/telemetry/ingress/eventLayout.ts'
import { rowsOfType } from '#server/telemetry/ingress/rowLayout.ts'

/** A table of one day, with the layouts of what it holds. */
export interface OpenTable {
  readonly day: string
  readonly layouts: readonly EventLayout[]
  readonly table: DayTable
}

/** SQL of all rows of an event type on one day. */
export interface OpenRows {
  readonly day: string
  readonly layout: EventLayout
  readonly rows: string
}

/** @param tables all of one day */
export const openRows = (tables: readonly OpenTable[]): readonly OpenRows[] =>
  EVENT_LAYOUTS.flatMap((layout) => {
    const its = tables.filter(({ layouts }) => layouts.includes(layout))
    const [first] = its
    const names = its.map(({ table }) => table.name)
    return first === undefined ? [] : [{ day: first.day, layout, rows: rowsOfType(layout, names) }]
  })

/** Days that follow each other and are closed at once, because readers take a minute to get through them. */
export interface DayBatch {
  readonly days: ReadonlyMap<string, readonly OpenTable[]>
  readonly firstDay: string
  /** The end is excluded. */
  readonly endDay: string
  /** They are closed already, and only their tables are left. */
  readonly isClosed: boolean
  /** So many days come after them. */
  readonly daysAfter: number
}

/** The tables of more would be kept long beside their closed days. */
const MOST_BYTES = 256 * 1024 * 1024
/** Each has a dozen tables, which are locked at once. */
const MOST_DAYS = 31

/** Finds the oldest days before a given one that have tables; undefined when there are none. */
export async function nextBatch(owner: pg.ClientBase, before: string): Promise<DayBatch | undefined> {
  const tables = await openTables(owner)
  const { rows } = await owner.query<{ closed: string; closing: string }>(
    'select closed_before::text as closed, closing_before::text as closing from closing_state',
  )
  const [{ closed, closing } = { closed: '', closing: '' }] = rows
  const daysBefore = (end: string) => tables.filter(({ day }) => day < end)
  const old = daysBefore(before)
  const left = daysBefore(closed)
  if (left.length > 0) return batchOf(left, old, true)
  // Days that were begun are finished, whatever the clock says by now.
  const begun = daysBefore(closing)
  if (begun.length > 0) return { ...batchOf(begun, old), endDay: closing }
  const first = await firstOf(owner, old)
  return first.length > 0 ? batchOf(first, old) : undefined
}

function batchOf(tables: readonly OpenTable[], old: readonly OpenTable[], isClosed = false): DayBatch {
  const days = Map.groupBy(tables, ({ day }) => day)
  const inOrder = [...days.keys()]
  const [firstDay = '', lastDay = ''] = [inOrder[0], inOrder.at(-1)]
  const daysAfter = new Set(old.map(({ day }) => day).filter((day) => day > lastDay)).size
  return { days, firstDay, endDay: dayAfter(lastDay), isClosed, daysAfter }
}

const dayAfter = (day: string) => new Date(Date.parse(day) + DAY_MS).toISOString().slice(0, 10)

/** Oldest first. */
async function openTables(owner: pg.ClientBase): Promise<readonly OpenTable[]> {
  const tables = (await findDayTables(owner)).flatMap((table) => {
    const layouts = EVENT_LAYOUTS.filter(({ type }) =>
      table.parent === LOOK_TABLE ? isInLooks(type) : table.parent === readingTable(type),
    )
    return layouts.length === 0 ? [] : [{ day: dayOf(table), layouts, table }]
  })
  return tables.sort((one, other) => (one.day < other.day ? -1 : Number(one.day > other.day)))
}

const dayOf = ({ name }: DayTable) => name.slice(-8).replace(/(\d{4})(\d\d)(\d\d)/, '$1-$2-$3')

/** Takes as many of the oldest days as are small together; the first in any case. */
async function firstOf(owner: pg.ClientBase, tables: readonly OpenTable[]): Promise<readonly OpenTable[]> {
  const days = [...new Set(tables.map(({ day }) => day))].slice(0, MOST_DAYS)
  const sizes = await sizesSql(owner, LOOK_TABLE)
  const { rows } = await owner.query<{ name: string; bytes: number }>(
    `select relname as name, row_bytes::float8 as bytes from pg_class join ${sizes} sizes on relid = oid
     where relkind = 'r' and relname = any ($1) and pg_table_is_visible(oid)`,
    [tables.filter(({ day }) => days.includes(day)).map(({ table }) => table.name)],
  )
  const bytesOf = new Map(rows.map(({ name, bytes }) => [name, bytes]))
  let room = MOST_BYTES
  const taken = days.filter((day, index) => {
    for (const { table } of tables.filter((one) => one.day === day)) room -= bytesOf.get(table.name) ?? 0
    return index === 0 || room >= 0
  })
  return tables.filter(({ day }) => taken.includes(day))
}
