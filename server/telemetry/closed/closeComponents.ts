import type pg from 'pg'
import { transactionOn } from '#server/db/transaction.ts'
import { packed } from './closedFile.ts'
import { differenceOf } from './compareDays.ts'
import type { DayColumns } from './dayColumns.ts'
import { type Component, type ComponentDay, type DayOfType, readOpenDays, takeLateDay } from './dayRows.ts'
import { decodeDay } from './decodeDay.ts'
import { encodeDay } from './encodeDay.ts'
import { mergeDays } from './mergeDays.ts'

/** Writes open days of some components to closed ones, which only exist already after a clock was set back. */
export function closeComponents(
  owner: pg.ClientBase,
  of: DayOfType,
  rows: string,
  components: readonly Component[],
): Promise<void> {
  return transactionOn(owner, async () => merge(owner, of, await readOpenDays(owner, of.layout, rows, components)))
}

/** Merges a component's late readings into its closed day. */
export function mergeLate(owner: pg.ClientBase, of: ComponentDay): Promise<void> {
  return transactionOn(owner, async () => {
    const columns = await takeLateDay(owner, of)
    if (columns.rows > 0) await merge(owner, of, [[of, columns]])
  })
}

async function merge(
  owner: pg.ClientBase,
  of: DayOfType,
  later: readonly (readonly [Component, DayColumns])[],
): Promise<void> {
  const components = later.map(([component]) => component)
  const key = [
    components.map(({ deviceId }) => deviceId),
    components.map(({ number }) => number),
    ...[of.layout.type.id, of.day],
  ]
  const { rows } = await owner.query<{ place: number; body: Buffer }>(READ_SQL, key)
  const known = new Map(rows.map(({ place, body }) => [place, body]))
  const counts: number[] = []
  const bodies: Uint8Array[] = []
  for (const [place, [component, columns]] of later.entries()) {
    const body = known.get(place + 1)
    const day = body === undefined ? columns : mergeDays(decodeDay(body), columns)
    counts.push(day.rows)
    bodies.push(comparedBody({ ...of, ...component }, day))
  }
  await owner.query(WRITE_SQL, [...key, counts, bodies])
}

/** @throws if the day is not read again as the day that it was written from (rules/readings 5) */
function comparedBody({ layout, deviceId, number, day }: ComponentDay, columns: DayColumns): Uint8Array {
  const body = packed(encodeDay(columns))
  const difference = differenceOf(columns, decodeDay(body))
  if (difference === undefined) return body
  throw new Error(`Device ${deviceId}, ${layout.type.topic} ${number}, ${day} is read back with ${difference}.`)
}

/** Only who closes days writes them. What is deleted meanwhile and written again is deleted by the next run of its job. */
const READ_SQL = `select one.place::integer as place, c.body
  from unnest($1::integer[], $2::smallint[]) with ordinality as one (device_id, number, place)
  join closed_day c using (device_id, number)
  where c.event_type_id = $3 and c.day = $4`

const WRITE_SQL = `insert into closed_day (device_id, event_type_id, number, day, rows, body, closed_at)
  select device_id, $3, number, $4, rows, body, clock_timestamp()
  from unnest($1::integer[], $2::smallint[], $5::integer[], $6::bytea[]) as one (device_id, number, rows, body)
  on conflict (device_id, event_type_id, number, day) do update
    set rows = excluded.rows, body = excluded.body, closed_at = excluded.closed_at`
