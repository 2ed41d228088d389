import { join } from 'node:path'
import { Client } from 'pg'
import { APPLICATION_ROLE } from '#server/db/connect/roleNames.ts'
import { OWNER_ROLE } from '#server/db/embedded/cluster.ts'
import { startEmbeddedPostgres } from '#server/db/embedded/embeddedPostgres.ts'
import { migrate } from '#server/db/upgrade/migrate.ts'
import { CITUS_FOLDER, CitusCluster } from './citusCluster.ts'
import type { DatabaseRequest, MadeDatabase } from './databaseRequests.ts'
import { makeDistributedDatabase } from './distributedDatabase.ts'

/** Where databases of tests are made: one PostgreSQL, or a coordinator and its workers. */
interface Premises {
  /** A connection to each PostgreSQL, the first to the one that tests use. */
  readonly nodes: readonly Client[]
  readonly urlsOf: (database: string) => Pick<MadeDatabase, 'ownerUrl' | 'applicationUrl'>
  readonly makeTemplate: (name: string, keptDays: number) => Promise<void>
  readonly stop: () => Promise<void>
}

/** The databases of one test run: a migrated template for each span of days, and copies. */
export class TestDatabases {
  readonly #folder: string
  #premises: Promise<Premises> | undefined
  readonly #templates = new Map<number, Promise<string>>()
  #count = 0

  constructor(folder: string) {
    this.#folder = folder
  }

  async answer(request: DatabaseRequest): Promise<MadeDatabase | undefined> {
    const { nodes, urlsOf } = await this.#started()
    if ('drop' in request) {
      await drop(nodes, request.drop)
      return undefined
    }
    this.#count += 1
    const name = `test_${this.#count}`
    if (request.make === 'empty') await nodes[0]?.query(`create database ${name}`)
    else
      await onAll(
        nodes,
        `create database ${name} template ${await this.#template(request.keptDays)} strategy file_copy`,
      )
    return { name, ...urlsOf(name) }
  }

  #template(keptDays: number): Promise<string> {
    const name = `wayside_template_${keptDays}`
    const made = this.#templates.get(keptDays) ?? this.#makeTemplate(name, keptDays)
    this.#templates.set(keptDays, made)
    return made
  }

  async #makeTemplate(name: string, keptDays: number): Promise<string> {
    const { makeTemplate } = await this.#started()
    await makeTemplate(name, keptDays)
    return name
  }

  async stop(): Promise<void> {
    if (this.#premises === undefined) return
    const { nodes, stop } = await this.#premises
    for (const node of nodes) await node.end()
    await stop()
  }

  #started(): Promise<Premises> {
    this.#premises ??= CITUS_FOLDER === undefined ? startOne(this.#folder) : startCitus(CITUS_FOLDER, this.#folder)
    return this.#premises
  }
}

// No test survives a power cut, so none needs the disk; kills of processes lose nothing either way.
const HASTY = { fsync: 'off', full_page_writes: 'off', shared_buffers: '128MB', max_connections: '200' }

async function startOne(folder: string): Promise<Premises> {
  const { ownerUrl, applicationUrl, stop } = await startEmbeddedPostgres({
    ownerIsSuperuser: true,
    dataFolder: join(folder, 'data'),
    systemFolder: join(folder, 'system'),
    settings: HASTY,
  })
  const admin = await connected(ownerUrl)
  const urlsOf = (database: string) => ({
    ownerUrl: withDatabase(ownerUrl, database),
    applicationUrl: withDatabase(applicationUrl, database),
  })
  return {
    nodes: [admin],
    urlsOf,
    makeTemplate: async (name, retentionDays) => {
      await admin.query(`create database ${name}`)
      await migrate(urlsOf(name).ownerUrl, { retentionDays })
    },
    stop,
  }
}

const WORKERS = 3

/** A copy of a distributed database is one as well, when every node makes it: no node's catalogue names the database. */
async function startCitus(folder: string, below: string): Promise<Premises> {
  const cluster = await CitusCluster.start({
    ...{ folder, below, workers: WORKERS, ownerIsSuperuser: true },
    settings: HASTY,
  })
  const all = [cluster.coordinator, ...cluster.workers]
  const nodes = await Promise.all(all.map((node) => connected(node.url(OWNER_ROLE, 'postgres'))))
  const makeTemplate = async (name: string, retentionDays: number) => {
    // Each statement goes to every shard, so more of them only take time.
    await makeDistributedDatabase(cluster, { name, retentionDays, shards: WORKERS })
    // Nobody can copy a database to which somebody is connected, as Citus itself is from its first statement on.
    await onAll(nodes, `alter database ${name} allow_connections false`)
    await onAll(nodes, `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`)
  }
  let making = Promise.resolve()
  return {
    nodes,
    urlsOf: (database) => ({
      ownerUrl: cluster.coordinator.url(OWNER_ROLE, database),
      applicationUrl: cluster.coordinator.url(APPLICATION_ROLE, database),
    }),
    // A worker that joins is told of roles, and two that are told at once refuse each other.
    makeTemplate: (name, retentionDays) => {
      const made = making.then(() => makeTemplate(name, retentionDays))
      making = made.catch(() => undefined)
      return made
    },
    stop: async () => cluster.stop(),
  }
}

async function connected(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString })
  await client.connect()
  return client
}

const onAll = async (nodes: readonly Client[], statement: string) => {
  await Promise.all(nodes.map((node) => node.query(statement)))
}

/** Citus may connect to a database by itself at any moment, as to look for transactions that were left. */
async function drop(nodes: readonly Client[], name: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await onAll(nodes, `drop database if exists ${name} with (force)`)
    } catch (error) {
      if (tries === DROP_TRIES) throw error
    }
  }
}

const DROP_TRIES = 5

function withDatabase(url: string, database: string): string {
  const changed = new URL(url)
  changed.pathname = `/${database}`
  return changed.href
}
