import type pg from 'pg'
import type { CatalogueField } from '#domain/catalogue/field.ts'
import { DAY_MS } from '#domain/units/time.ts'
import { isInLooks, quoted } from '#server/db/partitions/readingTables.ts'
import { EVENT_LAYOUTS } from '#server/telemetry/ingress/eventLayout.ts'
import { ROW_LAYOUTS, rowLayoutFor } from '#server/telemetry/ingress/rowLayout.ts'
import { DISPLAY_COLUMNS } from './benchDevices.ts'

/** Where the ceiling stores reports: a table like that of the product. */
export interface CeilingTable {
  /** The topics of its reports. Those with prefixes share the row of a device and moment, each in its own columns. */
  readonly topics: readonly { readonly topic: string; readonly prefixes?: readonly string[] }[]
  readonly table: string
  readonly like: string
  readonly columns: readonly { readonly name: string; readonly storage: CatalogueField['storage'] }[]
}

export const DISPLAY_CEILING: readonly CeilingTable[] = [
  {
    topics: [{ topic: 'display' }],
    table: 'bench_ceiling_display',
    like: 'reading_display',
    columns: DISPLAY_COLUMNS.map((name) => ({ name, storage: 'real' })),
  },
]

export const AGENT_CEILING: readonly CeilingTable[] = ROW_LAYOUTS.map(({ table, fields }) => ({
  topics: EVENT_LAYOUTS.filter((layout) => rowLayoutFor(layout).table === table).map(({ type }) => ({
    topic: type.topic,
    ...(isInLooks(type) && { prefixes: type.prefixes }),
  })),
  table: table.replace('reading', 'bench_ceiling'),
  like: table,
  columns: fields.map(({ name, storage }) => ({ name, storage })),
}))

/** SQL of the reports that the agent's stream leaves in the product. */
export const AGENT_REPORTS = EVENT_LAYOUTS.map(({ table }) => `${table} where number is not null`)

/** SQL of those that it leaves in the ceiling, whose looks lack the number of their reports. */
export const CEILING_REPORTS = EVENT_LAYOUTS.flatMap(({ type, table, fields }) => {
  const [own] = AGENT_CEILING.filter(({ topics }) => topics.some(({ topic }) => topic === type.topic))
  if (own === undefined) throw new Error(`${table} has no ceiling.`)
  if (!isInLooks(type)) return [own.table]
  return type.prefixes.map(
    (prefix) => `${own.table} where num_nonnulls(${fields.map(({ name }) => quoted(prefix + name)).join(', ')}) > 0`,
  )
})

export async function makeCeilingTables(db: pg.Client, tables: readonly CeilingTable[]) {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
  for (const { table, like } of tables) {
    await db.query(`drop table if exists ${table}`)
    await db.query(`create table ${table} (like ${like} including all) partition by range (device_dt)`)
    for (const day of [today - DAY_MS, today]) {
      const text = new Date(day).toISOString()
      await db.query(
        `create table ${table}_${text.slice(0, 10).replaceAll('-', '')} partition of ${table}
         for values from ('${text}') to ('${new Date(day + DAY_MS).toISOString()}')`,
      )
    }
  }
}
