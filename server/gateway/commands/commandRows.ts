import { randomUUID } from 'node:crypto'
import type { Transaction } from 'kysely'
import { sql } from 'kysely'
import type pg from 'pg'
import type { CommandState, DeviceCommand } from '#contract/http/devices/commands.ts'
import type { CommandName, CommandReply } from '#contract/mqtt/command.ts'
import type { DeviceId, UserId } from '#domain/ids.ts'
import type { Database } from '#server/db/schema.ts'
import type { Queryable } from '#server/db/transaction.ts'
import { NOTICES_CHANNEL, noticeText } from '#server/fleet/deviceNotices.ts'
import type { Scope } from '#server/http/call/caller.ts'

/** The device refuses a command that is older. */
const EXPIRES_AFTER_MS = 60_000
/** Allows for clocks and networks: a reply that was in flight when its command expired still counts. */
const GRACE_MS = 5_000

export interface CommandRow {
  readonly id: string
  readonly device_id: DeviceId
  readonly name: CommandName
  readonly args: Record<string, unknown>
  readonly settings_version: number | null
  readonly username: string
  readonly state: CommandState
  readonly accepted_at: Date
  readonly sent_at: Date | null
  readonly ended_at: Date | null
  readonly expires_at: Date
  readonly text: string
  readonly errors: string[]
}

const COLUMNS_BUT_AUTHOR = `id, device_id, name, args, settings_version, state, accepted_at, sent_at, ended_at,
  expires_at, text, errors`
const COLUMNS = `${COLUMNS_BUT_AUTHOR}, username`

/** The age at the time of the question, by the clock that accepted the command. */
const AGE_MS = '(extract(epoch from clock_timestamp() - accepted_at) * 1000)::float8 as age_ms'

interface AgedCommandRow extends CommandRow {
  readonly age_ms: number
}

export function toDeviceCommand(row: Omit<CommandRow, 'settings_version'>): DeviceCommand {
  return {
    id: row.id,
    deviceId: row.device_id,
    name: row.name,
    args: row.args,
    username: row.username,
    state: row.state,
    acceptedAt: row.accepted_at.toISOString(),
    sentAt: row.sent_at?.toISOString() ?? null,
    endedAt: row.ended_at?.toISOString() ?? null,
    expiresAt: row.expires_at.toISOString(),
    text: row.text,
    errors: row.errors,
  }
}

export interface NewCommand {
  readonly deviceId: DeviceId
  readonly name: CommandName
  readonly args: Record<string, unknown>
  /** The version of the settings it carries a section of. Power actions and resets have none. */
  readonly settingsVersion?: number
  readonly userId: UserId
  readonly username: string
  /** The beginning of the call's wait, by the database's own clock; now when left out. */
  readonly since?: string
}

/** Stores a command in the transaction that audits it. The commit notifies the process that sends it. */
export async function acceptCommand(transaction: Transaction<Database>, command: NewCommand): Promise<string> {
  const since = command.since === undefined ? sql<Date>`clock_timestamp()` : sql<Date>`${command.since}::timestamptz`
  const id = randomUUID()
  const insert = transaction.insertInto('device_command').values({
    id,
    device_id: command.deviceId,
    name: command.name,
    args: JSON.stringify(command.args),
    settings_version: command.settingsVersion ?? null,
    user_id: command.userId,
    username: command.username,
    accepted_at: since,
    expires_at: sql<Date>`${since} + make_interval(secs => ${EXPIRES_AFTER_MS / 1000})`,
  })
  await insert.execute()
  await notifyIn(transaction, { kind: 'accepted', deviceId: command.deviceId })
  return id
}

/** Notifies the processes that the settings of a device changed, when the transaction commits. */
export const noteSettings = (transaction: Transaction<Database>, deviceId: DeviceId) =>
  notifyIn(transaction, { kind: 'settings', deviceId })

async function notifyIn(transaction: Transaction<Database>, notice: Parameters<typeof noticeText>[0]) {
  await sql`select pg_notify(${NOTICES_CHANNEL}, ${noticeText(notice)})`.execute(transaction)
}

/**
 * Claims what must be sent to a device. Only the process that gets a row here ever sends it. A process leaves
 * everything to another that has a newer connection of the device, because its own may be dead without knowing.
 *
 * @returns the commands in the order in which they were accepted
 */
export async function claimCommands(
  queryable: Queryable,
  deviceId: DeviceId,
  processId: string,
  answeredWithinMs: number,
) {
  const { rows } = await queryable.query<AgedCommandRow>(
    `with claimed as (
       update device_command set state = 'sent', sent_at = clock_timestamp()
       where device_id = $1 and state = 'accepted' and expires_at > clock_timestamp()
         and accepted_at > clock_timestamp() - make_interval(secs => $3)
         and not exists (
           select from device_connection c join server_process p on p.id = c.process_id
           where c.device_id = $1 and c.process_id <> $2 and p.lease_until > now()
             and c.opened_at > (select max(own.opened_at) from device_connection own
                                where own.device_id = $1 and own.process_id = $2))
       returning ${COLUMNS}, ${AGE_MS})
     select * from claimed order by accepted_at, settings_version`,
    [deviceId, processId, answeredWithinMs / 1000],
  )
  return rows
}

