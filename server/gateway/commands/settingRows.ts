import { sql } from 'kysely'
import type pg from 'pg'
import { SETTINGS_SECTIONS, type SettingsReply } from '#contract/mqtt/settings.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { CommandRow } from './commandRows.ts'
import { noteOutcome, replaceOpenOutcomes, type SectionVersion } from './settingOutcomes.ts'

/** Finds the section that a command applies. Turn-off times have no number of their own. */
function sectionOf({ device_id: deviceId, name, args, settings_version: version }: CommandRow) {
  const section = SETTINGS_SECTIONS.find((one) => name === `${one}.apply`)
  if (section === undefined || version === null) return undefined
  const number = Number(args.displayNumber ?? args.number ?? 1)
  return { deviceId, section, number, version } satisfies SectionVersion
}

/**
 * Stores a device's answer to the command of a section: `done` makes it the reported settings, `refused` withdraws the
 * desired ones. An answer to older desired settings leaves the newer ones waiting.
 *
 * @returns whether the command was one of settings
 */
export async function settleCommand(connection: pg.PoolClient, command: CommandRow): Promise<boolean> {
  const answer = sectionOf(command)
  if (answer === undefined) return false
  await lockSettings(connection, answer.deviceId)
  if (command.state === 'done') await confirm(connection, answer, command.args)
  if (command.state === 'refused') await withdrawSettings(connection, answer, wordsOf(command))
  await countRevision(connection, answer.deviceId)
  return true
}

/** What an answer to a settings document changed: what consoles see, or what the device must be sent. */
export type Settled = 'nothing' | 'sections' | 'version'

/** Stores a device's answer to a settings document. A document that was never sent settles no section. */
export async function settleDocument(
  connection: pg.PoolClient,
  deviceId: DeviceId,
  { version, results }: SettingsReply,
): Promise<Settled> {
  const known = await lockSettings(connection, deviceId)
  if (version > (known?.version ?? 1)) {
    if (version < HIGHEST_RAISED_VERSION && (await raiseAbove(connection, deviceId, version))) return 'version'
    return noteUsedUp(connection, deviceId)
  }
  let moved = known?.isUsedUp ? await endUsedUp(connection, deviceId) : 0
  for (const { section, number, ok, errors } of results) {
    const answer = { deviceId, section, number, version }
    moved += ok ? await confirmSettings(connection, answer) : await withdrawSettings(connection, answer, errors)
  }
  if (moved === 0) return 'nothing'
  await countRevision(connection, deviceId)
  return 'sections'
}

/** Above it there is room for as many changes as any device will see. */
const HIGHEST_RAISED_VERSION = 2_000_000_000

/** A device that claims more again and again lies, or another server raises its versions too. */
const MOST_RAISES_AN_HOUR = 5

/**
 * Raises the version above what the device holds. This database never wrote that version, so it was restored or another
 * server had the device. The device would ignore anything older.
 *
 * @returns false when that was done too often
 */
async function raiseAbove(connection: pg.PoolClient, deviceId: DeviceId, held: number): Promise<boolean> {
  const isCounted = `s.raised_since > now() - interval '1 hour'`
  const { rowCount } = await connection.query(
    `insert into device_settings as s (device_id, version, raised_since, raised_times)
     select id, $2, now(), 1 from device where id = $1 and deleted_at is null
     on conflict (device_id) do update set version = excluded.version, updated_at = now(),
       raised_since = case when ${isCounted} then s.raised_since else now() end,
       raised_times = case when ${isCounted} then s.raised_times + 1 else 1 end
       where s.raised_times < ${MOST_RAISES_AN_HOUR} or s.raised_since <= now() - interval '1 hour'`,
    [deviceId, held + 1],
  )
  return (rowCount ?? 0) > 0
}

/**
 * Marks a device that claims a version only a hostile server writes, or keeps claiming newer ones than it is sent. No
 * version is put above it, or the versions would soon run out. Consoles show that the device takes no settings until
 * its key is renewed.
 */
async function noteUsedUp(connection: pg.PoolClient, deviceId: DeviceId): Promise<Settled> {
  const { rowCount } = await connection.query(
    `insert into device_settings as s (device_id, versions_used_up_since)
     select id, now() from device where id = $1 and deleted_at is null
     on conflict (device_id) do update set versions_used_up_since = now(), revision = s.revision + 1
       where s.versions_used_up_since is null`,
    [deviceId],
  )
  return (rowCount ?? 0) > 0 ? 'sections' : 'nothing'
}

