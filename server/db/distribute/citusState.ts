import type pg from 'pg'
import { APPLICATION_ROLE } from '../connect/roleNames.ts'
import type { Queryable } from '../transaction.ts'

// Everything that knows Citus, which spreads tables over machines, stands in this folder (decision 342).

/** One PostgreSQL of the cluster. */
export interface WorkerState {
  /** Host and port, as the coordinator knows it. */
  readonly name: string
  readonly isActive: boolean
  /** Why a role of the product cannot sign in there; undefined when it can. */
  readonly ownerTrouble: string | undefined
  readonly applicationTrouble: string | undefined
  /** Undefined when it could not be asked. */
  readonly settings: NodeSettings | undefined
}

export interface NodeSettings {
  readonly maxLocks: number
  readonly walLevel: string
  readonly freeBytes: number
}

export interface TableState {
  readonly name: string
  readonly partitions: number
  readonly isDistributed: boolean
  /** What lies on the coordinator: all of it before, and what is to be removed after it was distributed. */
  readonly localBytes: number
  readonly hasLocalRows: boolean
}

export interface CitusState {
  /** Null when this database has no Citus. */
  readonly version: string | null
  /** PostgreSQL was installed with it, but this database does not have it. */
  readonly isInstalled: boolean
  readonly postgresVersion: number
  readonly coordinator: NodeSettings | undefined
  readonly knowsCoordinator: boolean
  readonly workers: readonly WorkerState[]
  readonly tables: readonly TableState[]
  readonly hasReportLogins: boolean
}

type Asking = Pick<Queryable, 'query'>

/** Whether Citus spreads a table of this database over machines. */
export async function isDistributed(queryable: Asking, table: string): Promise<boolean> {
  if (!(await hasCitus(queryable))) return false
  const { rowCount } = await queryable.query(
    `select from pg_dist_partition where logicalrelid = to_regclass($1) and partmethod = 'h'`,
    [table],
  )
  return rowCount === 1
}

export async function hasCitus(queryable: Asking): Promise<boolean> {
  const { rows } = await queryable.query<{ has: boolean }>(
    `select to_regclass('pg_catalog.pg_dist_partition') is not null as has`,
  )
  return rows[0]?.has === true
}

/** Reads what distributing depends on. @param owner connected as the owner of the tables */
export async function readCitusState(owner: pg.ClientBase, tables: readonly string[]): Promise<CitusState> {
  const [known] = (await owner.query<Installed>(INSTALLED_SQL)).rows
  if (known === undefined) throw new Error('The database did not say what it has.')
  if (known.version === null) {
    const states = await readTables(owner, tables, new Set())
    return { ...known, coordinator: undefined, knowsCoordinator: false, workers: [], tables: states }
  }
  const distributed = await owner.query<{ name: string }>(
    `select logicalrelid::text as name from pg_dist_partition where partmethod = 'h'`,
  )
  const coordinator = await owner.query<NodeSettings>(SETTINGS_SQL)
  const nodes = await owner.query<Node>(NODES_SQL)
  return {
    ...known,
    coordinator: coordinator.rows[0],
    knowsCoordinator: nodes.rows.some(({ group }) => group === 0),
    workers: await readWorkers(
      owner,
      nodes.rows.filter(({ group }) => group !== 0),
    ),
    tables: await readTables(owner, tables, new Set(distributed.rows.map(({ name }) => name))),
  }
}

/**
 * SQL of how large each table is, as rows of its `relid`, `bytes`, and `row_bytes`, which are 0 in an empty one. On the
 * coordinator a distributed one is empty, and has the bytes of indexes that each empty shard has, too.
 */
export async function sizesSql(queryable: Asking, table: string): Promise<string> {
  if (!(await isDistributed(queryable, table)))
    return `(select oid as relid, pg_total_relation_size(oid) as bytes, pg_relation_size(oid) as row_bytes
      from pg_class where relkind = 'r')`
  return `(select relid, bytes, greatest(0, bytes - shards * pg_total_relation_size(relid)) as row_bytes
    from (select logicalrelid::oid as relid, sum(size) as bytes, count(*) as shards
      from citus_shard_sizes() join pg_dist_shard on shardid = shard_id group by 1) as added)`
}

