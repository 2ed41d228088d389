import { sql } from 'kysely'
import type { DeviceCommand } from '#contract/http/devices/commands.ts'
import type { DeviceId, UserId } from '#domain/ids.ts'
import { lockEachUntilCommit } from '#server/db/advisoryLocks.ts'
import type { Db } from '#server/db/database.ts'
import { onlyRow } from '#server/db/queries/onlyRow.ts'
import { toDeviceCommand } from '#server/gateway/commands/commandRows.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { isOfScope, shownAs } from '#server/http/call/history.store.ts'
import type { PageRequest } from '#server/http/reading/pages.ts'
import type { PowerCommand } from './powerCommands.ts'
import type { CommandedDevice } from './refuseAbsentPart.ts'

export interface CommandKey {
  readonly acceptedAt: string
  readonly id: string
}

interface GivenCommand {
  readonly deviceId: DeviceId
  readonly command: PowerCommand
  readonly userId: UserId
}

interface Windows {
  readonly sameWithinMs: number
  readonly deviceWithinMs: number
  readonly userWithinMs: number
  readonly mostOfUser: number
}

/** Each is null when there is none within its window. */
export interface RecentCommands {
  readonly same: string | null
  readonly newestAgeMs: number | null
  /** The age of the oldest of the user's commands that count for the limit. */
  readonly oldestOfUserAgeMs: number | null
  /** Formats a moment that long before this answer by the database's clock, and never later. */
  readonly before: (ms: number) => string
}

const ageMs = sql<number>`(extract(epoch from clock_timestamp() - accepted_at) * 1000)::float8`
const isWithin = (ms: number) => sql<boolean>`accepted_at > clock_timestamp() - make_interval(secs => ${ms / 1000})`

/** Finds the commands that stand against another one. A lock per user makes parallel calls count one after the other. */
export async function readRecent(
  transaction: Tx,
  { deviceId, command, userId }: GivenCommand,
  { sameWithinMs, deviceWithinMs, userWithinMs, mostOfUser }: Windows,
): Promise<RecentCommands> {
  await sql`select ${sql.raw(lockEachUntilCommit('powerCommandsOfUser', userId))}`.execute(transaction)
  const row = onlyRow(
    await sql<Omit<RecentCommands, 'before'> & { readonly nowMs: number }>`
      select
        (select id from device_command
         where device_id = ${deviceId} and name = ${command.name} and args = ${JSON.stringify(command.args)}::jsonb
           and ${isWithin(sameWithinMs)}
         order by accepted_at desc limit 1) as same,
        (select ${ageMs} from device_command
         where device_id = ${deviceId} and settings_version is null and ${isWithin(deviceWithinMs)}
           -- A client that cannot has done nothing, and the next means is to be tried at once.
           and not (name = 'computer.reboot' and state = 'refused')
           -- A question switches nothing: it holds up the next question alone.
           and (name = 'driver.test') = ${command.name === 'driver.test'}
         order by accepted_at desc limit 1) as "newestAgeMs",
        (select ${ageMs} from device_command
         where user_id = ${userId} and settings_version is null and ${isWithin(userWithinMs)}
         order by accepted_at desc offset ${mostOfUser - 1} limit 1) as "oldestOfUserAgeMs",
        (extract(epoch from clock_timestamp()) * 1000)::float8 as "nowMs"`.execute(transaction),
  )
  return { ...row, before: (ms) => new Date(row.nowMs - ms).toISOString() }
}

/** Reads the device's components. The caller has checked that it may see the device. */
export async function readFittedParts(transaction: Tx, deviceId: DeviceId): Promise<CommandedDevice> {
  const { modelId } = await transaction
    .selectFrom('device')
    .where('id', '=', deviceId)
    .select('model_id as modelId')
    .executeTakeFirstOrThrow()
  const components = await transaction
    .selectFrom('device_component')
    .where('device_id', '=', deviceId)
    .select([
      'component_model_id as componentModelId',
      'category_id as categoryId',
      'number',
      'option_port1 as optionPort1',
      'option_port2 as optionPort2',
    ])
    .execute()
  return { modelId, components }
}

export async function commandsPage(
  db: Db,
  scope: Scope,
  deviceId: DeviceId,
  { after, size }: Pick<PageRequest<CommandKey>, 'after' | 'size'>,
): Promise<readonly DeviceCommand[]> {
  const rows = await db
    .selectFrom('device_command as c')
    .leftJoin('app_user as author', 'author.id', 'c.user_id')
    .selectAll('c')
    .select(shownAs(scope, 'author', sql`c.username`).as('username'))
    .where('c.device_id', '=', deviceId)
    .where(isOfScope(scope, 'c.customer_id'))
    .$if(after !== undefined, (commands) =>
      commands.where(sql<boolean>`(c.accepted_at, c.id) < (${after?.acceptedAt}::timestamptz, ${after?.id}::uuid)`),
    )
    .orderBy('c.accepted_at', 'desc')
    .orderBy('c.id', 'desc')
    .limit(size)
    .execute()
  return rows.map(toDeviceCommand)
}
