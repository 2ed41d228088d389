import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll } from 'vitest'
import { takeCopy } from '#server/backup/copies/takeCopy.ts'
import { type Restored as RestoredCopy, restoreCopy } from '#server/backup/restore/restoreCopy.ts'
import { startEmbeddedPostgres } from '#server/db/embedded/embeddedPostgres.ts'
import { makeClosedMonth } from '#server/db/partitions/partitions.ts'
import { migrate } from '#server/db/upgrade/migrate.ts'
import { fillTables } from '../database/fillTables.ts'
import { runFolder } from '../database/freshDatabase.ts'

/** No test survives a power cut, so none needs fsync. */
const SETTINGS = { fsync: 'off', shared_buffers: '64MB', max_connections: '40' }

export interface BackupFixture {
  readonly folder: string
  readonly dataFolder: string
  readonly backups: string
  readonly ownerUrl: string
  readonly applicationUrl: string
  readonly owner: pg.Client
  readonly takeCopy: (key?: Buffer) => ReturnType<typeof takeCopy>
  /** Restores into an empty data folder, on which the database is started then. */
  readonly restore: (wish?: Restoring) => Promise<Restored>
}

interface Restoring {
  readonly until?: Date
  readonly key?: Buffer
  readonly name?: string
  readonly backups?: string
  readonly say?: (sentence: string) => void
}

interface Restored {
  readonly restored: RestoredCopy
  readonly dataFolder: string
  readonly owner: pg.Client
  readonly ownerUrl: string
}

/**
 * Starts an embedded database of the file's own with a folder for its backups, and a row in every table; or nearly
 * empty, for tests about the files of a backup alone.
 */
export async function backupFixture({ isEmpty = false, ownerIsSuperuser = false } = {}): Promise<BackupFixture> {
  const folder = runFolder('backup')
  const cleanUps: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })]
  afterAll(async () => {
    for (const cleanUp of cleanUps.reverse()) await cleanUp()
  })
  const start = async (dataFolder: string) => {
    const postgres = await startEmbeddedPostgres({
      ownerIsSuperuser,
      dataFolder,
      systemFolder: join(folder, 'system'),
      settings: SETTINGS,
    })
    cleanUps.push(postgres.stop)
    const owner = new pg.Client({ connectionString: postgres.ownerUrl })
    await owner.connect()
    cleanUps.push(() => owner.end())
    return { owner, ownerUrl: postgres.ownerUrl, applicationUrl: postgres.applicationUrl }
  }
  const dataFolder = join(folder, 'data')
  const backups = join(folder, 'backups')
  mkdirSync(backups)
  const source = await start(dataFolder)
  if (isEmpty) await source.owner.query('create table migration (number integer)')
  else await fillUp(source)
  let restores = 0
  return {
    ...{ folder, dataFolder, backups, ...source },
    takeCopy: (key) => takeCopy({ ownerUrl: source.ownerUrl, isEmbedded: true, dataFolder, folder: backups, key }),
    async restore({ key, ...wish } = {}) {
      restores += 1
      const target = join(folder, `restored-${restores}`)
      const restored = await restoreCopy({
        folder: wish.backups ?? backups,
        dataFolder: target,
        systemFolder: join(folder, 'system'),
        say: wish.say ?? (() => undefined),
        settings: SETTINGS,
        key,
        ...(wish.until ? { until: wish.until } : {}),
        ...(wish.name ? { name: wish.name } : {}),
      })
      return { dataFolder: target, restored, ...(await start(target)) }
    },
  }
}

async function fillUp({ owner, ownerUrl }: Pick<BackupFixture, 'owner' | 'ownerUrl'>): Promise<void> {
  await migrate(ownerUrl, { retentionDays: 2 })
  await makeClosedMonth(owner, new Date())
  await owner.query('begin')
  await fillTables(owner, 1, new Date())
  await owner.query('commit')
}

/** Returns one hash of all rows for each table, whatever their order. */
export async function rowHashes(db: pg.ClientBase): Promise<Readonly<Record<string, string>>> {
  const { rows: tables } = await db.query<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by 1`,
  )
  const hashes: Record<string, string> = {}
  for (const { name } of tables) {
    const { rows } = await db.query<{ hash: string; rows: number }>(
      `select coalesce(md5(string_agg(md5(t::text), '' order by md5(t::text))), '') as hash, count(*)::int as rows from ${name} t`,
    )
    hashes[name] = `${rows[0]?.rows} ${rows[0]?.hash}`
  }
  return hashes
}

/** Returns roles with their rights, memberships, and every grant. */
export async function grants(db: pg.ClientBase): Promise<readonly unknown[]> {
  const { rows } = await db.query(`
    select 'role' as what, rolname || ' ' || rolsuper || rolcanlogin || rolreplication as said from pg_roles
    union all select 'member', roleid::regrole || ' ' || member::regrole from pg_auth_members
    union all select 'table', c.oid::regclass || ' ' || c.relowner::regrole || ' ' || c.relacl::text
      from pg_class c where c.relnamespace = 'public'::regnamespace and c.relacl is not null
    union all select 'database', datname || ' ' || datacl::text from pg_database where datacl is not null
    order by 1, 2`)
  return rows
}
