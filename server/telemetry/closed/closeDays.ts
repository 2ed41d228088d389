import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { lockUntilCommit, tryLockUntilDisconnected, unlock } from '#server/db/advisoryLocks.ts'
import { isDistributed } from '#server/db/distribute/citusState.ts'
import { finishDetaching } from '#server/db/partitions/oldPartitions.ts'
import { LOCK_TIMEOUT, makeClosedMonth } from '#server/db/partitions/partitions.ts'
import { CLOSED_DAY_TABLE } from '#server/db/partitions/readingTables.ts'
import { transactionOn } from '#server/db/transaction.ts'
import { layoutByTypeId } from '#server/telemetry/ingress/eventLayout.ts'
import { closeComponents, mergeLate } from './closeComponents.ts'
import { type DayBatch, nextBatch, type OpenRows, openRows } from './dayBatch.ts'
import type { Component } from './dayRows.ts'
import { LATE_DAYS_AT_ONCE, LATE_DAYS_SQL } from './daysToClose.ts'
import { dropDay } from './dropDay.ts'
import { moveToLateSql } from './lateReadings.ts'

export interface ClosedDay {
  readonly day: string
  /** So many days are still to be closed. */
  readonly daysLeft: number
}

export interface Closing {
  /** A UTC day like `2026-05-07`; the days before it are closed. */
  readonly before: string
  /** This is asked between transactions. */
  readonly isOver: () => boolean
  /** Rests after some work, so that closing takes only a share of a core. */
  readonly rest: (workedMs: number) => Promise<unknown>
  readonly onClosed?: (closed: ClosedDay) => void
  /**
   * The rows of a closed day stay so long, because who reads a day asks first whether it is closed, and then for its
   * rows.
   */
  readonly readersTakeMs?: number
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
    const newer = (await isDistributed(owner, CLOSED_DAY_TABLE)) ? NEWER_ON_WORKERS : NEWER
    for (;;) {
      if (closing.isOver()) return false
      const batch = await nextBatch(owner, closing.before)
      if (batch === undefined) return await mergeAllLate(owner, closing)
      if (!(await closeBatch(owner, batch, closing, newer))) return false
    }
  } finally {
    await owner.query(`select ${unlock('closing')}`).catch(() => undefined)
  }
}

async function closeBatch(owner: pg.ClientBase, batch: DayBatch, closing: Closing, newer: Newer): Promise<boolean> {
  const { days, isClosed } = batch
  let daysLeft = batch.daysAfter + days.size
  if (!isClosed) {
    for (const day of days.keys()) await makeClosedMonth(owner, new Date(day))
    await beginDays(owner, batch)
    for (const tables of days.values()) {
      for (const open of openRows(tables)) if (!(await closeRows(owner, open, closing, newer))) return false
    }
    await endDays(owner, batch, newer).catch(async (error: unknown) => {
      // The rows cannot be told there, so the next closing compares all of these days again.
      if (error instanceof MoreThanClosed && newer === NEWER_ON_WORKERS)
        await owner.query('update closing_state set compared_at = clock_timestamp()')
      throw error
    })
  }
  if ((await hasReadings(owner, batch)) && !(await untilReadersAreThrough(closing))) return false
  for (const [day, tables] of days) {
    const left = await conditionOfTheRest(owner, day, newer)
    for (const { layouts, table } of tables) await dropDay(owner, layouts, table, left)
    closing.onClosed?.({ day, daysLeft: --daysLeft })
  }
  return true
}

/** @returns false when closing is over before */
async function closeRows(
  owner: pg.ClientBase,
  open: OpenRows,
  { isOver, rest }: Closing,
  newer: Newer,
): Promise<boolean> {
  for (const components of await openComponents(owner, open, newer)) {
    if (isOver()) return false
    const beganAt = performance.now()
    await closeComponents(owner, open, open.rows, components)
    await rest(performance.now() - beganAt)
  }
  return true
}

