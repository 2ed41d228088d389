import type pg from 'pg'
import type { DeviceId } from '#domain/ids.ts'
import { addDays, type LocalDate } from '#domain/units/wallClock.ts'
import { lockUntilCommit } from '#server/db/advisoryLocks.ts'
import { transactionOn } from '#server/db/transaction.ts'
import type { Job } from '#server/jobs/JobRunner.ts'
import { causesOfDays } from './dayCauses.ts'
import { countDays, type DarkPlace, holidayReader, readDarkPlaces, touchedDates } from './dayCounts.ts'
import { energyOfDays } from './energyDays.ts'
import { keepDisplayDays } from './keepDisplayDays.ts'
import { keepDays } from './sums/darkSums.ts'

const EVERY_MS = 5_000
/** A longer run would leave the database no time for others. */
const LONGEST_RUN_MS = 2_000
const DAYS_AT_ONCE = 40

/** Counts the minutes of days that received readings (decision 91). */
export const darkDaysJob: Job = {
  name: 'dark minutes',
  everyMs: EVERY_MS,
  async run(owner, now, stopped) {
    const endsAt = performance.now() + LONGEST_RUN_MS
    const isOver = () => stopped.aborted || performance.now() > endsAt
    await countDueDays(owner, { now, isOver })
  },
}

interface DueRow {
  readonly device_id: DeviceId
  readonly day: string
  readonly hours: number
}

/**
 * Counts every due day, newest first. Each step is one transaction, so that a process that is killed anywhere leaves a
 * day either due or counted. Readings that arrive meanwhile make it due again.
 *
 * @returns how many UTC days of devices were looked at
 */
export async function countDueDays(
  owner: pg.ClientBase,
  { now, isOver }: { readonly now: Date; readonly isOver: () => boolean },
): Promise<number> {
  let counted = 0
  for (let taken = DAYS_AT_ONCE; taken === DAYS_AT_ONCE && !isOver(); counted += taken) {
    taken = await transactionOn(owner, async () => {
      await owner.query(`select ${lockUntilCommit('darkDays')}`)
      const { rows } = await owner.query<DueRow>(TAKE_SQL, [now, DAYS_AT_ONCE])
      await countRows(owner, rows, now)
      return rows.length
    })
  }
  return counted
}

/** Days whose raw rows were dropped stay as they were counted. Days that become due meanwhile are taken next time. */
const TAKE_SQL = `
  with taken as materialized (
    select device_id, day from dark_due where due_at <= $1 order by day desc, device_id limit $2
    for update skip locked
  ), gone as (
    delete from dark_due d using taken t where d.device_id = t.device_id and d.day = t.day
    returning d.device_id, d.day, d.hours
  )
  select device_id, to_char(day, 'YYYY-MM-DD') as day,
    case when day > (select complete_from from rollup_state) then hours else 0 end as hours
  from gone order by device_id, day`

const countRows = (owner: pg.ClientBase, rows: readonly DueRow[], now: Date) =>
  countAndKeep(owner, rows, now, ({ day, hours }, place) => touchedDates(Date.parse(day), hours, place.timeZone))

/**
 * Counts local days of devices and stores the result.
 *
 * @param datesOf finds the local dates that a row means, at most two days from its own
 */
export async function countAndKeep<Row extends { readonly device_id: DeviceId; readonly day: string }>(
  owner: pg.ClientBase,
  rows: readonly Row[],
  now: Date,
  datesOf: (row: Row, place: DarkPlace) => readonly LocalDate[],
): Promise<void> {
  if (rows.length === 0) return
  const days = rows.map(({ day }) => day).sort()
  const holidaysOf = holidayReader(owner as pg.PoolClient, addDays(days[0] ?? '', -2), addDays(days.at(-1) ?? '', 2))
  const places = await readDarkPlaces(owner as pg.PoolClient, [...new Set(rows.map((row) => row.device_id))])
  for (const place of places.values()) {
    if (place.displayNumbers.length === 0) continue
    const dates = rows.filter((row) => row.device_id === place.deviceId).flatMap((row) => datesOf(row, place))
    const holidays = await holidaysOf(place.country)
    const counted = await countDays(owner as pg.PoolClient, place, [...new Set(dates)].sort(), holidays, now)
    const causes = await causesOfDays(owner as pg.PoolClient, place, counted, holidays)
    const energy = await energyOfDays(owner as pg.PoolClient, place, counted, holidays, now)
    const kept = counted.map((day) => ({ ...day, ...causes.get(day), ...energy.get(day) }))
    await keepDays(owner, place.deviceId, kept)
    await keepDisplayDays(owner, place.deviceId, kept)
  }
}
