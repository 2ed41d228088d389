import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import { lockUntilDisconnected } from './advisoryLocks.ts'
import { ensureApplicationRole } from './applicationRole.ts'
import { jumpMs, lookAtClock } from './clockState.ts'
import { DEFAULT_RETENTION_DAYS, makePartitions } from './partitions.ts'

const MIGRATIONS = new URL('./migrations/', import.meta.url)
const FILE_NAME = /^(\d{4})_[a-z0-9_]+\.sql$/

export interface MigrateOptions {
  readonly retentionDays?: number
  /** No further than this one, and no days: a schema as an earlier version has it. */
  readonly upTo?: number
}

interface Migration {
  readonly number: number
  readonly fileName: string
  readonly sql: string
  readonly checksum: string
}

/**
 * Brings the database to the newest version and makes the day partitions. Each migration is one transaction; a killed
 * run goes on where it stopped, and two starters wait for each other.
 *
 * @throws when the database is newer than this program, or a migration that already ran was edited
 */
export async function migrate(ownerUrl: string, options: MigrateOptions = {}): Promise<void> {
  const owner = new pg.Client({ connectionString: ownerUrl, application_name: 'wayside migrate' })
  await owner.connect()
  try {
    await owner.query(`select ${lockUntilDisconnected('migration')}`)
    await ensureApplicationRole(owner)
    const { upTo, retentionDays = DEFAULT_RETENTION_DAYS } = options
    await runPending(owner, await readMigrations(), upTo ?? Number.POSITIVE_INFINITY)
    if (upTo === undefined) await makeDays(owner, retentionDays)
  } finally {
    await owner.end()
  }
}

/** By the database's clock, and not when it has jumped: the days of a wrong year would never be dropped again. */
async function makeDays(owner: pg.Client, retentionDays: number): Promise<void> {
  const { now, seenAt } = await lookAtClock(owner)
  if (jumpMs(seenAt, now.getTime()) === undefined) await makePartitions(owner, now, retentionDays)
}

const migrationFiles = async () => (await readdir(MIGRATIONS)).filter((name) => FILE_NAME.test(name)).sort()

/** The newest that this program knows. */
export const newestMigration = async () => Number((await migrationFiles()).at(-1)?.slice(0, 4))

async function readMigrations(): Promise<Migration[]> {
  const fileNames = await migrationFiles()
  return Promise.all(
    fileNames.map(async (fileName) => {
      const sql = await readFile(new URL(fileName, MIGRATIONS), 'utf8')
      const checksum = createHash('sha256').update(sql).digest('hex')
      return { number: Number(fileName.slice(0, 4)), fileName, sql, checksum }
    }),
  )
}

async function runPending(owner: pg.Client, migrations: readonly Migration[], upTo: number) {
  await owner.query(
    `create table if not exists migration
       (number integer primary key, file_name text not null, checksum text not null, ran_at timestamptz not null default now())`,
  )
  const { rows: done } = await owner.query<{ number: number; file_name: string; checksum: string }>(
    'select number, file_name, checksum from migration order by number',
  )
  for (const row of done) {
    const known = migrations.find(({ number }) => number === row.number)
    if (!known) {
      throw new Error(
        `The database is newer than this program: it has migration ${row.file_name}, which is unknown here.`,
      )
    }
    if (known.checksum !== row.checksum) {
      throw new Error(`Migration ${row.file_name} was changed after it ran; changes need a migration of their own.`)
    }
  }
  const ran = new Set(done.map(({ number }) => number))
  for (const migration of migrations.filter(({ number }) => number <= upTo && !ran.has(number)))
    await run(owner, migration)
}

async function run(owner: pg.Client, migration: Migration) {
  await owner.query('begin')
  try {
    await owner.query(migration.sql)
    await owner.query('insert into migration (number, file_name, checksum) values ($1, $2, $3)', [
      migration.number,
      migration.fileName,
      migration.checksum,
    ])
    await owner.query('commit')
  } catch (error) {
    await owner.query('rollback')
    throw new Error(`Migration ${migration.fileName} failed and was undone.`, { cause: error })
  }
}
