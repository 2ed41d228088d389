import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { APPLICATION_ROLE } from '#server/db/connect/roleNames.ts'
import { DATABASE, OWNER_RIGHTS, OWNER_ROLE } from '#server/db/embedded/cluster.ts'
import { ownAccount, runsAsRoot, unprivilegedAccount } from '#server/db/embedded/databaseAccount.ts'
import { passTime } from '#testing/passTime.ts'
import { CitusNode, HOST, NodeLogins, own, type Premises, SUPERUSER } from './CitusNode.ts'

// PostgreSQL with Citus is in no package of this project. Who has one names its folder, the one with `bin` in it.

/** The folder of a PostgreSQL that has Citus; undefined when none was named, and then nothing here can run. */
export const CITUS_FOLDER = process.env.WAYSIDE_TEST_CITUS

/** Keeps the log of each node beside its folder, for `CitusNode.restored`. */
export const LOG_KEPT = {
  archive_mode: 'on',
  archive_command: 'mkdir -p "$PWD.wal" && cp "%p" "$PWD.wal/%f"',
}

export interface CitusOptions {
  /** The folder of the PostgreSQL that has Citus. */
  readonly folder: string
  readonly workers: number
  /** Data of nodes are kept below this folder, whose owner removes what a killed run leaves. */
  readonly below?: string
  /** Tests that make databases and end connections of others need it. */
  readonly ownerIsSuperuser?: boolean
  /** Settings of every node that differ from those below. */
  readonly settings?: Readonly<Record<string, string>>
}

export interface CitusDatabase {
  readonly name: string
  readonly superuserUrl: string
  readonly ownerUrl: string
  readonly applicationUrl: string
}

/** What Citus calls what it does by itself. It begins with the first statement that a database is asked after a start. */
const MAINTENANCE = 'Citus Maintenance Daemon'

/** The first ones are what the guide asks for (docs/guide/run/more-than-one-machine.md). */
const SETTINGS = {
  shared_preload_libraries: 'citus',
  max_locks_per_transaction: '1024',
  wal_level: 'logical',
  max_wal_senders: '24',
  max_replication_slots: '24',
  max_worker_processes: '24',
  max_connections: '200',
  listen_addresses: HOST,
  unix_socket_directories: '',
  shared_buffers: '64MB',
  jit: 'off',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // No test survives a power cut, and kills of processes lose nothing either way.
  fsync: 'off',
  full_page_writes: 'off',
  'citus.shard_count': '8',
  'citus.enable_statistics_collection': 'off',
}

/** A coordinator and workers, each a PostgreSQL of its own on this machine, run by a user that is not root. */
export class CitusCluster {
  readonly #premises: Premises
  readonly #options: CitusOptions
  readonly #nodes: CitusNode[] = []

  private constructor(options: CitusOptions) {
    const account = runsAsRoot() ? unprivilegedAccount() : ownAccount
    const home = mkdtempSync(join(options.below ?? tmpdir(), 'wayside-citus-'))
    chmodSync(home, 0o755)
    own(home, account)
    const logins = new NodeLogins(join(home, 'passwords'), account)
    this.#options = options
    this.#premises = { postgres: options.folder, home, account, logins }
  }

  static async start(options: CitusOptions): Promise<CitusCluster> {
    const cluster = new CitusCluster(options)
    try {
      for (let count = 0; count <= options.workers; count++) await cluster.addNode()
      return cluster
    } catch (error) {
      cluster.stop()
      throw error
    }
  }

  get coordinator(): CitusNode {
    const [first] = this.#nodes
    if (first === undefined) throw new Error('This cluster has no node yet.')
    return first
  }

  get workers(): readonly CitusNode[] {
    return this.#nodes.slice(1)
  }

  /** By these the nodes sign in to each other. */
  get logins(): NodeLogins {
    return this.#premises.logins
  }

  /** Starts one more server, which belongs to no database's cluster yet. */
  async addNode(): Promise<CitusNode> {
    const { settings, ownerIsSuperuser = false } = this.#options
    const name = this.#nodes.length === 0 ? 'coordinator' : `worker-${this.#nodes.length}`
    const node = await CitusNode.start(this.#premises, name, { ...SETTINGS, ...settings })
    this.#nodes.push(node)
    const rights = { [OWNER_ROLE]: ownerIsSuperuser ? 'login superuser' : OWNER_RIGHTS, [APPLICATION_ROLE]: 'login' }
    for (const [role, its] of Object.entries(rights)) {
      await node.ask(`create role ${role} ${its} password '${this.logins.passwordOf(role)}'`, 'postgres')
    }
    await node.ask(`grant ${APPLICATION_ROLE} to ${OWNER_ROLE} with admin option`, 'postgres')
    return node
  }

  /** Makes a database with Citus on every node, and joins the workers unless told otherwise. */
  async makeDatabase({ name = DATABASE, isJoined = true } = {}): Promise<CitusDatabase> {
    await makeDatabaseOn(this.coordinator, name)
    await this.coordinator.ask(`select citus_set_coordinator_host('${HOST}', ${this.coordinator.port})`, name)
    for (const worker of this.workers) {
      await makeDatabaseOn(worker, name)
      if (isJoined) await this.join(worker, name)
    }
    return this.#urlsOf(name)
  }

  #urlsOf(name: string): CitusDatabase {
    const urlOf = (role: string) => this.coordinator.url(role, name)
    return {
      name,
      superuserUrl: urlOf(SUPERUSER),
      ownerUrl: urlOf(OWNER_ROLE),
      applicationUrl: urlOf(APPLICATION_ROLE),
    }
  }

  /** Joins a worker to a database's cluster; one that was added later gets the database first. */
  async join(worker: CitusNode, name = DATABASE): Promise<void> {
    const found = await worker.ask(`select from pg_database where datname = '${name}'`, 'postgres')
    if (found.length === 0) await makeDatabaseOn(worker, name)
    await this.coordinator.ask(`select citus_add_node('${HOST}', ${worker.port})`, name)
  }

  /** Replaces every node by its copy (`CitusNode.copy`), as all were at a restore point, and tells them of each other. */
  async restore(point: string, name = DATABASE): Promise<CitusDatabase> {
    const before = [...this.#nodes]
    for (const node of before) node.stop('immediate')
    for (const [index, node] of before.entries()) this.#nodes[index] = await node.restored(point)
    // A change of address that comes before Citus runs there ends the whole coordinator.
    const running = `select from pg_stat_activity where datname = '${name}' and application_name = '${MAINTENANCE}'`
    while ((await this.coordinator.ask(running, name)).length === 0) await passTime(100, 'before Citus runs again')
    for (const [index, { port }] of before.entries())
      await this.coordinator.ask(
        `select citus_update_node(nodeid, '${HOST}', ${this.#nodes[index]?.port}) from pg_dist_node where nodeport = ${port}`,
        name,
      )
    return this.#urlsOf(name)
  }

  /** Ends every node and removes their folders. */
  stop(): void {
    for (const node of this.#nodes) node.stop('immediate')
    rmSync(this.#premises.home, { recursive: true, force: true })
  }
}

async function makeDatabaseOn(node: CitusNode, name: string): Promise<void> {
  await node.ask(`create database ${name} owner ${OWNER_ROLE}`, 'postgres')
  await node.ask('create extension citus', name)
}