/** Clears `versions_used_up_since`, because the device has answered a document of this server. */
async function endUsedUp(connection: pg.PoolClient, deviceId: DeviceId): Promise<number> {
  const { rowCount } = await connection.query(
    'update device_settings set versions_used_up_since = null where device_id = $1',
    [deviceId],
  )
  return rowCount ?? 0
}

/** Returns the device's words for a refusal, which may stand in either place. */
export function wordsOf({ errors, text }: Pick<CommandRow, 'errors' | 'text'>): string[] {
  const said = errors.filter((error) => error.trim() !== '')
  return said.length > 0 ? said : [text.trim() === '' ? 'The device refused the command.' : text]
}

async function lockSettings(connection: pg.PoolClient, deviceId: DeviceId) {
  const { rows } = await connection.query<{ version: number; isUsedUp: boolean }>(
    `select version, versions_used_up_since is not null as "isUsedUp" from device_settings
     where device_id = $1 for update`,
    [deviceId],
  )
  return rows[0]
}

const countRevision = (connection: pg.PoolClient, deviceId: DeviceId) =>
  connection.query('update device_settings set revision = revision + 1 where device_id = $1', [deviceId])

const keyOf = ({ deviceId, section, number, version }: SectionVersion) => [deviceId, section, number, version]

/** Confirms settings even if newer ones replaced them, because the device has them until it takes the newer ones. */
async function confirm(connection: pg.PoolClient, answer: SectionVersion, args: Record<string, unknown>) {
  await connection.query(
    `update device_setting set reported = coalesce(reported, '{}'::jsonb) || $5::jsonb, reported_at = clock_timestamp(),
       reported_version = $4,
       -- A wish that was taken back and carried out all the same is what the device has, and nobody wants anything else.
       desired = coalesce(desired, $5::jsonb),
       waiting_version = case when waiting_version > $4 then waiting_version end
     where device_id = $1 and section = $2 and number = $3 and reported_version < $4`,
    [...keyOf(answer), JSON.stringify(args)],
  )
  await noteOutcome(connection, answer, 'applied')
  await noteDayPlan(connection, answer)
}

/** Records the plan that the device follows from now on, for the dark minutes. */
async function noteDayPlan(connection: pg.PoolClient, { deviceId, section }: SectionVersion) {
  if (section !== 'dayPlan') return
  await connection.query(
    `insert into day_plan_history (device_id, valid_from, day_plan)
     select device_id, reported_at, reported from device_setting
     where device_id = $1 and section = 'dayPlan' and reported is not null
     on conflict (device_id, valid_from) do nothing`,
    [deviceId],
  )
}

/** Confirms a section by a document, which holds exactly the desired settings that were not newer than it. */
async function confirmSettings(connection: pg.PoolClient, answer: SectionVersion): Promise<number> {
  const { rowCount } = await connection.query(
    `update device_setting set reported = desired, reported_at = clock_timestamp(), reported_version = $4,
       waiting_version = null
     where device_id = $1 and section = $2 and number = $3 and waiting_version <= $4`,
    keyOf(answer),
  )
  if ((rowCount ?? 0) > 0) {
    await noteOutcome(connection, answer, 'applied')
    await noteDayPlan(connection, answer)
  }
  return rowCount ?? 0
}

/**
 * Withdraws what the device has not answered, in the transaction that gives it to another customer. What it confirmed
 * before is desired again, in the new version of the move, because it may have applied the newer settings and must go
 * back.
 */
export async function endDesiredSettings(transaction: Tx, deviceId: DeviceId): Promise<void> {
  await sql`update device_setting s set desired = s.reported,
      waiting_version = case when s.reported is not null then v.version + 1 end
    from device_settings v
    where s.device_id = ${deviceId} and v.device_id = s.device_id and s.waiting_version is not null`.execute(
    transaction,
  )
  await sql`update device_settings set revision = revision + 1 where device_id = ${deviceId}`.execute(transaction)
  await replaceOpenOutcomes(transaction, deviceId)
}

/** Makes the reported settings desired again, as a new version, or a device that asks would get the refused ones. */
async function withdrawSettings(connection: pg.PoolClient, answer: SectionVersion, errors: readonly string[]) {
  const { rowCount } = await connection.query(
    `update device_setting set refused = desired, refused_at = clock_timestamp(), refused_errors = $5,
       desired = reported, waiting_version = null
     where device_id = $1 and section = $2 and number = $3 and waiting_version <= $4`,
    [...keyOf(answer), JSON.stringify(errors)],
  )
  await noteOutcome(connection, answer, 'refused', errors)
  if (rowCount === 0) return 0
  await connection.query('update device_settings set version = version + 1, updated_at = now() where device_id = $1', [
    answer.deviceId,
  ])
  return 1
}
