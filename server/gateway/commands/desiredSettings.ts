import { sql } from 'kysely'
import type { SettingsSection } from '#contract/mqtt/settings.ts'
import type { DeviceId, UserId } from '#domain/ids.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { keepOutcome } from './settingOutcomes.ts'

/** A whole section as a device is to have it, and who wants that. */
export interface DesiredSettings {
  readonly deviceId: DeviceId
  readonly section: SettingsSection
  readonly number: number
  readonly desired: Record<string, unknown>
  readonly userId: UserId
  readonly username: string
  /** A command carries the section as well. */
  readonly isSent: boolean
}

/**
 * Writes desired settings as the next version.
 *
 * @returns that version, and what was desired before
 */
export async function keepDesiredSettings(
  transaction: Tx,
  { deviceId, section, number, desired, userId, username, isSent }: DesiredSettings,
): Promise<{ readonly version: number; readonly before: Record<string, unknown> }> {
  const { version } = await transaction
    .insertInto('device_settings')
    .values({ device_id: deviceId, version: 2 })
    .onConflict((conflict) =>
      conflict.column('device_id').doUpdateSet((eb) => ({
        version: eb('device_settings.version', '+', 1),
        revision: eb('device_settings.revision', '+', 1),
        updated_at: sql<Date>`now()`,
      })),
    )
    .returning('version')
    .executeTakeFirstOrThrow()
  const before = await transaction
    .selectFrom('device_setting')
    .select('desired')
    .where('device_id', '=', deviceId)
    .where('section', '=', section)
    .where('number', '=', number)
    .executeTakeFirst()
  const values = {
    desired: JSON.stringify(desired),
    desired_at: sql<Date>`clock_timestamp()`,
    desired_by: username,
    desired_by_id: userId,
    waiting_version: version,
    refused: null,
    refused_at: null,
    refused_errors: null,
  }
  await transaction
    .insertInto('device_setting')
    .values({ device_id: deviceId, section, number, ...values })
    .onConflict((conflict) => conflict.columns(['device_id', 'section', 'number']).doUpdateSet(values))
    .execute()
  await keepOutcome(transaction, { deviceId, section, number, version }, isSent ? 'unanswered' : 'queued')
  return { version, before: (before?.desired as Record<string, unknown> | null | undefined) ?? {} }
}
