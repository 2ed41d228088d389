import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { DeviceGuid, DeviceId } from '#domain/ids.ts'
import { inTransaction, type Queryable } from '#server/db/transaction.ts'

export interface DeviceIdentity {
  readonly deviceId: DeviceId
  readonly guid: DeviceGuid
  /** The hexadecimal SHA-256 of the key that was used. */
  readonly keyHash: string
  /** Whether this was the first use of the key, which ended the older ones. */
  readonly isFirstUse: boolean
}

const GUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i
const LONGEST_KEY = 256

export interface Credentials {
  readonly username: string | undefined
  readonly key: Buffer | undefined
}

/** Finds the device with this guid and key, unless it is deleted or the key is revoked. */
export async function authenticateDevice(
  pool: pg.Pool,
  username: string | undefined,
  key: Buffer | undefined,
): Promise<DeviceIdentity | undefined> {
  return (await authenticateDevices(pool, [{ username, key }]))[0]
}

interface FoundKey {
  readonly deviceId: DeviceId
  readonly guid: DeviceGuid
  readonly hash: Buffer
  readonly isFirstUse: boolean
}

/** Authenticates many in one exchange. The results are in the order of the credentials. */
export async function authenticateDevices(
  pool: pg.Pool,
  shown: readonly Credentials[],
): Promise<(DeviceIdentity | undefined)[]> {
  const found = await findKeys(pool, shown)
  const identities = found.map((key) => key && identityOf(key))
  const newKeys = found.flatMap((key, index) => (key?.isFirstUse ? [{ index, ...key }] : []))
  // The keys of one device are used one after the other, because the first use of the newer of two new keys ends the
  // older.
  const first = newKeys.filter(({ deviceId }, at) => newKeys.findIndex((key) => key.deviceId === deviceId) === at)
  if (first.length > 0) {
    const used = await endOlderKeys(pool, first)
    for (const { index, deviceId } of first) if (!used.has(deviceId)) identities[index] = undefined
  }
  const later = newKeys.filter((key) => !first.includes(key)).map(({ index }) => index)
  if (later.length === 0) return identities
  const again = await authenticateDevices(
    pool,
    later.map((index) => shown[index] as Credentials),
  )
  for (const [at, index] of later.entries()) identities[index] = again[at]
  return identities
}

const identityOf = ({ deviceId, guid, hash, isFirstUse }: FoundKey): DeviceIdentity => ({
  deviceId,
  guid,
  keyHash: hash.toString('hex'),
  isFirstUse,
})

async function findKeys(pool: pg.Pool, shown: readonly Credentials[]): Promise<(FoundKey | undefined)[]> {
  const found: (FoundKey | undefined)[] = shown.map(() => undefined)
  const asked = shown.flatMap(({ username, key }, index) => {
    if (username === undefined || key === undefined) return []
    if (!GUID.test(username) || key.length === 0 || key.length > LONGEST_KEY) return []
    return [{ index, guid: username, hash: createHash('sha256').update(key).digest() }]
  })
  if (asked.length === 0) return found
  const { rows } = await pool.query<{ at: number; id: DeviceId; guid: DeviceGuid; is_first_use: boolean }>(
    `select a.at::int, d.id, d.guid, c.first_used_at is null as is_first_use
       from unnest($1::uuid[], $2::bytea[]) with ordinality a(guid, key_hash, at)
       join device d on d.guid = a.guid and d.deleted_at is null
       join device_credential c on c.device_id = d.id and c.key_hash = a.key_hash`,
    [asked.map(({ guid }) => guid), asked.map(({ hash }) => hash)],
  )
  for (const { at, id, guid, is_first_use } of rows) {
    const { index, hash } = asked[at - 1] as (typeof asked)[number]
    found[index] = { deviceId: id, guid, hash, isFirstUse: is_first_use }
  }
  return found
}

/** Ends the old keys of devices that use a new one for the first time (rules/devices 6), at most one for each. */
function endOlderKeys(pool: pg.Pool, keys: readonly FoundKey[]): Promise<ReadonlySet<DeviceId>> {
  const values = [keys.map(({ deviceId }) => deviceId), keys.map(({ hash }) => hash)]
  return inTransaction(pool, async (connection) => {
    // The rows are locked in one order, because another process may hold keys of the same devices.
    await connection.query(
      'select from device_credential where device_id = any($1::int[]) order by device_id, key_hash for update',
      [values[0]],
    )
    const used = await connection.query<{ device_id: DeviceId }>(
      `update device_credential c set first_used_at = coalesce(c.first_used_at, now())
       from unnest($1::int[], $2::bytea[]) used(device_id, key_hash)
       where c.device_id = used.device_id and c.key_hash = used.key_hash returning c.device_id`,
      values,
    )
    await connection.query(
      `delete from device_credential c
       using unnest($1::int[], $2::bytea[]) used(device_id, key_hash)
       join device_credential newer on newer.device_id = used.device_id and newer.key_hash = used.key_hash
       where c.device_id = used.device_id and c.key_hash <> used.key_hash and c.issued_at <= newer.issued_at`,
      values,
    )
    return new Set(used.rows.map((row) => row.device_id))
  })
}

/** Finds which keys of these devices are still valid, as `deviceId hexadecimal-hash`. */
export async function validKeys(queryable: Queryable, deviceIds: readonly DeviceId[]): Promise<ReadonlySet<string>> {
  const { rows } = await queryable.query<{ device_id: DeviceId; key_hash: Buffer }>(
    `select c.device_id, c.key_hash from device_credential c join device d on d.id = c.device_id
     where c.device_id = any($1::int[]) and d.deleted_at is null`,
    [deviceIds],
  )
  return new Set(rows.map((row) => keyName(row.device_id, row.key_hash.toString('hex'))))
}

export const keyName = (deviceId: DeviceId, keyHash: string) => `${deviceId} ${keyHash}`
