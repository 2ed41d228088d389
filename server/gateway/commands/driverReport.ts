import type pg from 'pg'
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
