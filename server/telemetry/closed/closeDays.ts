import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { DAY_MS } from '#domain/units/time.ts'
import { lockUntilCommit, tryLockUntilDisconnected, unlock } from '#server/db/advisoryLocks.ts'
import { type DayTable, findDayTables, finishDetaching } from '#server/db/partitions/oldPartitions.ts'
import { LOCK_TIMEOUT, makeClosedMonth } from '#server/db/partitions/partitions.ts'
import { isInLooks, LOOK_TABLE, readingTable } from '#server/db/partitions/readingTables.ts'
import { transactionOn } from '#server/db/transaction.ts'
import { EVENT_LAYOUTS, type EventLayout, layoutByTypeId } from '#server/telemetry/ingress/eventLayout.ts'
import { rowsOfType } from '#server/telemetry/ingress/rowLayout.ts'
import { closeComponent, mergeLate } from './closeComponent.ts'
import { dropDay } from './dropDay.ts'
import { moveToLateSql } from './lateReadings.ts'

export interface Closing {
  /** A UTC day like `2026-05-07`; the days before it are closed. */
  readonly before: string
  /** This is asked between transactions. */
  readonly isOver: () => boolean
  /** Rests after some work, so that closing takes only a share of a core. */
  readonly rest: (workedMs: number) => Promise<unknown>
  readonly onClosed?: (day: string) => void
  /**
   * The rows of a closed day stay so long, because who reads a day asks first whether it is closed, and then for its
   * rows.
   */
  readonly readersTakeMs?: number
}

/** A table of one day, with the layouts of what it holds. */
interface OpenTable {
  readonly layouts: readonly EventLayout[]
  readonly table: DayTable
}

/** SQL of all rows of an event type on one day. */
interface OpenRows {
  readonly layout: EventLayout
  readonly rows: string
}

/**
 * Closes all days before a given one, oldest first, and merges late readings into closed days (decision 313). Each step
 * is one transaction, so a process that is killed anywhere leaves all readings where their readers look for them, and
 * whoever comes next goes on.
 *
 * @returns whether nothing was left; false also while another process closes days
 */
export async function closeDays(owner: pg.ClientBase, closing: Closing): Promise<boolean> {
  const { rows } = await owner.query<{ is: boolean }>(`select ${tryLockUntilDisconnected('closing')} as is`)
  if (rows[0]?.is !== true) return false
  try {
    await finishDetaching(owner)
    for (;;) {
      if (closing.isOver()) return false
      const day = await oldestDay(owner, closing.before)
      if (day === undefined) return await mergeAllLate(owner, closing)
      if (!(await closeDay(owner, day, closing))) return false
      closing.onClosed?.(day)
    }
  } finally {
    await owner.query(`select ${unlock('closing')}`).catch(() => undefined)
  }
}

/** Whether a day before this one is open, or a late reading waits to be merged. */
export async function hasToClose(owner: pg.ClientBase, before: string): Promise<boolean> {
  if ((await oldestDay(owner, before)) !== undefined) return true
  return (await owner.query(LATE_DAYS_SQL)).rowCount !== 0
}

const dayOf = ({ name }: DayTable) => name.slice(-8).replace(/(\d{4})(\d\d)(\d\d)/, '$1-$2-$3')

async function openTables(owner: pg.ClientBase): Promise<readonly OpenTable[]> {
  return (await findDayTables(owner)).flatMap((table) => {
    const layouts = EVENT_LAYOUTS.filter(({ type }) =>
      table.parent === LOOK_TABLE ? isInLooks(type) : table.parent === readingTable(type),
    )
    return layouts.length === 0 ? [] : [{ layouts, table }]
  })
}

const openRows = (tables: readonly OpenTable[]): readonly OpenRows[] =>
  EVENT_LAYOUTS.flatMap((layout) => {
    const its = tables.filter(({ layouts }) => layouts.includes(layout)).map(({ table }) => table.name)
    return its.length === 0 ? [] : [{ layout, rows: rowsOfType(layout, its) }]
  })

async function oldestDay(owner: pg.ClientBase, before: string): Promise<string | undefined> {
  const days = (await openTables(owner)).map(({ table }) => dayOf(table)).sort()
  return days[0] !== undefined && days[0] < before ? days[0] : undefined
}

async function closeDay(owner: pg.ClientBase, day: string, closing: Closing): Promise<boolean> {
  const tables = (await openTables(owner)).filter(({ table }) => dayOf(table) === day)
  if (!(await isClosed(owner, day))) {
    await makeClosedMonth(owner, new Date(day))
    await beginDay(owner, day)
    for (const open of openRows(tables)) {
      for (const component of await openComponents(owner, open, day)) {
        if (closing.isOver()) return false
        const beganAt = performance.now()
        await closeComponent(owner, { ...component, layout: open.layout, day }, open.rows)
        await closing.rest(performance.now() - beganAt)
      }
    }
    await endDay(owner, day, tables)
  }
  if ((await hasReadings(owner, day)) && !(await untilReadersAreThrough(closing))) return false
  const left = await conditionOfTheRest(owner, day)
  for (const { layouts, table } of tables) await dropDay(owner, layouts, table, left)
  return true
}

