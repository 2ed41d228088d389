import type pg from 'pg'
import { SECOND_MS } from '#domain/units/time.ts'
import { withBriefLocks } from '../briefLocks.ts'
import { isDistributed, readCitusState } from './citusState.ts'

/** A job that detaches comes again. */
const DETACH_TRIES = 5

export interface Distributing {
  /** Rows of one device are on one worker in all of these. */
  readonly tables: readonly string[]
  readonly shards: number
  readonly say: (line: string) => void
}

/**
 * Gives the tables to the workers, one table and one transaction at a time, and then removes what they leave on the
 * coordinator. A killed run goes on where it stopped: each table is local or distributed, never both.
 */
export async function distribute(owner: pg.ClientBase, { tables, shards, say }: Distributing): Promise<void> {
  for (const table of (await readCitusState(owner, tables)).tables) {
    if (!table.isDistributed) {
      const beganAt = performance.now()
      await withBriefLocks(owner, () => give(owner, table.name, tables, shards))
      say(`${table.name}: distributed in ${seconds(performance.now() - beganAt)}`)
    }
    if (table.hasLocalRows) {
      // Citus keeps what it copied, out of sight.
      await withBriefLocks(owner, () => owner.query(REMOVE_COPIED_SQL, [table.name]))
      say(`${table.name}: what lay on the coordinator is removed`)
    }
  }
}

const REMOVE_COPIED_SQL = 'select truncate_local_data_after_distributing_table($1::regclass)'

async function give(owner: pg.ClientBase, table: string, tables: readonly string[], shards: number): Promise<void> {
  const { rows } = await owner.query<{ name: string }>(
    `select logicalrelid::text as name from pg_dist_partition
     where partmethod = 'h' and logicalrelid = any ($1::regclass[]) limit 1`,
    [tables],
  )
  const [first] = rows
  if (first === undefined) {
    await owner.query(`select create_distributed_table($1, 'device_id', colocate_with => 'none', shard_count => $2)`, [
      table,
      shards,
    ])
  } else {
    await owner.query(`select create_distributed_table($1, 'device_id', colocate_with => $2)`, [table, first.name])
  }
}

/** Citus makes the table anew and each view that reads it, but without the rights and comments that a view had. */
async function keepingRights(owner: pg.ClientBase, work: () => Promise<unknown>): Promise<void> {
  const read = async () => (await owner.query<{ statement: string }>(RIGHTS_SQL)).rows.map(({ statement }) => statement)
  const before = await read()
  await work()
  const after = new Set(await read())
  for (const statement of before) if (!after.has(statement)) await owner.query(statement)
}

/** Statements that give each table and view its rights and comments. */
const RIGHTS_SQL = `
  with named as (
    select c.oid, c.relacl, c.relowner, c.oid::regclass as name, case c.relkind when 'v' then 'view' else 'table' end as kind
    from pg_class c
    where c.relkind in ('r', 'p', 'v') and not c.relispartition
      and c.relnamespace in ('public'::regnamespace, to_regnamespace('reports'))
      and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e')
  )
  select format('grant %s on %s to %s', a.privilege_type, name, coalesce(quote_ident(r.rolname), 'public')) as statement
  from named cross join aclexplode(relacl) a left join pg_roles r on r.oid = a.grantee where a.grantee <> relowner
  union all
  select case when d.objsubid = 0 then format('comment on %s %s is %L', kind, name, d.description)
    else format('comment on column %s.%I is %L', name, t.attname, d.description) end
  from named join pg_description d on d.objoid = named.oid and d.classoid = 'pg_class'::regclass
  left join pg_attribute t on t.attrelid = named.oid and t.attnum = d.objsubid`

/**
 * Makes a new table that is to become a part of a distributed one distributed in the same way; of a local one it stays
 * local.
 */
export async function followParent(owner: pg.ClientBase, table: string, parent: string): Promise<void> {
  if (!(await isDistributed(owner, parent)) || (await isDistributed(owner, table))) return
  // Statements of one transaction that write to the same shards must follow each other.
  await owner.query(`set local citus.multi_shard_modify_mode to 'sequential'`)
  await owner.query(`select create_distributed_table($1, 'device_id', colocate_with => $2)`, [table, parent])
}

/** Takes the tables back to the coordinator, the last one first; a killed run goes on where it stopped. */
export async function undistribute(owner: pg.ClientBase, { tables, say }: Omit<Distributing, 'shards'>): Promise<void> {
  const distributed = (await readCitusState(owner, tables)).tables.filter((table) => table.isDistributed)
  for (const { name } of distributed.toReversed()) {
    const beganAt = performance.now()
    await withBriefLocks(owner, () => keepingRights(owner, () => owner.query('select undistribute_table($1)', [name])))
    say(`${name}: back on the coordinator in ${seconds(performance.now() - beganAt)}`)
  }
}

/** Detaches a part of a distributed table. Citus does so in no way but the plain one, for which everybody waits. */
export const detachFromWorkers = (owner: pg.ClientBase, parent: string, table: string): Promise<void> =>
  withBriefLocks(owner, () => owner.query(`alter table ${parent} detach partition ${table}`), DETACH_TRIES)

const seconds = (ms: number) => `${(ms / SECOND_MS).toFixed(1)} s`
