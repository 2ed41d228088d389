import { type Kysely, sql } from 'kysely'
import type pg from 'pg'
import type { PastReadings } from '#contract/fleet.ts'
import { numberedFieldById } from '#domain/catalogue/fieldId.ts'
import type { DeviceId, FieldId } from '#domain/ids.ts'
import { DAY_MS, HOUR_MS } from '#domain/units/time.ts'
import { makeRollupMonths } from '#server/db/partitions/partitions.ts'
import type { Database } from '#server/db/schema.ts'

const HOURS = 24

/** Alerts are about the internal temperature of display 1; charge and input voltage of the UPS explain them. */
export const PAST_HOUR_FIELDS: readonly FieldId[] = [4101, 5102, 5105] as FieldId[]

/** Makes partitions for hours from before the first readings. */
export async function makePastMonths(owner: pg.Pool, from: Date, to: Date): Promise<void> {
  const client = await owner.connect()
  try {
    await makeRollupMonths(client, from, to)
  } finally {
    client.release()
  }
}

interface Hour {
  sum: number
  least: number
  greatest: number
  count: number
}

interface DayRow {
  readonly day: string
  readonly means: (number | null)[]
  readonly minima: (number | null)[]
  readonly maxima: (number | null)[]
  readonly counts: (number | null)[]
}

/** Inserts roll-ups of a device's past, for charts that are older than its readings. Existing hours stay. */
export async function insertPastHours(
  owner: Kysely<Database>,
  deviceId: DeviceId,
  told: readonly PastReadings[],
): Promise<void> {
  const rows = told
    .filter(({ fieldId }) => numberedFieldById(fieldId)?.field.isMeasurement)
    .flatMap((readings) => dayRows(readings).map((row) => ({ field_id: readings.fieldId, ...row })))
  await sql`
    insert into rollup as r (device_id, field_id, day, means, minima, maxima, counts)
    select ${deviceId}, field_id, day, means, minima, maxima, counts
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as told (field_id integer, day date, means real[], minima real[], maxima real[], counts integer[])
    on conflict (device_id, field_id, day) do update set
      means = filled_hours(r.means, excluded.means), minima = filled_hours(r.minima, excluded.minima),
      maxima = filled_hours(r.maxima, excluded.maxima), counts = filled_hours(r.counts, excluded.counts)`.execute(owner)
}

function dayRows({ fromMs, everyMs, values }: PastReadings): DayRow[] {
  const hours = new Map<number, Hour>()
  for (const [index, value] of values.entries()) {
    if (typeof value !== 'number') continue
    const hour = Math.floor((fromMs + index * everyMs) / HOUR_MS)
    const { sum, least, greatest, count } = hours.get(hour) ?? { sum: 0, least: value, greatest: value, count: 0 }
    hours.set(hour, {
      sum: sum + value,
      least: Math.min(least, value),
      greatest: Math.max(greatest, value),
      count: count + 1,
    })
  }
  const days = new Set([...hours.keys()].map((hour) => Math.floor(hour / HOURS)))
  return [...days].map((day) => {
    const ofDay = Array.from({ length: HOURS }, (_, hour) => hours.get(day * HOURS + hour))
    return {
      day: new Date(day * DAY_MS).toISOString().slice(0, 10),
      means: ofDay.map((hour) => (hour ? hour.sum / hour.count : null)),
      minima: ofDay.map((hour) => hour?.least ?? null),
      maxima: ofDay.map((hour) => hour?.greatest ?? null),
      counts: ofDay.map((hour) => hour?.count ?? null),
    }
  })
}