/** Nobody reads on a day without any, and a new installation begins with many of them. */
async function hasReadings(owner: pg.ClientBase, day: string): Promise<boolean> {
  return (await owner.query('select from closed_day where day = $1 limit 1', [day])).rowCount !== 0
}

/** @returns false when closing is over before */
async function untilReadersAreThrough({ readersTakeMs = 0, isOver }: Closing): Promise<boolean> {
  const endsAt = performance.now() + readersTakeMs
  while (performance.now() < endsAt) {
    if (isOver()) return false
    await sleep(Math.min(LOOKS_EVERY_MS, readersTakeMs))
  }
  return true
}

async function isClosed(owner: pg.ClientBase, day: string): Promise<boolean> {
  const { rowCount } = await owner.query('select from closing_state where closed_before > $1', [day])
  return rowCount === 1
}

/** SQL condition about `r`: a row may be missing in the closed day. All may, where a day was closed long before. */
async function conditionOfTheRest(owner: pg.ClientBase, day: string): Promise<string> {
  const { rowCount } = await owner.query('select from closing_state where closing_before = $1::date + 1', [day])
  return rowCount === 1 ? IS_NEWER : 'true'
}

/** From here on nobody writes to the day's partitions; what comes for them is a late reading. */
async function beginDay(owner: pg.ClientBase, day: string): Promise<void> {
  await transactionOn(owner, async () => {
    await owner.query(`select ${lockUntilCommit('oldReadings')}`)
    await owner.query(
      // It is the oldest day there is, so what is before it is closed.
      `update closing_state set closed_before = greatest(closed_before, $1), closing_before = $1::date + 1,
        compared_from = pg_snapshot_xmin(pg_current_snapshot())::text::bigint
       where closing_before <= $1`,
      [day],
    )
  })
}

/** SQL condition: a row was written after comparing began, or maybe just before. */
const isNewer = (row: string) => `age(${row}.xmin) <= (
  select age(((compared_from & 4294967295)::text)::xid) from closing_state)`
const IS_NEWER = isNewer('r')

async function openComponents(owner: pg.ClientBase, { layout, rows: all }: OpenRows, day: string) {
  const { rows } = await owner.query<{ device_id: number; number: number }>(
    `select device_id, number from ${all} group by device_id, number
     except select device_id, number from closed_day as c
       where event_type_id = $1 and day = $2 and ${isNewer('c')}
     order by 1, 2`,
    [layout.type.id, day],
  )
  return rows.map(({ device_id, number }) => ({ deviceId: device_id, number }))
}

/** Readers find the day closed after this. Whatever was written past the write path is a late reading now. */
async function endDay(owner: pg.ClientBase, day: string, tables: readonly OpenTable[]): Promise<void> {
  await transactionOn(owner, async () => {
    await owner.query(`set local lock_timeout = '${LOCK_TIMEOUT}'`)
    for (const { table } of tables) await owner.query(`lock table ${table.name} in share row exclusive mode`)
    for (const { layout, rows: all } of openRows(tables)) {
      await owner.query(moveToLateSql(layout, all, IS_NEWER))
      const { rows } = await owner.query<{ device_id: number }>(missingSql(all), [layout.type.id, day])
      const [missing] = rows
      if (missing === undefined) continue
      throw new Error(
        `${layout.type.name} of ${day} has more readings of device ${missing.device_id} than were closed.`,
      )
    }
    await owner.query('update closing_state set closed_before = greatest(closed_before, $1::date + 1)', [day])
  })
}

/** Counts once more, component by component: all but the newer rows must be in closed days. */
const missingSql = (all: string) => `
  select r.device_id, r.number
  from (select device_id, number, count(*) as rows from ${all} as r where not ${IS_NEWER} group by 1, 2) as r
  left join closed_day c on c.device_id = r.device_id and c.number = r.number and c.event_type_id = $1 and c.day = $2
  where coalesce(c.rows, 0) < r.rows limit 1`

const LOOKS_EVERY_MS = 500

const LATE_DAYS_AT_ONCE = 500

interface LateDay {
  readonly device_id: number
  readonly event_type_id: number
  readonly number: number
  readonly day: string
}

async function mergeAllLate(owner: pg.ClientBase, { isOver, rest }: Closing): Promise<boolean> {
  for (;;) {
    const { rows } = await owner.query<LateDay>(LATE_DAYS_SQL)
    for (const { device_id, event_type_id, number, day } of rows) {
      const layout = layoutByTypeId(event_type_id)
      if (isOver() || layout === undefined) return false
      const beganAt = performance.now()
      await makeClosedMonth(owner, new Date(day))
      await mergeLate(owner, { layout, deviceId: device_id, number, day })
      await rest(performance.now() - beganAt)
    }
    if (rows.length < LATE_DAYS_AT_ONCE) return true
  }
}

const LATE_DAYS_SQL = `
  select distinct device_id, event_type_id, number, ((device_dt at time zone 'UTC')::date)::text as day
  from late_reading
  where device_dt < (select closed_before::timestamp at time zone 'UTC' from closing_state)
  limit ${LATE_DAYS_AT_ONCE}`

/** The first day that is not closed, so that a grace of four days leaves the present and four whole ones open. */
export function firstOpenDay(now: Date, graceDays: number): string {
  return new Date(Math.floor(now.getTime() / DAY_MS - graceDays) * DAY_MS).toISOString().slice(0, 10)
}
