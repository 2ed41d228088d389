import type { DeviceId } from '#domain/ids.ts'
import type { Queryable } from '../transaction.ts'

type Asking = Pick<Queryable, 'query'>

/** Citus says the second of these when the worker ends within a transaction. */
const AWAY_MESSAGE =
  /^(?:connection to the remote node .*@(?<idle>.+:\d+) failed|failure on connection marked as essential: (?<used>.+:\d+)$)/

/** @returns host and port of the worker that did not answer; undefined when something else went wrong */
export function awayWorkerOf(error: unknown): string | undefined {
  const { idle, used } = (error instanceof Error && AWAY_MESSAGE.exec(error.message)?.groups) || {}
  return idle ?? used
}

/** @returns those of the devices whose readings these workers keep */
export async function devicesOn(
  queryable: Asking,
  workers: readonly string[],
  deviceIds: readonly DeviceId[],
): Promise<DeviceId[]> {
  const { rows } = await queryable.query<{ id: DeviceId }>(
    `select d.id from unnest($1::integer[]) as d (id)
     join pg_dist_placement p on p.shardid = get_shard_id_for_distribution_column('rollup', d.id)
     join pg_dist_node n on n.groupid = p.groupid
     where n.nodename || ':' || n.nodeport = any ($2::text[])`,
    [deviceIds, workers],
  )
  return rows.map(({ id }) => id)
}

/**
 * @returns those of the devices with which something can be tried again that failed with this error, because other
 * workers keep their readings; undefined when it failed for another reason
 */
export async function keptElsewhere(
  queryable: Asking,
  error: unknown,
  deviceIds: readonly DeviceId[],
): Promise<DeviceId[] | undefined> {
  const worker = awayWorkerOf(error)
  if (worker === undefined) return undefined
  const away = new Set(await devicesOn(queryable, [worker], deviceIds))
  return away.size === 0 ? undefined : deviceIds.filter((id) => !away.has(id))
}

/** @returns those of the workers that still belong to the database and do not answer */
export async function stillAway(queryable: Asking, workers: readonly string[]): Promise<string[]> {
  const { rows } = await queryable.query<{ name: string }>(
    `select n.name from (select nodename, nodeport, nodename || ':' || nodeport as name from pg_dist_node) n
     where n.name = any ($1::text[]) and not citus_check_connection_to_node(n.nodename, n.nodeport)`,
    [workers],
  )
  return rows.map(({ name }) => name)
}
