import pg from 'pg'
import { lockUntilDisconnected } from '../advisoryLocks.ts'
import { withBriefLocks } from '../briefLocks.ts'
import { hasCitus } from '../distribute/citusState.ts'
import { jumpMs, lookAtClock } from '../partitions/clockState.ts'
import { DEFAULT_RETENTION_DAYS, makePartitions } from '../partitions/partitions.ts'
import { ensureApplicationRole } from './applicationRole.ts'
import { type Migration, readMigrations } from './migrationFiles.ts'
import { statementTexts } from './sqlStatements.ts'
import { type RanMigration, standingOf } from './standing.ts'

export interface MigrateOptions {
  readonly retentionDays?: number
  /** Stops after this migration and makes no day partitions, which gives the schema of an earlier version. */
  readonly upTo?: number
  /** Migrations of another version, instead of this program's own. */
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
  // The next statement fails when the connection breaks; an unheard error event would end the program.
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

/** Makes days by the database's clock, unless it has jumped: the days of a wrong year would never be dropped again. */
async function makeDays(owner: pg.Client, retentionDays: number): Promise<void> {
  const { now, seenAt } = await lookAtClock(owner)
  if (jumpMs(seenAt, now.getTime()) === undefined) await makePartitions(owner, now, retentionDays)
}

const TABLE_SQL = `
  create table if not exists migration (
    number integer primary key, file_name text not null, checksum text not null, ran_at timestamptz not null default now(),
    needs integer, stands_for text[] not null default '{}')`

const NEWER_COLUMNS_SQL = `
  alter table migration add column if not exists needs integer,
    add column if not exists stands_for text[] not null default '{}'`

const HAS_COLUMNS_SQL = `
  select count(*)::integer as columns from pg_attribute
  where attrelid = 'migration'::regclass and attname in ('needs', 'stands_for') and not attisdropped`

/** Reads which migrations ran so far. An older database first gets the columns that say what its migrations need. */
async function readRan(owner: pg.Client): Promise<readonly RanMigration[]> {
  await owner.query(TABLE_SQL)
  const { rows } = await owner.query<{ columns: number }>(HAS_COLUMNS_SQL)
  if (rows[0]?.columns !== 2) await owner.query(NEWER_COLUMNS_SQL)
  return (await owner.query<RanMigration>('select * from migration order by number')).rows
}

async function run(owner: pg.Client, { sql, number, fileName, checksum, needs, standsFor }: Migration) {
  // Citus takes what changes a distributed table only by itself.
  const isOneByOne = await hasCitus(owner)
  try {
    await withBriefLocks(owner, async () => {
      for (const statement of isOneByOne ? statementTexts(sql) : [sql]) await owner.query(statement)
      await owner.query(
        'insert into migration (number, file_name, checksum, needs, stands_for) values ($1, $2, $3, $4, $5)',
        [number, fileName, checksum, needs, standsFor],
      )
    })
  } catch (error) {
    throw new Error(`Migration ${fileName} failed and was undone: ${(error as Error).message}.`, { cause: error })
  }
}
