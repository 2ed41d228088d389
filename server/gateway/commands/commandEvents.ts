import type { CommandsEvent } from '#contract/http/live.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { Queryable } from '#server/db/transaction.ts'
import { newestCommands, toDeviceCommand } from './commandRows.ts'

const MOST_COMMANDS = 20

/** What consoles are told of the commands and settings of these devices, as of now. */
export async function readCommandEvents(
  queryable: Queryable,
  deviceIds: readonly DeviceId[],
): Promise<readonly CommandsEvent[]> {
  const { rows: revisions } = await queryable.query<{ device_id: DeviceId; revision: number }>(
    'select device_id, revision from device_settings where device_id = any($1)',
    [deviceIds],
  )
  const commands = Map.groupBy(await newestCommands(queryable, deviceIds, MOST_COMMANDS), (row) => row.device_id)
  const revisionOf = new Map(revisions.map(({ device_id, revision }) => [device_id, revision]))
  return deviceIds.map((deviceId) => ({
    deviceId,
    commands: (commands.get(deviceId) ?? []).map(toDeviceCommand),
    settingsVersion: revisionOf.get(deviceId) ?? 0,
  }))
}