export async function devicesWithAccepted(queryable: Queryable, deviceIds: readonly DeviceId[]): Promise<DeviceId[]> {
  const { rows } = await queryable.query<{ device_id: DeviceId }>(
    `select distinct device_id from device_command where device_id = any($1) and state = 'accepted'`,
    [deviceIds],
  )
  return rows.map((row) => row.device_id)
}

export async function findCommand(queryable: Queryable, deviceId: DeviceId, id: string) {
  const { rows } = await queryable.query<AgedCommandRow>(
    `select ${COLUMNS}, ${AGE_MS}
     from device_command where device_id = $1 and id = $2`,
    [deviceId, id],
  )
  return rows[0]
}

/** Ends a command that was never sent, so that it never will be. @returns whether that was so */
export async function giveUp(queryable: Queryable, deviceId: DeviceId, id: string): Promise<boolean> {
  const { rowCount } = await queryable.query(
    `update device_command set state = 'expired', ended_at = clock_timestamp()
     where device_id = $1 and id = $2 and state = 'accepted'`,
    [deviceId, id],
  )
  return (rowCount ?? 0) > 0
}

/** Ends a claimed command of which no byte was sent. @returns whether that was so */
export async function takeBack(queryable: Queryable, deviceId: DeviceId, id: string): Promise<boolean> {
  const { rowCount } = await queryable.query(
    `update device_command set state = 'expired', sent_at = null, ended_at = clock_timestamp()
     where device_id = $1 and id = $2 and state = 'sent'`,
    [deviceId, id],
  )
  return (rowCount ?? 0) > 0
}

/**
 * Records a device's reply once. Repetitions change nothing, nor does a reply to what was never sent to it. A refusal
 * after the expiry is the device's way to say that the command came too late.
 */
export async function endCommand(
  connection: pg.PoolClient,
  deviceId: DeviceId,
  id: string,
  { ok, text, errors }: CommandReply,
): Promise<CommandRow | undefined> {
  const { rows } = await connection.query<CommandRow>(
    `update device_command
     set state = case when $3 then 'done' when expires_at <= clock_timestamp() then 'expired' else 'refused' end,
         text = $4, errors = $5, ended_at = clock_timestamp()
     where device_id = $1 and id = $2 and state in ('sent', 'unknown')
     returning ${COLUMNS}`,
    [deviceId, id, ok, text, JSON.stringify(errors)],
  )
  return rows[0]
}

/** Ends commands whose process died before sending, and those that expired without an answer. */
export async function sweepCommands(queryable: Queryable, answeredWithinMs: number) {
  const { rows } = await queryable.query<Pick<CommandRow, 'id' | 'device_id' | 'settings_version' | 'state'>>(
    `update device_command
     set state = case state when 'accepted' then 'expired' else 'unknown' end, ended_at = clock_timestamp()
     where state = 'accepted' and accepted_at < clock_timestamp() - make_interval(secs => $1)
        or state = 'sent' and expires_at < clock_timestamp() - make_interval(secs => $2)
     returning id, device_id, settings_version, state`,
    [(answeredWithinMs + GRACE_MS) / 1000, GRACE_MS / 1000],
  )
  return rows
}

/** Ends the pending commands, in the transaction that gives the device to another customer. */
export async function endCommandsOf(transaction: Transaction<Database>, deviceId: DeviceId): Promise<void> {
  await sql`update device_command
    set state = case state when 'accepted' then 'expired' else 'unknown' end, ended_at = clock_timestamp()
    where device_id = ${deviceId} and state in ('accepted', 'sent')`.execute(transaction)
  await notifyIn(transaction, { kind: 'moved', deviceId })
}

export async function newestCommands(
  queryable: Queryable,
  scope: Scope,
  deviceIds: readonly DeviceId[],
  most: number,
): Promise<CommandRow[]> {
  const { rows } = await queryable.query<CommandRow>(
    `select c.*, case when $3::integer is null or u.id is null or u.customer_id = $3 then c.author else 'Staff' end
       as username
     from unnest($1::int[]) d(id)
     cross join lateral (select ${COLUMNS_BUT_AUTHOR}, username as author, user_id from device_command
                         where device_id = d.id and ($3::integer is null or customer_id = $3)
                         order by accepted_at desc, id desc limit $2) c
     left join app_user u on u.id = c.user_id order by c.accepted_at desc, c.id desc`,
    [deviceIds, most, scope.kind === 'everything' ? null : scope.customerId],
  )
  return rows
}
