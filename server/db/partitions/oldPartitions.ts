import type pg from 'pg'
import { isDistributed } from '../distribute/citusState.ts'
import { detachFromWorkers, followParent } from '../distribute/distribute.ts'
import { type Queryable, transactionOn } from '../transaction.ts'
import { attachMonthSql, firstKeptDayMs, LOCK_TIMEOUT, partitionName } from './partitions.ts'
import { isReadingTable, MESSAGE_TABLE, PARTITIONED_TABLES } from './readingTables.ts'

/** The table of one day, whether or not it is still attached to the partitioned one. */
export interface DayTable {
  readonly parent: string
  readonly name: string
  /** `pending` means that its detaching was interrupted by a kill or by a reader that took too long. */
  readonly state: 'attached' | 'pending' | 'detached'
}

export async function findOldDayTables(
  queryable: Pick<Queryable, 'query'>,
  now: Date,
  retentionDays: number,
): Promise<readonly DayTable[]> {
  return (await findDayTables(queryable)).filter(isOldBy(now, retentionDays))
}

const isOldBy = (now: Date, retentionDays: number) => {
  const firstDayMs = firstKeptDayMs(now, retentionDays)
  return ({ parent, name }: DayTable) => name < partitionName(parent, firstDayMs)
}

const PARENTS = new Set(PARTITIONED_TABLES.map(({ table }) => table))
const DAYS = '_[0-9]{8}$'
const MONTHS = '_[0-9]{6}$'

export const findDayTables = (queryable: Pick<Queryable, 'query'>) => findTables(queryable, PARENTS, DAYS)

async function findTables(
  queryable: Pick<Queryable, 'query'>,
  parents: ReadonlySet<string>,
  suffix: string,
): Promise<readonly DayTable[]> {
  const { rows } = await queryable.query<Omit<DayTable, 'parent'>>(TABLES_SQL, [suffix])
  return rows.flatMap((row) => {
    const parent = row.name.replace(new RegExp(suffix), '')
    return parents.has(parent) ? [{ ...row, parent }] : []
  })
}

const TABLES_SQL = `
  select c.relname as name,
    case when i.inhrelid is null then 'detached' when i.inhdetachpending then 'pending' else 'attached' end as state
  from pg_class c left join pg_inherits i on i.inhrelid = c.oid
  where c.relkind = 'r' and c.relname ~ $1 and pg_table_is_visible(c.oid)
  order by substring(c.relname::text from $1), c.relname`

/**
 * Finishes interrupted detaching. PostgreSQL detaches only one partition of a table at a time, so an unfinished one
 * would stop all that follow.
 *
 * @throws the error of the first table that could not be finished, after all others were
 */
export async function finishDetaching(owner: pg.ClientBase): Promise<void> {
  const pending = (await findDayTables(owner)).filter(({ state }) => state === 'pending')
  await eachTableByItself(pending, (day) => detach(owner, day))
}

interface Dropping {
  readonly now: Date
  readonly retentionDays: number
  readonly onDropped: (table: string) => void
}

/**
 * Drops days beyond retention. It waits only shortly for readers of a day and leaves that day for the next run; the
 * others go on.
 *
 * @param keepsReadings leaves readings to those who close their days, and messages to those who join them
 * @returns how many were dropped
 * @throws what went wrong, by table, after all that could be dropped was
 */
export async function dropOldPartitions(
  owner: pg.ClientBase,
  { now, retentionDays, keepsReadings = false, onDropped }: Dropping & { readonly keepsReadings?: boolean },
): Promise<number> {
  const isOld = isOldBy(now, retentionDays)
  const days = (await findDayTables(owner)).filter(
    (day) => (isOld(day) && !(keepsReadings && isKeptLonger(day))) || day.state === 'pending',
  )
  return drop(owner, days, isOld, onDropped)
}

const isKeptLonger = ({ parent }: DayTable) => isReadingTable(parent) || parent === MESSAGE_TABLE

/**
 * Joins days of messages to months once all days of a month are beyond `retentionDays`, when nothing is written to them
 * any longer. There are few messages, so a table for each day of years would be mostly empty ones.
 */
