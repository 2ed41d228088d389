import type pg from 'pg'
import type { DiscoveryReport } from '#contract/mqtt/discovery.ts'
import type { DriverReport } from '#contract/mqtt/drivers.ts'
import type { DeviceId } from '#domain/ids.ts'

/** Stores a device's newest report about its drivers. @returns whether it differs from the one before */
export async function recordDriverReport(
  connection: pg.PoolClient,
  deviceId: DeviceId,
  told: DriverReport,
): Promise<boolean> {
  const { rowCount } = await connection.query(
    `insert into device_drivers_told as t (device_id, told)
     select id, $2 from device where id = $1 and deleted_at is null
     on conflict (device_id) do update set told = excluded.told, told_at = now() where t.told <> excluded.told`,
    [deviceId, JSON.stringify(told)],
  )
  return (rowCount ?? 0) > 0
}

/** Stores what the assistant of a device has found. @returns whether it differs from the one before */
export async function recordDiscovery(
  connection: pg.PoolClient,
  deviceId: DeviceId,
  found: DiscoveryReport,
): Promise<boolean> {
  // A device that has not reported its drivers yet has none that the console may choose.
  const told = { clientVersion: found.clientVersion, known: [], allowedNetworks: [], parts: [] } satisfies DriverReport
  const { rowCount } = await connection.query(
    `insert into device_drivers_told as t (device_id, told, found, found_at)
     select id, $2, $3, now() from device where id = $1 and deleted_at is null
     on conflict (device_id) do update set found = excluded.found, found_at = excluded.found_at
     where t.found is distinct from excluded.found`,
    [deviceId, JSON.stringify(told), JSON.stringify(found)],
  )
  return (rowCount ?? 0) > 0
}