interface Node {
  readonly host: string
  readonly port: number
  readonly group: number
  readonly active: boolean
}

async function readWorkers(owner: pg.ClientBase, nodes: readonly Node[]): Promise<WorkerState[]> {
  const workers: WorkerState[] = []
  for (const node of nodes) {
    const ownerTrouble = await signInTrouble(owner, node)
    await owner.query(`set role ${APPLICATION_ROLE}`)
    const applicationTrouble = await signInTrouble(owner, node).finally(() => owner.query('reset role'))
    workers.push({
      name: `${node.host}:${node.port}`,
      isActive: node.active,
      ownerTrouble,
      applicationTrouble,
      settings: ownerTrouble === undefined ? await settingsOf(owner, node) : undefined,
    })
  }
  return workers
}

/** Citus connects to workers as the role of the session. @returns what it says when it cannot */
async function signInTrouble(connection: pg.ClientBase, { host, port }: Node): Promise<string | undefined> {
  const words: string[] = []
  const onNotice = ({ message }: { message?: string | undefined }) => words.push(message ?? '')
  connection.on('notice', onNotice)
  try {
    const { rows } = await connection.query<{ is: boolean }>('select citus_check_connection_to_node($1, $2) as is', [
      host,
      port,
    ])
    if (rows[0]?.is === true) return undefined
    return words.at(-1) ?? 'it does not answer'
  } catch (error) {
    return (error as Error).message
  } finally {
    connection.off('notice', onNotice)
  }
}

async function settingsOf(owner: pg.ClientBase, { host, port }: Node): Promise<NodeSettings | undefined> {
  const { rows } = await owner.query<{ success: boolean; result: string }>(
    `select success, result from run_command_on_workers($1) where nodename = $2 and nodeport = $3`,
    [`select row_to_json(s) from (${SETTINGS_SQL}) s`, host, port],
  )
  const [row] = rows
  return row?.success === true ? (JSON.parse(row.result) as NodeSettings) : undefined
}

type Installed = Pick<CitusState, 'version' | 'isInstalled' | 'postgresVersion' | 'hasReportLogins'>

const INSTALLED_SQL = `
  select (select extversion from pg_extension where extname = 'citus') as version,
    exists (select from pg_available_extensions where name = 'citus') as "isInstalled",
    current_setting('server_version_num')::integer / 10000 as "postgresVersion",
    exists (select from report_login) as "hasReportLogins"`

const NODES_SQL = `
  select nodename as host, nodeport as port, groupid as "group", isactive as active
  from pg_dist_node where noderole = 'primary' order by groupid`

const SETTINGS_SQL = `
  select current_setting('max_locks_per_transaction')::integer as "maxLocks", current_setting('wal_level') as "walLevel",
    available_disk_size::float8 as "freeBytes" from citus_local_disk_space_stats()`

async function readTables(
  owner: pg.ClientBase,
  tables: readonly string[],
  distributed: ReadonlySet<string>,
): Promise<TableState[]> {
  const { rows } = await owner.query<{ name: string; partitions: number; bytes: number; heap: number }>(
    `select t.name, count(leaf.relid)::integer as partitions,
       coalesce(sum(pg_total_relation_size(coalesce(leaf.relid, t.name::regclass))), 0)::float8 as bytes,
       coalesce(sum(pg_relation_size(coalesce(leaf.relid, t.name::regclass))), 0)::float8 as heap
     from unnest($1::text[]) with ordinality as t (name, place)
     left join lateral (select * from pg_partition_tree(t.name::regclass) where isleaf) leaf on true
     group by t.name, t.place order by t.place`,
    [tables],
  )
  return rows.map(({ name, partitions, bytes, heap }) => ({
    ...{ name, partitions, localBytes: bytes },
    ...{ isDistributed: distributed.has(name), hasLocalRows: heap > 0 },
  }))
}
