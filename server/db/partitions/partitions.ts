import type pg from 'pg'
import { DAY_MS } from '#domain/units/time.ts'
import { transactionOn } from '../transaction.ts'
import { CLOSED_DAY_TABLE, isReadingTable, PARTITIONED_TABLES, ROLLUP_TABLE } from './readingTables.ts'

const DAYS_AHEAD = 7
export const DEFAULT_RETENTION_DAYS = 90
/** Whoever waits for a lock keeps everybody waiting who comes after, so the wait is short. */
export const LOCK_TIMEOUT = '2s'

/** A young day grows by a tenth every minute, and each analysis by PostgreSQL writes a row for each column. */
const SELDOM_ANALYZED = 'with (autovacuum_analyze_threshold = 2000, autovacuum_analyze_scale_factor = 0.5)'

const dayText = (dayStartMs: number) => new Date(dayStartMs).toISOString().slice(0, 10)

export function partitionName(table: string, dayStartMs: number): string {
  return `${table}_${dayText(dayStartMs).replaceAll('-', '')}`
}

export function firstKeptDayMs(now: Date, retentionDays: number): number {
  return Math.floor(now.getTime() / DAY_MS) * DAY_MS - retentionDays * DAY_MS
}

export function daysAround(now: Date, retentionDays: number): { readonly fromMs: number; readonly toMs: number } {
  return { fromMs: firstKeptDayMs(now, retentionDays), toMs: firstKeptDayMs(now, 0) + (DAYS_AHEAD + 1) * DAY_MS }
}

/**
 * Makes every missing day partition that is not closed, from the start of retention to seven days ahead, and the months
 * of the roll-ups.
 * Each is created first and attached after, because attaching waits for no reader or writer while creating in place
 * does.
 *
 * @returns how many were made
 */
export async function makePartitions(owner: pg.ClientBase, now: Date, retentionDays: number): Promise<number> {
  const existing = new Set((await owner.query<{ name: string }>(PARTITIONS_SQL)).rows.map((row) => row.name))
  const made: Made[] = []
  const first = firstKeptDayMs(now, retentionDays)
  const last = firstKeptDayMs(now, 0) + DAYS_AHEAD * DAY_MS
  const closingBefore = await closingBeforeMs(owner)
  for (const { table } of PARTITIONED_TABLES) {
    for (let day = isReadingTable(table) ? Math.max(first, closingBefore) : first; day <= last; day += DAY_MS) {
      const name = partitionName(table, day)
      if (existing.has(name)) continue
      made.push([
        `create table if not exists ${name} (like ${table} including all) ${SELDOM_ANALYZED}`,
        `alter table ${table} attach partition ${name} for values from ('${dayText(day)}T00:00:00Z') to ('${dayText(day + DAY_MS)}T00:00:00Z')`,
      ])
    }
  }
  made.push(...missingMonths(existing, new Date(first), new Date(last)))
  await make(owner, made)
  return made.length
}

/** Readings of earlier days are in closed days. */
async function closingBeforeMs(owner: pg.ClientBase): Promise<number> {
  const { rows } = await owner.query<{ ms: number | null }>(
    `select date_part('epoch', closing_before) * 1000 as ms from closing_state where closing_before > '-infinity'`,
  )
  return rows[0]?.ms ?? Number.NEGATIVE_INFINITY
}

/** Makes the months of the roll-ups for hours that are older than any readings. */
export async function makeRollupMonths(owner: pg.ClientBase, first: Date, last: Date): Promise<void> {
  const existing = new Set((await owner.query<{ name: string }>(PARTITIONS_SQL)).rows.map((row) => row.name))
  await make(owner, missingMonths(existing, first, last))
}

/** Makes the month of closed days that holds a day. */
export async function makeClosedMonth(owner: pg.ClientBase, day: Date): Promise<void> {
  const [month] = monthsOf(CLOSED_DAY_TABLE, day, day)
  if (month === undefined) return
  const { rowCount } = await owner.query('select from pg_class where oid = to_regclass($1)::oid', [month.name])
  if (rowCount === 0) await make(owner, [madeMonth(CLOSED_DAY_TABLE, month)])
}

type Made = readonly [create: string, attach: string]

async function make(owner: pg.ClientBase, made: readonly Made[]): Promise<void> {
  if (made.length === 0) return
  await transactionOn(owner, async () => {
    await owner.query(`set local lock_timeout = '${LOCK_TIMEOUT}'`)
    // Each query has one statement, because an extension that distributes tables accepts no more.
    for (const statement of made.flat()) await owner.query(statement)
  })
}

interface Month {
  readonly name: string
  readonly from: string
  readonly to: string
}

function missingMonths(existing: ReadonlySet<string>, first: Date, last: Date): readonly Made[] {
  // The month after the last is made too.
  const beyond = new Date(Date.UTC(last.getUTCFullYear(), last.getUTCMonth() + 1, 1))
  const missing = monthsOf(ROLLUP_TABLE, first, beyond).filter(({ name }) => !existing.has(name))
  // Each page keeps free room, because a day's row is rewritten after each of its hours.
  return missing.map((month) => madeMonth(ROLLUP_TABLE, month, 'with (fillfactor = 80)'))
}

function madeMonth(table: string, { name, from, to }: Month, settings = ''): Made {
  return [
    `create table if not exists ${name} (like ${table} including all) ${settings}`,
    `alter table ${table} attach partition ${name} for values from ('${from}') to ('${to}')`,
  ]
}

/** SQL: attaches a table that is named by its month. */
export function attachMonthSql(table: string, name: string): string {
  const first = new Date(name.slice(-6).replace(/(\d{4})/, '$1-'))
  const [month] = monthsOf(table, first, first)
  return `alter table ${table} attach partition ${name} for values from ('${month?.from}T00:00:00Z') to ('${month?.to}T00:00:00Z')`
}

function monthsOf(table: string, first: Date, last: Date): Month[] {
  const months = []
  let month = Date.UTC(first.getUTCFullYear(), first.getUTCMonth(), 1)
  while (month <= last.getTime()) {
    const begin = new Date(month)
    month = Date.UTC(begin.getUTCFullYear(), begin.getUTCMonth() + 1, 1)
    const from = dayText(begin.getTime())
    months.push({ name: `${table}_${from.slice(0, 7).replace('-', '')}`, from, to: dayText(month) })
  }
  return months
}

const PARTITIONS_SQL = `
  select parent.relname as parent, child.relname as name
  from pg_inherits i
  join pg_class parent on parent.oid = i.inhparent and parent.relkind = 'p'
  join pg_class child on child.oid = i.inhrelid and child.relkind = 'r'`
