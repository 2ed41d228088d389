import type pg from 'pg'
import type { CatalogueField } from '#domain/catalogue/field.ts'
import { DAY_MS } from '#domain/units/time.ts'
import { EVENT_LAYOUTS } from '#server/telemetry/ingress/eventLayout.ts'
import { DISPLAY_COLUMNS } from './benchDevices.ts'

/** Where the ceiling stores reports of one event type: a table like that of the product. */
export interface CeilingTable {
  readonly topic: string
  readonly table: string
  readonly like: string
  readonly columns: readonly { readonly name: string; readonly storage: CatalogueField['storage'] }[]
}

export const DISPLAY_CEILING: readonly CeilingTable[] = [
  {
    topic: 'display',
    table: 'bench_ceiling_display',
    like: 'reading_display',
    columns: DISPLAY_COLUMNS.map((name) => ({ name, storage: 'real' })),
  },
]

export const AGENT_CEILING: readonly CeilingTable[] = EVENT_LAYOUTS.map(({ type, table, fields }) => ({
  topic: type.topic,
  table: table.replace('reading', 'bench_ceiling'),
  like: table,
  columns: fields.map(({ name, storage }) => ({ name, storage })),
}))

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
