import { sql } from 'kysely'
import type { DeviceGuid, DeviceId, RoleId, UserId } from '#domain/ids.ts'
import type { FunctionId } from '#domain/permissions/functions.ts'
import type { Db } from '#server/db/database.ts'

export interface DemoRolloutStore {
  /** Nobody has added a release or started an update yet. */
  readonly isUntouched: () => Promise<boolean>
  readonly releaseOf: (version: string) => Promise<number | undefined>
  /** Returns those of these devices that are connected and have reported their version. */
  readonly connected: (guids: readonly DeviceGuid[]) => Promise<readonly DeviceId[]>
  readonly user: (
    username: string,
  ) => Promise<{ userId: UserId; username: string; roleId: RoleId; functions: FunctionId[] } | undefined>
}

export const createDemoRolloutStore = (db: Db): DemoRolloutStore => ({
  isUntouched: async () => {
    const { rows } = await sql`select from client_rollout limit 1`.execute(db)
    return rows.length === 0
  },

  releaseOf: async (version) => {
    const { rows } = await sql<{ id: number }>`select id from client_release
      where version = ${version} and deleted_at is null`.execute(db)
    return rows[0]?.id
  },

  connected: async (guids) => {
    const { rows } = await sql<{ id: DeviceId }>`
      select distinct device.id from device
        join device_connection c on c.device_id = device.id
        join device_version v on v.device_id = device.id
      where device.guid = any(${guids}::uuid[]) and v.version is not null`.execute(db)
    return rows.map(({ id }) => id)
  },

  user: async (username) => {
    const { rows } = await sql<{ userId: UserId; username: string; roleId: RoleId; functions: FunctionId[] }>`
      select u.id as "userId", u.username, u.role_id as "roleId",
        coalesce(array_agg(f.function_id::integer) filter (where f.function_id is not null), '{}') as functions
      from app_user u left join app_role_function f on f.role_id = u.role_id
      where u.username = ${username} and u.deleted_at is null group by u.id`.execute(db)
    return rows[0]
  },
})
