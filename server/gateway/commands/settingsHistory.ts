import type pg from 'pg'
import { inTransaction, type Queryable } from '#server/db/transaction.ts'

/** A restored or promoted PostgreSQL starts another timeline, and a copied one is another system. */
const LINE = `(select system_identifier from pg_control_system()) || '/' ||
  left(pg_walfile_name(pg_current_wal_lsn()), 8)`

/** Versions continue from here after a restore, later than any that a device has. */
const SECONDS_SINCE_2020 = `extract(epoch from clock_timestamp() - timestamptz '2020-01-01T00:00:00Z')::integer`

/**
 * Raises all versions once after a restore, before any is sent. The database has then forgotten versions that devices
 * hold, and devices would ignore older ones, some without saying so.
 */
export async function raiseAfterRestore(pool: pg.Pool): Promise<void> {
  if ((await readLines(pool)).isSame) return
  await inTransaction(pool, async (connection) => {
    const { isSame, kept, present } = await readLines(connection, 'for update')
    if (isSame) return
    if (kept !== null) await raiseAll(connection)
    await connection.query('update settings_history set line = $1', [present])
  })
}

async function readLines(queryable: Queryable, locking = '') {
  const { rows } = await queryable.query<{ kept: string | null; present: string }>(
    `select line as kept, ${LINE} as present from settings_history ${locking}`,
  )
  const { kept = null, present = '' } = rows[0] ?? {}
  return { kept, present, isSame: kept === present }
}

const raiseAll = (connection: pg.PoolClient) =>
  connection.query(
    `insert into device_settings as s (device_id, version)
     select id, greatest(2, ${SECONDS_SINCE_2020}) from device where deleted_at is null order by id
     on conflict (device_id) do update set version = greatest(s.version + 1, excluded.version), updated_at = now()`,
  )
