import type pg from 'pg'
import { transactionOn } from '#server/db/transaction.ts'
import { differenceOf } from './compareDays.ts'
import type { DayColumns } from './dayColumns.ts'
import { type ComponentDay, readOpenDay, takeLateDay } from './dayRows.ts'
import { decodeDay } from './decodeDay.ts'
import { encodeDay } from './encodeDay.ts'
import { mergeDays } from './mergeDays.ts'

/** Writes a component's open day to its closed one, which only exists already after a clock was set back. */
export function closeComponent(owner: pg.ClientBase, of: ComponentDay, rows: string): Promise<void> {
  return transactionOn(owner, async () => {
    const open = await readOpenDay(owner, of, rows)
    await merge(owner, of, open)
  })
}

/** Merges a component's late readings into its closed day. */
export function mergeLate(owner: pg.ClientBase, of: ComponentDay): Promise<void> {
  return transactionOn(owner, async () => {
    const late = await takeLateDay(owner, of)
    await merge(owner, of, late)
  })
}

async function merge(owner: pg.ClientBase, of: ComponentDay, later: DayColumns): Promise<void> {
  if (later.rows === 0) return
  const key = [of.deviceId, of.layout.type.id, of.number, of.day]
  const { rows } = await owner.query<{ body: Buffer }>(READ_SQL, key)
  const day = rows[0] === undefined ? later : mergeDays(decodeDay(rows[0].body), later)
  const body = encodeDay(day)
  const difference = differenceOf(day, decodeDay(body))
  if (difference !== undefined) {
    const { layout, deviceId, number } = of
    throw new Error(`Device ${deviceId}, ${layout.type.topic} ${number}, ${of.day} is read back with ${difference}.`)
  }
  await owner.query(WRITE_SQL, [...key, day.rows, body])
}

const READ_SQL = `select body from closed_day
  where device_id = $1 and event_type_id = $2 and number = $3 and day = $4 for update`

const WRITE_SQL = `insert into closed_day (device_id, event_type_id, number, day, rows, body, closed_at)
  values ($1, $2, $3, $4, $5, $6, clock_timestamp())
  on conflict (device_id, event_type_id, number, day) do update
    set rows = excluded.rows, body = excluded.body, closed_at = excluded.closed_at`
