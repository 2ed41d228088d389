import { sql } from 'kysely'
import type { DeviceClient } from '#contract/http/software/rollouts.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { DeviceUpdateState } from '#domain/rollouts/states.ts'
import type { Db } from '#server/db/database.ts'
import { deviceExists } from '#server/fleet/existingDevices.store.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { WAITS_AS } from './candidates.store.ts'

interface Row {
  readonly version: string | null
  readonly newestVersion: string | null
  readonly updateVersion: string | null
  readonly state: DeviceUpdateState
  readonly reason: string
  readonly receivedBytes: number | null
  readonly bytes: number
  readonly changedAt: Date
  readonly updateId: number
  readonly waitsAs: 'paused' | 'halted' | null
}

/** Reads the present and the assigned version of one device, for everybody who may see it. */
export async function findDeviceClient(db: Db, deviceId: DeviceId, scope: Scope): Promise<DeviceClient | undefined> {
  const { rows } = await sql<Row>`
    select v.version, newest.version as "newestVersion",
      u.version as "updateVersion", u.state, u.reason, u.received_bytes::float8 as "receivedBytes", u.bytes,
      u.changed_at as "changedAt", u.rollout_id as "updateId", u.waits_as as "waitsAs"
    from device join device_version v on v.device_id = device.id
    left join lateral (
      select version from client_release where deleted_at is null order by version_order desc limit 1) newest on true
    left join lateral (
      select r.version, r.bytes, u.state, u.reason, u.received_bytes, u.changed_at, u.rollout_id,
        ${sql.raw(WAITS_AS)} as waits_as
      from client_update u join client_rollout o on o.id = u.rollout_id join client_release r on r.id = o.release_id
      where u.device_id = device.id order by u.is_open desc, u.changed_at desc limit 1) u on true
    where device.id = ${deviceId} and ${deviceExists(scope)}`.execute(db)
  return rows[0] && toDeviceClient(rows[0], scope)
}

function toDeviceClient(row: Row, scope: Scope): DeviceClient {
  const { version, newestVersion, updateVersion, changedAt, updateId, waitsAs, ...update } = row
  if (updateVersion === null) return { version, newestVersion, update: null }
  const waitsIn = waitsAs === null || scope.kind !== 'everything' ? null : { updateId, state: waitsAs }
  return {
    version,
    newestVersion,
    update: { ...update, version: updateVersion, changedAt: changedAt.toISOString(), waitsIn },
  }
}
