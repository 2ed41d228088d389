import type pg from 'pg'
import { DAY_MS } from '#domain/units/time.ts'
import { nextBatch } from './dayBatch.ts'

/** The first day that is not closed, so that a grace of four days leaves the present and four whole ones open. */
export function firstOpenDay(now: Date, graceDays: number): string {
  return new Date(Math.floor(now.getTime() / DAY_MS - graceDays) * DAY_MS).toISOString().slice(0, 10)
}

/** Whether a day before this one is open, or a late reading waits to be merged. */
export async function hasToClose(owner: pg.ClientBase, before: string): Promise<boolean> {
  if ((await nextBatch(owner, before)) !== undefined) return true
  return (await owner.query(LATE_DAYS_SQL)).rowCount !== 0
}

export const LATE_DAYS_AT_ONCE = 500

export const LATE_DAYS_SQL = `
  select distinct device_id, event_type_id, number, ((device_dt at time zone 'UTC')::date)::text as day
  from late_reading
  where device_dt < (select closed_before::timestamp at time zone 'UTC' from closing_state)
  limit ${LATE_DAYS_AT_ONCE}`
