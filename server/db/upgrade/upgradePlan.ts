import type pg from 'pg'
import { MINUTE_MS, SECOND_MS } from '#domain/units/time.ts'
import type { Migration } from './migrationFiles.ts'
import { type TableWork, type WorkKind, workOf } from './migrationWork.ts'
import { type RanMigration, standingOf } from './standing.ts'

export interface MeasuredWork extends TableWork {
  readonly bytes: number
  readonly ms: number
}

export interface PlannedMigration {
  readonly fileName: string
  readonly title: string
  readonly works: readonly MeasuredWork[]
}

export interface OpenTransaction {
  readonly pid: number
  readonly application: string
  readonly openMs: number
}

/** Says what starting this program on a database would do; nothing of it is done. */
export interface UpgradePlan {
  readonly at: number
  readonly newest: number
  /** The reason why this program may not run on it at all. */
  readonly refusal: string | undefined
  readonly planned: readonly PlannedMigration[]
  readonly ahead: readonly string[]
  /** The first migration that takes away what the program before needs; undefined while that one may be put back. */
  readonly noWayBack: string | undefined
  readonly openTransactions: readonly OpenTransaction[]
  /** The bytes that new indexes and rewritten rows need on the disk while the old ones still exist. */
  readonly neededBytes: number
}

const LONG_OPEN_MS = MINUTE_MS

/** Reads the plan as the owner, in a transaction that is rolled back; of our tables it reads only the size. */
export async function readUpgradePlan(
  owner: pg.Client,
  known: readonly Migration[],
  longOpenMs = LONG_OPEN_MS,
): Promise<UpgradePlan> {
  await owner.query('begin')
  try {
    const ran = await readRan(owner)
    const at = ran.rows.at(-1)?.number ?? 0
    const newest = known.at(-1)?.number ?? 0
    const openTransactions = await readOpenTransactions(owner, longOpenMs)
    const nothing = { at, newest, openTransactions, planned: [], ahead: [], neededBytes: 0 }
    const standing = standingOrRefusal(known, ran.rows)
    if (typeof standing === 'string') return { ...nothing, refusal: standing, noWayBack: undefined }
    const planned = await plan(owner, standing.pending)
    return {
      ...{ ...nothing, refusal: undefined, planned },
      ahead: standing.ahead.map(({ file_name }) => file_name),
      noWayBack: noWayBack(standing.pending, at, ran.saysNeeds),
      neededBytes: planned.flatMap(({ works }) => works).reduce((total, { bytes }) => total + bytes, 0),
    }
  } finally {
    await owner.query('rollback')
  }
}

function standingOrRefusal(known: readonly Migration[], ran: readonly RanMigration[]) {
  try {
    return standingOf(known, ran)
  } catch (error) {
    return (error as Error).message
  }
}

/** Programs from before migrations declared their needs start on no migration that they do not know. */
const noWayBack = (pending: readonly Migration[], at: number, saysNeeds: boolean): string | undefined =>
  at === 0 ? undefined : pending.find(({ needs }) => !saysNeeds || needs > at)?.fileName

async function readRan(owner: pg.Client) {
  const { rows } = await owner.query<{ has: boolean; says: boolean }>(
    `select to_regclass('migration') is not null as has,
       exists (select from pg_attribute where attrelid = to_regclass('migration') and attname = 'needs') as says`,
  )
  const { has = false, says: saysNeeds = false } = rows[0] ?? {}
  if (!has) return { rows: [], saysNeeds: true }
  const columns = saysNeeds ? '*' : `*, null as needs, '{}'::text[] as stands_for`
  return {
    rows: (await owner.query<RanMigration>(`select ${columns} from migration order by number`)).rows,
    saysNeeds,
  }
}

async function plan(owner: pg.Client, pending: readonly Migration[]): Promise<readonly PlannedMigration[]> {
  const wanted = pending.map((migration) => ({ migration, works: workOf(migration.sql) }))
  const sizes = await readSizes(owner, [...new Set(wanted.flatMap(({ works }) => works.map(({ table }) => table)))])
  const msPerByte = sizes.size === 0 ? undefined : await measureRates(owner)
  return wanted.map(({ migration: { fileName, title }, works }) => ({
    ...{ fileName, title },
    works: works.flatMap((work) => {
      const bytes = sizes.get(work.table)
      return bytes === undefined || msPerByte === undefined
        ? []
        : [{ ...work, bytes, ms: bytes * msPerByte[work.kind] }]
    }),
  }))
}

/** Returns the bytes of existing tables that are not empty, with all partitions. */
async function readSizes(owner: pg.Client, tables: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const { rows } = await owner.query<{ name: string; bytes: number }>(
    `select name, coalesce((select sum(pg_table_size(relid)) from pg_partition_tree(to_regclass(name))),
         pg_table_size(to_regclass(name)))::float8 as bytes
     from unnest($1::text[]) as name where to_regclass(name) is not null`,
    [tables],
  )
  // Even an empty table has its first page, or that of long values.
  return new Map(rows.filter(({ bytes }) => bytes > EMPTY_BYTES).map(({ name, bytes }) => [name, bytes]))
}

const EMPTY_BYTES = 16_384
const TRIAL_ROWS = 100_000

/** Measures how long this database takes for a byte, on a temporary table that nobody else sees. */
async function measureRates(owner: pg.Client): Promise<Readonly<Record<WorkKind, number>>> {
  await owner.query(
    `create temporary table preflight_trial on commit drop as
     select n as id, encode(sha256(n::text::bytea), 'hex') as name, now() as at from generate_series(1, ${TRIAL_ROWS}) n`,
  )
  const { rows } = await owner.query<{ bytes: number }>(`select pg_table_size('preflight_trial')::float8 as bytes`)
  const bytes = rows[0]?.bytes ?? 1
  const took = async (statement: string) => {
    const from = performance.now()
    await owner.query(statement)
    return (performance.now() - from) / bytes
  }
  const reads = await took('create index on preflight_trial (name, id)')
  // The trial table has an index, as our tables have.
  const changes = await took('update preflight_trial set id = id + 1')
  return { reads, changes, copies: changes, rewrites: changes + reads }
}

async function readOpenTransactions(owner: pg.Client, longOpenMs: number): Promise<readonly OpenTransaction[]> {
  const { rows } = await owner.query<{ pid: number; application: string; ms: number }>(
    `select pid, application_name as application, (extract(epoch from clock_timestamp() - xact_start) * 1000)::float8 as ms
     from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
       and xact_start < clock_timestamp() - make_interval(secs => $1)
     order by xact_start`,
    [longOpenMs / SECOND_MS],
  )
  return rows.map(({ pid, application, ms }) => ({ pid, application, openMs: ms }))
}