export async function joinOldMessages(owner: pg.ClientBase, now: Date, retentionDays: number): Promise<void> {
  const firstMonth = monthOf(partitionName(MESSAGE_TABLE, firstKeptDayMs(now, retentionDays)))
  const days = (await findDayTables(owner)).filter(
    ({ parent, name, state }) => parent === MESSAGE_TABLE && state === 'attached' && monthOf(name) < firstMonth,
  )
  for (const [month, its] of Map.groupBy(days, ({ name }) => monthOf(name))) {
    await transactionOn(owner, async () => {
      await owner.query(`set local lock_timeout = '${LOCK_TIMEOUT}'`)
      await owner.query(`create table if not exists ${month} (like ${MESSAGE_TABLE} including all)`)
      await followParent(owner, month, MESSAGE_TABLE)
      for (const { name } of its) {
        await owner.query(`lock table ${name} in share mode`)
        await owner.query(`insert into ${month} select * from ${name} on conflict do nothing`)
      }
      for (const { name } of its) {
        await owner.query(`alter table ${MESSAGE_TABLE} detach partition ${name}`)
        await owner.query(`drop table ${name}`)
      }
      const { rowCount } = await owner.query(`select from ${month} limit 1`)
      await owner.query(rowCount === 0 ? `drop table ${month}` : attachMonthSql(MESSAGE_TABLE, month))
    })
  }
}

const monthOf = (dayTable: string) => dayTable.slice(0, -2)

/** Finds the tables of months of a partitioned table, oldest first. */
const findMonthTables = (queryable: Pick<Queryable, 'query'>, table: string) =>
  findTables(queryable, new Set([table]), MONTHS)

/** Drops months of a table whose last day is beyond retention, in the same way. */
export async function dropOldMonths(
  owner: pg.ClientBase,
  table: string,
  { now, retentionDays, onDropped }: Dropping,
): Promise<number> {
  const firstMonth = monthOf(partitionName(table, firstKeptDayMs(now, retentionDays)))
  const months = await findMonthTables(owner, table)
  const isOld = ({ name }: DayTable) => name < firstMonth
  const old = months.filter((month) => isOld(month) || month.state === 'pending')
  return drop(owner, old, isOld, onDropped)
}

async function drop(
  owner: pg.ClientBase,
  tables: readonly DayTable[],
  isOld: (table: DayTable) => boolean,
  onDropped: (table: string) => void,
): Promise<number> {
  // Pending ones come first, because no other day of their table can be detached before.
  const inOrder = [...tables].sort((one, other) => Number(other.state === 'pending') - Number(one.state === 'pending'))
  let dropped = 0
  await eachTableByItself(inOrder, async (day) => {
    if (day.state !== 'detached') await detach(owner, day)
    if (!isOld(day)) return
    await withLockTimeout(owner, `drop table ${day.name}`)
    dropped++
    onDropped(day.name)
  })
  return dropped
}

/** Waits only shortly for readers; what was interrupted is finished. */
export async function detach(owner: pg.ClientBase, { parent, name, state }: DayTable): Promise<void> {
  if (await isDistributed(owner, parent)) return detachFromWorkers(owner, parent, name)
  await withLockTimeout(
    owner,
    `alter table ${parent} detach partition ${name} ${state === 'pending' ? 'finalize' : 'concurrently'}`,
  )
}

async function withLockTimeout(owner: pg.ClientBase, statement: string): Promise<void> {
  // The limit is set for the session, because detaching concurrently is refused in a transaction.
  await owner.query(`set lock_timeout = '${LOCK_TIMEOUT}'`)
  try {
    await owner.query(statement)
  } finally {
    await owner.query('reset lock_timeout')
  }
}

/** Trouble with one table keeps no other from being done. */
async function eachTableByItself(days: readonly DayTable[], work: (day: DayTable) => Promise<void>): Promise<void> {
  const troubles = new Map<string, string>()
  for (const day of days) {
    if (troubles.has(day.parent)) continue
    await work(day).catch((error: Error) => troubles.set(day.parent, error.message))
  }
  if (troubles.size === 0) return
  throw new Error([...troubles].map(([parent, trouble]) => `${parent}: ${trouble}`).join('; '))
}
