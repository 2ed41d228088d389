import type pg from 'pg'
import { DAY_MS } from '#domain/units/time.ts'

/** The ceiling stores into a table like that of display reports. */
export const CEILING_TABLE = 'bench_ceiling'

export async function makeCeilingTable(db: pg.Client) {
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS
  await db.query(`drop table if exists ${CEILING_TABLE}`)
  await db.query(`create table ${CEILING_TABLE} (like reading_display including all) partition by range (device_dt)`)
  for (const day of [today - DAY_MS, today]) {
    const text = new Date(day).toISOString()
    await db.query(
      `create table ${CEILING_TABLE}_${text.slice(0, 10).replaceAll('-', '')} partition of ${CEILING_TABLE}
       for values from ('${text}') to ('${new Date(day + DAY_MS).toISOString()}')`,
    )
  }
}
