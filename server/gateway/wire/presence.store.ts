import type pg from 'pg'
import type { DeviceId } from '#domain/ids.ts'
import { lockEachUntilCommit } from '#server/db/advisoryLocks.ts'
import { inTransaction, type Queryable } from '#server/db/transaction.ts'

/** Why presence changed; kept in the history. */
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

/** A process that has not renewed its lease for so long counts as dead. */
const LEASE_SECONDS = 20

type ConnectionKey = { readonly deviceId: DeviceId; readonly connectionId: string; readonly processId: string }

/** Every one answers whether the device went online or offline by it. */
export function addConnection(pool: pg.Pool, key: ConnectionKey, isSilent: boolean, reason: PresenceReason) {
  return changePresence(pool, key.deviceId, reason, (connection) =>
    connection.query(
      `insert into device_connection (device_id, connection_id, process_id, is_silent) values ($1, $2, $3, $4)
       on conflict do nothing`,
      [key.deviceId, key.connectionId, key.processId, isSilent],
    ),
  )
}

/** Only this connection's own row: the end of a replaced connection changes nothing. */
export function removeConnection(pool: pg.Pool, key: ConnectionKey, reason: PresenceReason) {
  return changePresence(pool, key.deviceId, reason, (connection) =>
    connection.query('delete from device_connection where device_id = $1 and connection_id = $2', [
      key.deviceId,
      key.connectionId,
    ]),
  )
}

export function setSilent(pool: pg.Pool, deviceId: DeviceId, processId: string, isSilent: boolean) {
  return changePresence(pool, deviceId, isSilent ? 'silent' : 'heard_again', (connection) =>
    connection.query('update device_connection set is_silent = $3 where device_id = $1 and process_id = $2', [
      deviceId,
      processId,
      isSilent,
    ]),
  )
}

/** @returns whether the history has a new row */
async function changePresence(
  pool: pg.Pool,
  deviceId: DeviceId,
  reason: PresenceReason,
  change: (connection: pg.PoolClient) => Promise<unknown>,
): Promise<boolean> {
  return inTransaction(pool, async (connection) => {
    await connection.query(`select ${lockEachUntilCommit('presenceOfDevice', '$1')}`, [deviceId])
    await change(connection)
    return recordPresence(connection, deviceId, reason)
  })
}

/** One more row of history where presence is not what it was. */
async function recordPresence(connection: pg.PoolClient, deviceId: DeviceId, reason: PresenceReason): Promise<boolean> {
  const { rowCount } = await connection.query(
    `insert into device_presence_history (device_id, at, is_online, reason)
     select $1, clock_timestamp(), present.is_online, $2
     from (select exists (
             select from device_connection c join server_process p on p.id = c.process_id
             where c.device_id = $1 and not c.is_silent and p.lease_until > now()) as is_online) present
     where present.is_online is distinct from coalesce(
       (select h.is_online from device_presence_history h where h.device_id = $1 order by h.at desc limit 1), false)`,
    [deviceId, reason],
  )
  return (rowCount ?? 0) > 0
}

export async function beginProcess(queryable: Queryable, processId: string): Promise<void> {
  await queryable.query(
    `insert into server_process (id, lease_until) values ($1, now() + make_interval(secs => $2))
     on conflict (id) do update set lease_until = excluded.lease_until`,
    [processId, LEASE_SECONDS],
  )
}

/** @returns false when the lease had run out and others took this process for dead */
export async function renewLease(queryable: Queryable, processId: string): Promise<boolean> {
  const { rowCount } = await queryable.query(
    'update server_process set lease_until = now() + make_interval(secs => $2) where id = $1',
    [processId, LEASE_SECONDS],
  )
  return (rowCount ?? 0) > 0
}

/** Takes this process and its connections out. @returns devices that went offline by it */
export function endProcess(pool: pg.Pool, processId: string): Promise<DeviceId[]> {
  return removeProcess(pool, processId, 'server_stopped')
}

/** Processes whose lease is over, with its end. */
export async function lapsedLeases(pool: pg.Pool): Promise<ReadonlyMap<string, string>> {
  const { rows } = await pool.query<{ id: string; until: string }>(
    'select id, lease_until::text as until from server_process where lease_until < now()',
  )
  return new Map(rows.map(({ id, until }) => [id, until]))
}

/**
 * Takes out what a process that died without a word left open; any process may do it, at any time.
 *
 * @returns devices that went offline by it
 */
export function expireDeadProcess(pool: pg.Pool, processId: string): Promise<DeviceId[]> {
  return removeProcess(pool, processId, 'server_lost')
}

async function removeProcess(pool: pg.Pool, processId: string, reason: PresenceReason): Promise<DeviceId[]> {
  return inTransaction(pool, async (connection) => {
    const gone = await connection.query(`delete from server_process where id = $1 and ($2 or lease_until < now())`, [
      processId,
      reason === 'server_stopped',
    ])
    if (gone.rowCount === 0) return []
    const { rows } = await connection.query<{ device_id: DeviceId }>(
      `select distinct device_id from device_connection where process_id = $1 order by device_id`,
      [processId],
    )
    const deviceIds = rows.map((row) => row.device_id)
    await connection.query(`select ${lockEachUntilCommit('presenceOfDevice', 'd')} from unnest($1::int[]) d`, [
      deviceIds,
    ])
    await connection.query('delete from device_connection where process_id = $1', [processId])
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
