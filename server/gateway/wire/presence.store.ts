import type pg from 'pg'
import type { DeviceId } from '#domain/ids.ts'
import { lockEachUntilCommit, tryLockEachUntilCommit } from '#server/db/advisoryLocks.ts'
import { inTransaction, type Queryable } from '#server/db/transaction.ts'

export type PresenceReason =
  | 'connected'
  | 'disconnected'
  | 'heard_again'
  | 'keep_alive_missed'
  | 'replaced'
  | 'revoked'
  | 'server_lost'
  | 'server_stopped'
  | 'silent'

/** A process that has not renewed its lease for this long counts as dead. */
const LEASE_SECONDS = 20
const REMOVED_AT_ONCE = 500

export type PresenceChange = { readonly deviceId: DeviceId; readonly reason: PresenceReason } & (
  | { readonly kind: 'opened'; readonly connectionId: string; readonly isSilent: boolean }
  /** Only this connection's own row is removed, so that the end of a replaced connection changes nothing. */
  | { readonly kind: 'closed'; readonly connectionId: string }
  | { readonly kind: 'silence'; readonly isSilent: boolean }
)

export interface StoredChanges {
  readonly stored: ReadonlySet<DeviceId>
  readonly moved: readonly DeviceId[]
}

/**
 * Stores changes of many devices in one transaction, under the lock of each. Devices whose lock another process holds
 * are left out, so that processes never wait for each other. No statement is prepared, because its plan would be that
 * of the day on which the tables were empty.
 *
 * @param changes at most one for each device
 */
export function storeChanges(
  pool: pg.Pool,
  processId: string,
  changes: readonly PresenceChange[],
): Promise<StoredChanges> {
  return inTransaction(pool, async (connection) => {
    const { rows } = await connection.query<{ device_id: DeviceId }>(
      `select device_id from unnest($1::int[]) device_id
         where ${tryLockEachUntilCommit('presenceOfDevice', 'device_id')}`,
      [changes.map(({ deviceId }) => deviceId)],
    )
    const stored = new Set(rows.map((row) => row.device_id))
    const own = changes.filter(({ deviceId }) => stored.has(deviceId))
    if (own.length === 0) return { stored, moved: [] }
    await removeConnections(connection, own)
    await addConnections(connection, processId, own)
    await setSilence(connection, processId, own)
    return { stored, moved: await recordPresence(connection, own) }
  })
}

async function removeConnections(connection: pg.PoolClient, changes: readonly PresenceChange[]): Promise<void> {
  const closed = changes.filter((change) => change.kind === 'closed')
  if (closed.length === 0) return
  await connection.query(
    `delete from device_connection c using unnest($1::int[], $2::uuid[]) closed(device_id, connection_id)
       where c.device_id = closed.device_id and c.connection_id = closed.connection_id`,
    [closed.map(({ deviceId }) => deviceId), closed.map(({ connectionId }) => connectionId)],
  )
}

async function addConnections(
  connection: pg.PoolClient,
  processId: string,
  changes: readonly PresenceChange[],
): Promise<void> {
  const opened = changes.filter((change) => change.kind === 'opened')
  if (opened.length === 0) return
  await connection.query(
    `insert into device_connection (device_id, connection_id, process_id, is_silent)
       select device_id, connection_id, $1, is_silent
       from unnest($2::int[], $3::uuid[], $4::bool[]) opened(device_id, connection_id, is_silent)
       on conflict do nothing`,
    [
      processId,
      opened.map(({ deviceId }) => deviceId),
      opened.map(({ connectionId }) => connectionId),
      opened.map(({ isSilent }) => isSilent),
    ],
  )
}

async function setSilence(
  connection: pg.PoolClient,
  processId: string,
  changes: readonly PresenceChange[],
): Promise<void> {
  const heard = changes.filter((change) => change.kind === 'silence')
  if (heard.length === 0) return
  await connection.query(
    `update device_connection c set is_silent = heard.is_silent
       from unnest($2::int[], $3::bool[]) heard(device_id, is_silent)
       where c.device_id = heard.device_id and c.process_id = $1`,
    [processId, heard.map(({ deviceId }) => deviceId), heard.map(({ isSilent }) => isSilent)],
  )
}

