import type { Queryable } from '../transaction.ts'
import { hasCitus } from './citusState.ts'

export interface Worker {
  /** Host and port, as the coordinator knows it. */
  readonly name: string
  /** What this database takes there; null when the worker cannot be reached. */
  readonly bytes: number | null
}

/** Asks each worker for its part of this database; there are none when Citus does not distribute it. */
export async function readWorkers(queryable: Pick<Queryable, 'query'>): Promise<Worker[]> {
  if (!(await hasCitus(queryable))) return []
  const { rows } = await queryable.query<Worker>(
    `select nodename || ':' || nodeport as name, case when success then result::float8 end as bytes
     from run_command_on_workers('select pg_database_size(current_database())') order by 1`,
  )
  return rows
}

/** Counts the workers without asking any. */
export async function countWorkers(queryable: Pick<Queryable, 'query'>): Promise<number> {
  if (!(await hasCitus(queryable))) return 0
  const { rows } = await queryable.query<{ workers: number }>(
    `select count(*)::integer as workers from pg_dist_node where groupid <> 0 and noderole = 'primary'`,
  )
  return rows[0]?.workers ?? 0
}
