import type pg from 'pg'
import { microsecondsOf } from '#server/db/queries/microseconds.ts'
import type { DayColumns } from '#server/telemetry/closed/dayColumns.ts'
import { lateDayOf, readOpenDay } from '#server/telemetry/closed/dayRows.ts'
import { decodeDay } from '#server/telemetry/closed/decodeDay.ts'
import { mergeDays } from '#server/telemetry/closed/mergeDays.ts'
import type { EventLayout } from '#server/telemetry/ingress/eventLayout.ts'

/** A reading by its values; arrivals are left out, because closed days know them less exactly. */
export type Reading = Readonly<Record<string, unknown>>

const NONE = lateDayOf({ fields: [] } as unknown as EventLayout, [])

/** Reads every reading of an event type on a day, wherever it lies, by the rule that all readers follow. */
export async function allReadings(owner: pg.Client, layout: EventLayout, day: string): Promise<Map<string, Reading>> {
  const found = new Map<string, Reading>()
  await owner.query('begin isolation level repeatable read')
  try {
    const [state] = (await owner.query(STATE_SQL, [day])).rows
    const { rows } = await owner.query<{ device_id: number; number: number }>(
      `select device_id, number from ${layout.table} where device_dt >= $2::date and device_dt < $2::date + 1
       union select device_id, number from late_reading where event_type_id = $1 and device_dt >= $2::date and device_dt < $2::date + 1
       union select device_id, number from closed_day where event_type_id = $1 and day = $2 order by 1, 2`,
      [layout.type.id, day],
    )
    for (const { device_id: deviceId, number } of rows) {
      const of = { layout, deviceId, number, day }
      const base = state.closed ? await closedDay(owner, of) : await readOpenDay(owner, of, layout.table)
      const merged = mergeDays(base, await lateDay(owner, of))
      for (const [at, reading] of readingsOf(merged)) found.set(`${deviceId} ${number} ${at}`, reading)
    }
  } finally {
    await owner.query('rollback')
  }
  return found
}

const STATE_SQL = 'select closed_before > $1 as closed from closing_state'

type Of = Parameters<typeof readOpenDay>[1]

async function closedDay(owner: pg.Client, { layout, deviceId, number, day }: Of): Promise<DayColumns> {
  const { rows } = await owner.query<{ body: Buffer }>(
    'select body from closed_day where device_id = $1 and event_type_id = $2 and number = $3 and day = $4',
    [deviceId, layout.type.id, number, day],
  )
  return rows[0] === undefined ? NONE : decodeDay(rows[0].body)
}

async function lateDay(owner: pg.Client, { layout, deviceId, number, day }: Of): Promise<DayColumns> {
  const { rows } = await owner.query<(string | null)[]>({
    text: `select ${microsecondsOf('device_dt')}, ${microsecondsOf('inserted')}, ${microsecondsOf('claimed_at')},
        is_corrected, extra, fields from late_reading where device_id = $1 and event_type_id = $2 and number = $3
      and device_dt >= $4::date and device_dt < $4::date + 1 order by device_dt`,
    values: [deviceId, layout.type.id, number, day],
    rowMode: 'array',
    types: { getTypeParser: () => (text: string) => text },
  })
  return lateDayOf(layout, rows)
}

function* readingsOf(day: DayColumns): Generator<[at: number, Reading]> {
  for (let row = 0; row < day.rows; row++) {
    const reading: Record<string, unknown> = {}
    for (const [name, cells] of day.fields) if (cells[row] !== null) reading[name] = cells[row]
    const extra = day.extra?.[row]
    if (extra) reading._extra = JSON.parse(extra)
    if (typeof day.claimedAt?.[row] === 'number') reading._claimed = day.claimedAt[row]
    if (day.isCorrected?.[row]) reading._corrected = true
    yield [day.at[row] ?? 0, reading]
  }
}
