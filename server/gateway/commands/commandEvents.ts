import type { CommandsEvent } from '#contract/http/live.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { Queryable } from '#server/db/transaction.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { newestCommands, toDeviceCommand } from './commandRows.ts'

const MOST_COMMANDS = 20

export async function readCommandEvents(
  queryable: Queryable,
  scope: Scope,
  deviceIds: readonly DeviceId[],
): Promise<readonly CommandsEvent[]> {
  const { rows: devices } = await queryable.query<{ id: DeviceId; revision: number | null }>(
    `select d.id, s.revision from device d left join device_settings s on s.device_id = d.id
     where d.id = any($1) and ($2::integer is null or d.customer_id = $2)`,
    [deviceIds, scope.kind === 'everything' ? null : scope.customerId],
  )
  const visible = devices.map(({ id }) => id)
  const newest = await newestCommands(queryable, scope, visible, MOST_COMMANDS)
  const commands = Map.groupBy(newest, (row) => row.device_id)
  return devices.map(({ id, revision }) => ({
    deviceId: id,
    commands: (commands.get(id) ?? []).map(toDeviceCommand),
    settingsVersion: revision ?? 0,
  }))
}
