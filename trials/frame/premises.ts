import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#server/db/embedded/embeddedPostgres.ts'
import { migrate } from '#server/db/upgrade/migrate.ts'
import { readConfig } from '#server/settings/config.ts'
import { claimFolder, quitDatabases, removeAbandoned } from '#server/testing/database/abandonedFolders.ts'
import { CITUS_FOLDER, CitusCluster } from '#server/testing/database/citusCluster.ts'
import { makeDistributedDatabase } from '#server/testing/database/distributedDatabase.ts'

const PREFIX = 'wayside-trial-'
/** A killed process needs no sync to the disk, only a power cut does, and nobody makes one here. */
const QUICK = { fsync: 'off', full_page_writes: 'off' }

const WORKERS = 3
/** Each statement goes to every shard of every day, so more of them, and more days, only take time. */
const DISTRIBUTED = { shards: WORKERS, retentionDays: 4, openDays: 4 }

export type Database = Readonly<{ ownerUrl: string; applicationUrl: string; isOwner: boolean }>

/**
 * Holds everything that must be gone when a trial ends: a folder (also for temporary files), processes, a database.
 * This process clears it at its end or, after a kill, a process beside it does. If that is killed too, the next run
 * removes it.
 */
export class Premises {
  readonly folder: string
  readonly #isQuick: boolean
  readonly #children = new Set<ChildProcess>()
  #postgres: Promise<EmbeddedPostgres> | undefined
  #cluster: Promise<CitusCluster> | undefined
  #databases = 0

  static async open(isQuick: boolean): Promise<Premises> {
    await removeAbandoned(PREFIX)
    return new Premises(claimFolder(mkdtempSync(join(tmpdir(), PREFIX))), isQuick)
  }

  private constructor(folder: string, isQuick: boolean) {
    this.folder = folder
    this.#isQuick = isQuick
    clearAfterwards(folder)
    process.env.TMPDIR = folder
    process.once('exit', () => this.#clear())
  }

  /** Returns the configured database, or a new one. */
  async database(): Promise<Database> {
    const { databaseUrl, databaseOwnerUrl } = readConfig()
    const given = databaseOwnerUrl ?? databaseUrl
    if (given === undefined) return this.newDatabase()
    await migrate(given)
    return { ownerUrl: given, applicationUrl: given, isOwner: true }
  }

  /**
   * Makes a migrated one: on a coordinator and workers where `WAYSIDE_TEST_CITUS` names a PostgreSQL that has Citus.
   *
   * @param days how many past days have tables; a server that starts there makes those of older open days
   */
  async newDatabase(days?: { readonly retentionDays: number }): Promise<Database> {
    if (CITUS_FOLDER !== undefined) return this.#distributedDatabase(CITUS_FOLDER, days)
    const database = await this.emptyDatabase()
    await migrate(database.ownerUrl, days)
    return database
  }

  async #distributedDatabase(folder: string, days = DISTRIBUTED as Partial<typeof DISTRIBUTED>): Promise<Database> {
    this.#cluster ??= CitusCluster.start({
      ...{ folder, below: this.folder, workers: WORKERS, ownerIsSuperuser: true },
      settings: this.#isQuick ? QUICK : { fsync: 'on', full_page_writes: 'on' },
    })
    this.#databases += 1
    const named = { name: `trial_${this.#databases}`, shards: WORKERS, ...days }
    return { ...(await makeDistributedDatabase(await this.#cluster, named)), isOwner: false }
  }

  /** Makes a new one in an embedded PostgreSQL, without any migration. */
  async emptyDatabase(): Promise<Database> {
    this.#postgres ??= startEmbeddedPostgres({
      ownerIsSuperuser: true,
      dataFolder: join(this.folder, 'database'),
      systemFolder: this.folder,
      settings: this.#isQuick ? QUICK : {},
    })
    const { ownerUrl, applicationUrl } = await this.#postgres
    this.#databases += 1
    const name = `trial_${this.#databases}`
    const admin = new pg.Client({ connectionString: ownerUrl })
    await admin.connect()
    await admin.query(`create database ${name}`)
    await admin.end()
    const urls = { ownerUrl: withDatabase(ownerUrl, name), applicationUrl: withDatabase(applicationUrl, name) }
    return { ...urls, isOwner: false }
  }

  /** The process ends with this one, however this one ends. */
  hold(child: ChildProcess): void {
    this.#children.add(child)
    child.once('exit', () => this.#children.delete(child))
  }

  /** Ends everything at once: nobody needs any of it now. */
  #clear(): void {
    for (const child of this.#children) child.kill('SIGKILL')
    quitDatabases(this.folder)
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** The program has a session of its own, so that signals of a terminal do not reach it. */
function clearAfterwards(folder: string): void {
  const program = fileURLToPath(new URL('./clearAfter.ts', import.meta.url))
  const child = spawn(process.execPath, [program, folder], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] })
  child.unref()
  // The pipe of a child process is a socket, and must not keep this process.
  ;(child.stdin as Socket).unref()
}

function withDatabase(url: string, database: string): string {
  const changed = new URL(url)
  changed.pathname = `/${database}`
  return changed.href
}
