import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { DeviceGuid, DeviceId } from '#domain/ids.ts'
import { inTransaction, type Queryable } from '#server/db/transaction.ts'

export interface DeviceIdentity {
  readonly deviceId: DeviceId
  readonly guid: DeviceGuid
  /** Hexadecimal SHA-256 of the key it used. */
  readonly keyHash: string
  /** Whether this was the first use of the key, which ended the older ones. */
  readonly isFirstUse: boolean
}

const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const LONGEST_KEY = 256

/** The device with this guid and key, unless it is deleted or the key revoked. */
export async function authenticateDevice(
  pool: pg.Pool,
  username: string | undefined,
  password: Buffer | undefined,
): Promise<DeviceIdentity | undefined> {
  if (username === undefined || password === undefined) return undefined
  if (!GUID.test(username) || password.length === 0 || password.length > LONGEST_KEY) return undefined
  const hash = createHash('sha256').update(password).digest()
  const { rows } = await pool.query<{ id: DeviceId; guid: DeviceGuid; first_used_at: Date | null }>(
    `select d.id, d.guid, c.first_used_at from device d join device_credential c on c.device_id = d.id
     where d.guid = $1 and c.key_hash = $2 and d.deleted_at is null`,
    [username, hash],
  )
  const found = rows[0]
  if (found === undefined) return undefined
  const isFirstUse = found.first_used_at === null
  if (isFirstUse) await endOlderKeys(pool, found.id, hash)
  return { deviceId: found.id, guid: found.guid, keyHash: hash.toString('hex'), isFirstUse }
}

/** The old key dies when the new one is first used (P1, Device configuration download). */
function endOlderKeys(pool: pg.Pool, deviceId: DeviceId, hash: Buffer): Promise<void> {
  return inTransaction(pool, async (connection) => {
    const used = await connection.query<{ issued_at: Date }>(
      `update device_credential set first_used_at = coalesce(first_used_at, now())
       where device_id = $1 and key_hash = $2 returning issued_at::text`,
      [deviceId, hash],
    )
    await connection.query(
      'delete from device_credential where device_id = $1 and key_hash <> $2 and issued_at <= $3::timestamptz',
      [deviceId, hash, used.rows[0]?.issued_at],
    )
  })
}

/** Which of these devices' keys still open a connection: `deviceId hexadecimal-hash`. */
export async function validKeys(queryable: Queryable, deviceIds: readonly DeviceId[]): Promise<ReadonlySet<string>> {
  const { rows } = await queryable.query<{ device_id: DeviceId; key_hash: Buffer }>(
    `select c.device_id, c.key_hash from device_credential c join device d on d.id = c.device_id
     where c.device_id = any($1::int[]) and d.deleted_at is null`,
    [deviceIds],
  )
  return new Set(rows.map((row) => keyName(row.device_id, row.key_hash.toString('hex'))))
}

export const keyName = (deviceId: DeviceId, keyHash: string) => `${deviceId} ${keyHash}`