/** Nobody reads on a day without any, and a new installation begins with many of them. */
async function hasReadings(owner: pg.ClientBase, { firstDay, endDay }: DayBatch): Promise<boolean> {
  const { rowCount } = await owner.query('select from closed_day where day >= $1 and day < $2 limit 1', [
    ...[firstDay, endDay],
  ])
  return rowCount !== 0
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

/** SQL condition about `r`: a row may be missing in the closed day. All may, where a day was closed long before. */
async function conditionOfTheRest(owner: pg.ClientBase, day: string, newer: Newer): Promise<string> {
  const { rowCount } = await owner.query('select from closing_state where compared_days_from <= $1', [day])
  return rowCount === 1 ? newer.row : 'true'
}

/** From here on nobody writes to the partitions of these days; what comes for them is a late reading. */
async function beginDays(owner: pg.ClientBase, { firstDay, endDay }: DayBatch): Promise<void> {
  await transactionOn(owner, async () => {
    await owner.query(`select ${lockUntilCommit('oldReadings')}`)
    await owner.query(
      // They are the oldest days there are, so what is before them is closed.
      `update closing_state set closed_before = greatest(closed_before, $1), closing_before = $2,
        compared_from = pg_snapshot_xmin(pg_current_snapshot())::text::bigint, compared_days_from = $1,
        compared_at = clock_timestamp()
       where closing_before <= $1`,
      [firstDay, endDay],
    )
  })
}

/** SQL condition: a row was written after comparing began, or maybe just before. */
const isNewer = (row: string) => `age(${row}.xmin) <= (
  select age(((compared_from & 4294967295)::text)::xid) from closing_state)`

/** SQL conditions: a row `r` of the open days was written, or a closed day `c` was, after comparing began. */
interface Newer {
  readonly row: string
  readonly closed: string
}
const NEWER: Newer = { row: isNewer('r'), closed: isNewer('c') }

/**
 * Each worker numbers its own transactions. So nothing tells rows that were written past the write path, which keeps to
 * `closing_before` under a lock: days with any are not ended, because they have more readings than were closed, and are
 * compared again by the next closing.
 */
const NEWER_ON_WORKERS: Newer = {
  row: 'false',
  closed: 'c.closed_at >= (select compared_at from closing_state)',
}

/** Components that are not closed since comparing began, as many at once as hardly take memory. */
async function openComponents(
  owner: pg.ClientBase,
  { layout, rows: all, day }: OpenRows,
  newer: Newer,
): Promise<Component[][]> {
  const { rows } = await owner.query<{ device_id: number; number: number; rows: number }>(
    `select r.device_id, r.number, r.rows
     from (select device_id, number, count(*)::integer as rows from ${all} as o group by 1, 2) as r
     left join closed_day c on c.device_id = r.device_id and c.number = r.number
       and c.event_type_id = $1 and c.day = $2 and ${newer.closed}
     where c.device_id is null order by 1, 2`,
    [layout.type.id, day],
  )
  const sets: Component[][] = []
  let room = 0
  for (const { device_id: deviceId, number, rows: count } of rows) {
    room -= count
    if (room < 0) {
      sets.push([])
      room = ROWS_AT_ONCE - count
    }
    sets.at(-1)?.push({ deviceId, number })
  }
  return sets
}

const ROWS_AT_ONCE = 20_000

/** Readers find the days closed after this. Whatever was written past the write path is a late reading now. */
async function endDays(owner: pg.ClientBase, { days }: DayBatch, newer: Newer): Promise<void> {
  await transactionOn(owner, async () => {
    await owner.query(`set local lock_timeout = '${LOCK_TIMEOUT}'`)
    for (const tables of days.values()) {
      for (const { table } of tables) await owner.query(`lock table ${table.name} in share row exclusive mode`)
      for (const open of openRows(tables)) await endRows(owner, open, newer)
    }
    await owner.query('update closing_state set closed_before = closing_before')
  })
}

async function endRows(owner: pg.ClientBase, { layout, day, rows: all }: OpenRows, newer: Newer): Promise<void> {
  await owner.query(moveToLateSql(layout, all, newer.row))
  const { rows } = await owner.query<{ device_id: number }>(missingSql(all, newer), [layout.type.id, day])
  const [missing] = rows
  if (missing === undefined) return
  throw new MoreThanClosed(
    `${layout.type.name} of ${day} has more readings of device ${missing.device_id} than were closed.`,
  )
}

class MoreThanClosed extends Error {}

/** Counts once more, component by component: all but the newer rows must be in closed days. */
const missingSql = (all: string, newer: Newer) => `
  select r.device_id, r.number
  from (select device_id, number, count(*) as rows from ${all} as r where not (${newer.row}) group by 1, 2) as r
  left join closed_day c on c.device_id = r.device_id and c.number = r.number and c.event_type_id = $1 and c.day = $2
  where coalesce(c.rows, 0) < r.rows limit 1`

const LOOKS_EVERY_MS = 500

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
