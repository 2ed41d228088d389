import { sql } from 'kysely'
import type { DeviceClient } from '#contract/http/clientUpdate.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { DeviceUpdateState } from '#domain/rollouts/states.ts'
import type { Db } from '#server/db/database.ts'
import { deviceExists } from '#server/fleet/existingDevices.store.ts'
import type { Scope } from '#server/http/call/caller.ts'

export interface DeviceClientStore {
  readonly find: (deviceId: DeviceId, scope: Scope) => Promise<DeviceClient | undefined>
}

interface Row {
  readonly version: string | null
  readonly newestVersion: string | null
  readonly updateVersion: string | null
  readonly state: DeviceUpdateState
  readonly reason: string
  readonly receivedBytes: number | null
  readonly bytes: number
  readonly changedAt: Date
}

/** What one device runs and is to run, for everybody who may see it. */
export function createDeviceClientStore(db: Db): DeviceClientStore {
  return {
    find: async (deviceId, scope) => {
      const { rows } = await sql<Row>`
        select v.version, newest.version as "newestVersion",
          u.version as "updateVersion", u.state, u.reason, u.received_bytes::float8 as "receivedBytes", u.bytes,
          u.changed_at as "changedAt"
        from device join device_version v on v.device_id = device.id
        left join lateral (
          select version from client_release where deleted_at is null order by version_order desc limit 1) newest on true
        left join lateral (
          select r.version, r.bytes, c.state, c.reason, c.received_bytes, c.changed_at
          from client_update c join client_rollout o on o.id = c.rollout_id join client_release r on r.id = o.release_id
          where c.device_id = device.id order by c.is_open desc, c.changed_at desc limit 1) u on true
        where device.id = ${deviceId} and ${deviceExists(scope)}`.execute(db)
      return rows[0] && toDeviceClient(rows[0])
    },
  }
}

function toDeviceClient({ version, newestVersion, updateVersion, changedAt, ...update }: Row): DeviceClient {
  return {
    version,
    newestVersion,
    update: updateVersion === null ? null : { ...update, version: updateVersion, changedAt: changedAt.toISOString() },
  }
}
