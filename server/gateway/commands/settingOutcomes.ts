import { sql } from 'kysely'
import type pg from 'pg'
import type { SettingOutcome } from '#contract/http/insight/auditLog.ts'
import type { SettingsSection } from '#contract/mqtt/settings.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { Tx } from '#server/http/call/audit.store.ts'

// The audit row of a settings change is written before the device answers, so the outcome is stored beside that row.

export interface SectionVersion {
  readonly deviceId: DeviceId
  readonly section: SettingsSection
  readonly number: number
  /** The settings version of the change, or the version that the device answers. */
  readonly version: number
}

/** Stores the outcome in the transaction of the change. The change replaces what the device has not answered. */
export async function keepOutcome(
  transaction: Tx,
  { deviceId, section, number, version }: SectionVersion,
  outcome: Extract<SettingOutcome, 'queued' | 'unanswered'>,
): Promise<void> {
  await sql`with replaced as (
      update setting_outcome set outcome = 'replaced'
      where device_id = ${deviceId} and section = ${section} and number = ${number} and outcome in ('queued', 'unanswered'))
    insert into setting_outcome (device_id, section, number, version, outcome)
    values (${deviceId}, ${section}, ${number}, ${version}, ${outcome})`.execute(transaction)
}

/** Stores an answer for the change of its version, and for older changes that still wait for one. */
export async function noteOutcome(
  connection: pg.PoolClient,
  { deviceId, section, number, version }: SectionVersion,
  outcome: Extract<SettingOutcome, 'applied' | 'refused'>,
  errors: readonly string[] = [],
): Promise<void> {
  await connection.query(
    `update setting_outcome set outcome = $5, errors = $6
     where device_id = $1 and section = $2 and number = $3
       and (version = $4 or version < $4 and outcome in ('queued', 'unanswered'))`,
    [deviceId, section, number, version, outcome, JSON.stringify(errors)],
  )
}

/** Marks every change that the device has not answered as replaced, because it is no longer wanted. */
export async function replaceOpenOutcomes(transaction: Tx, deviceId: DeviceId): Promise<void> {
  await sql`update setting_outcome set outcome = 'replaced'
    where device_id = ${deviceId} and outcome in ('queued', 'unanswered')`.execute(transaction)
}
