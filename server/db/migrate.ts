import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { SECOND_MS } from '#domain/units/time.ts'
import { lockUntilDisconnected } from './advisoryLocks.ts'
import { ensureApplicationRole } from './applicationRole.ts'
import { jumpMs, lookAtClock } from './clockState.ts'
import { DEFAULT_RETENTION_DAYS, makePartitions } from './partitions.ts'
import { type Migration, readMigrations } from './upgrade/migrationFiles.ts'
import { type RanMigration, standingOf } from './upgrade/standing.ts'

export interface MigrateOptions {
  readonly retentionDays?: number
  /** No further than this one, and no days: a schema as an earlier version has it. */
  readonly upTo?: number
  /** Those of another version, instead of this program's own. */
  readonly migrations?: readonly Migration[]
}

/**
 * Brings the database to the newest version and makes the day partitions. Each migration is one transaction; a killed
 * run goes on where it stopped, and two starters wait for each other.
 *
 * @throws when the database is more than one version ahead of this program, or a migration that already ran was edited
 */
export async function migrate(ownerUrl: string, options: MigrateOptions = {}): Promise<void> {
  const owner = new pg.Client({ connectionString: ownerUrl, application_name: 'wayside migrate' })
  // The next statement fails by it. Unheard it would end the program, as when a first start is stopped.
  owner.on('error', () => undefined)
  await owner.connect()
  try {
    await owner.query(`select ${lockUntilDisconnected('migration')}`)
    await ensureApplicationRole(owner)
    const { upTo = Number.POSITIVE_INFINITY, retentionDays = DEFAULT_RETENTION_DAYS } = options
    const known = options.migrations ?? (await readMigrations())
    const { pending } = standingOf(known, await readRan(owner))
    for (const migration of pending) if (migration.number <= upTo) await run(owner, migration)
    if (options.upTo === undefined) await makeDays(owner, retentionDays)
  } finally {
    await owner.end()
  }
}

/** By the database's clock, and not when it has jumped: the days of a wrong year would never be dropped again. */
async function makeDays(owner: pg.Client, retentionDays: number): Promise<void> {
  const { now, seenAt } = await lookAtClock(owner)
  if (jumpMs(seenAt, now.getTime()) === undefined) await makePartitions(owner, now, retentionDays)
}

const TABLE_SQL = `
  create table if not exists migration (
    number integer primary key, file_name text not null, checksum text not null, ran_at timestamptz not null default now(),
    needs integer, stands_for text[] not null default '{}')`

/** Of a database that knew neither yet. */
const NEWER_COLUMNS_SQL = `
  alter table migration add column if not exists needs integer,
    add column if not exists stands_for text[] not null default '{}'`

const HAS_COLUMNS_SQL = `
  select count(*)::integer as columns from pg_attribute
  where attrelid = 'migration'::regclass and attname in ('needs', 'stands_for') and not attisdropped`

/** What ran on a database so far; an older one is taught to say what its migrations need. */
async function readRan(owner: pg.Client): Promise<readonly RanMigration[]> {
  await owner.query(TABLE_SQL)
  const { rows } = await owner.query<{ columns: number }>(HAS_COLUMNS_SQL)
  if (rows[0]?.columns !== 2) await owner.query(NEWER_COLUMNS_SQL)
  return (await owner.query<RanMigration>('select * from migration order by number')).rows
}

async function run(owner: pg.Client, { sql, number, fileName, checksum, deps, standsFor }: Migration) {
  try {
    await withBriefLocks(owner, async () => {
      await owner.query(sql)
      await owner.query(
        'insert into migration (number, file_name, checksum, needs, stands_for) values ($1, $2, $3, $4, $5)',
        [number, fileName, checksum, deps, standsFor],
      )
    })
  } catch (error) {
    throw new Error(`Migration ${fileName} failed and was undone: ${(error as Error).message}.`, { cause: error })
  }
}

/**
 * Who waits for the lock of a table holds up everyone who comes to it afterwards, readers too. Shorter than the second
 * after which PostgreSQL looks for a deadlock: who gives way then is the migration.
 */
const LOCK_WITHIN_MS = SECOND_MS / 2
/** Against those who always hold one of its tables, each try waits longer, up to this. */
const LONGEST_LOCK_WITHIN_MS = 5 * SECOND_MS
/** Whoever holds a table for a quarter of an hour has to be ended by somebody. */
const LOCK_TRIES = 150
const LOCK_NOT_AVAILABLE = '55P03'
const DEADLOCK_DETECTED = '40P01'

/** In one transaction, undone and tried again while others hold what it needs, so that they and all behind them go on. */
async function withBriefLocks(owner: pg.Client, work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    await owner.query('begin')
    try {
      await owner.query(`set local lock_timeout = ${Math.min(tries * LOCK_WITHIN_MS, LONGEST_LOCK_WITHIN_MS)}`)
      await work()
      await owner.query('commit')
      return
    } catch (error) {
      await owner.query('rollback')
      const { code = '' } = error as { code?: string }
      if (![LOCK_NOT_AVAILABLE, DEADLOCK_DETECTED].includes(code) || tries === LOCK_TRIES) throw error
      await sleep(SECOND_MS)
    }
  }
}