/** Adds a row of history for each device whose presence changed. @returns these devices */
async function recordPresence(connection: pg.PoolClient, changes: readonly PresenceChange[]): Promise<DeviceId[]> {
  const { rows } = await connection.query<{ device_id: DeviceId }>(
    `insert into device_presence_history (device_id, at, is_online, reason)
       select changed_id, clock_timestamp(), is_online, why from (
         select changed_id, why,
           exists (select from device_connection c join server_process p on p.id = c.process_id
                   where c.device_id = changed_id and not c.is_silent and p.lease_until > now()) as is_online,
           coalesce((select h.is_online from device_presence_history h
                     where h.device_id = changed_id order by h.at desc limit 1), false) as was_online
         from unnest($1::int[], $2::text[]) changed(changed_id, why)) present
       where is_online <> was_online
       returning device_id`,
    [changes.map(({ deviceId }) => deviceId), changes.map(({ reason }) => reason)],
  )
  return rows.map((row) => row.device_id)
}

/** @param listens whether devices connect to the process */
export async function beginProcess(queryable: Queryable, processId: string, listens = true): Promise<void> {
  await queryable.query(
    `insert into server_process (id, lease_until, listens) values ($1, now() + make_interval(secs => $2), $3)
     on conflict (id) do update set lease_until = excluded.lease_until`,
    [processId, LEASE_SECONDS, listens],
  )
}

/** @returns false when the lease had expired and others took this process for dead */
export async function renewLease(queryable: Queryable, processId: string): Promise<boolean> {
  const { rowCount } = await queryable.query(
    `update server_process set lease_until = now() + make_interval(secs => $2)
     where id = $1 and lease_until > '-infinity'`,
    [processId, LEASE_SECONDS],
  )
  return (rowCount ?? 0) > 0
}

type OnOffline = (deviceId: DeviceId) => void

/** Removes this process and its connections, and calls back with each device that went offline. */
export function endProcess(pool: pg.Pool, processId: string, onOffline: OnOffline): Promise<void> {
  return removeProcess(pool, processId, 'server_stopped', onOffline)
}

/** Reads the processes whose lease has expired, with the time when it did. */
export async function lapsedLeases(pool: pg.Pool): Promise<ReadonlyMap<string, string>> {
  const { rows } = await pool.query<{ id: string; until: string }>(
    'select id, lease_until::text as until from server_process where lease_until < now()',
  )
  return new Map(rows.map(({ id, until }) => [id, until]))
}

/** Removes what a killed process left open. Any process may do this at any time. */
export function expireDeadProcess(pool: pg.Pool, processId: string, onOffline: OnOffline): Promise<void> {
  return removeProcess(pool, processId, 'server_lost', onOffline)
}

/**
 * Removes some devices at a time, because each takes a lock and a database with default settings has only some
 * thousands. The first transaction already makes the connections count for nothing. If this process dies in between,
 * the expired lease lets another continue. If the removed process is in fact alive, it renews its lease, which ends
 * this.
 */
async function removeProcess(pool: pg.Pool, processId: string, reason: PresenceReason, onOffline: OnOffline) {
  await pool.query(
    `update server_process set lease_until = '-infinity' where id = $1 and ($2 or lease_until < now())`,
    [processId, reason === 'server_stopped'],
  )
  for (;;) {
    const offline = await removeSome(pool, processId, reason)
    if (offline === undefined) return
    for (const deviceId of offline) onOffline(deviceId)
  }
}

/** @returns the devices that went offline; undefined when nothing is left or the process is alive */
function removeSome(pool: pg.Pool, processId: string, reason: PresenceReason): Promise<DeviceId[] | undefined> {
  return inTransaction(pool, async (connection) => {
    const over = await connection.query(
      `select from server_process where id = $1 and lease_until = '-infinity' for no key update`,
      [processId],
    )
    if (over.rowCount === 0) return undefined
    const { rows } = await connection.query<{ device_id: DeviceId }>(
      'select distinct device_id from device_connection where process_id = $1 order by device_id limit $2',
      [processId, REMOVED_AT_ONCE],
    )
    if (rows.length === 0) {
      await connection.query('delete from server_process where id = $1', [processId])
      return undefined
    }
    const deviceIds = rows.map((row) => row.device_id)
    await connection.query(`select ${lockEachUntilCommit('presenceOfDevice', 'd')} from unnest($1::int[]) d`, [
      deviceIds,
    ])
    await connection.query('delete from device_connection where process_id = $1 and device_id = any($2::int[])', [
      processId,
      deviceIds,
    ])
    const offline = await connection.query<{ device_id: DeviceId }>(
      `insert into device_presence_history (device_id, at, is_online, reason)
       select d, clock_timestamp(), false, $2 from unnest($1::int[]) d
       where not exists (select from device_connection c join server_process p on p.id = c.process_id
                         where c.device_id = d and not c.is_silent and p.lease_until > now())
         and (select h.is_online from device_presence_history h where h.device_id = d order by h.at desc limit 1)
       returning device_id`,
      [deviceIds, reason],
    )
    return offline.rows.map((row) => row.device_id)
  })
}
