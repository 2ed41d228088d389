import type { ColumnType, Generated } from 'kysely'
import type { CommandState } from '#contract/http/devices/commands.ts'
import type { SettingOutcome } from '#contract/http/insight/auditLog.ts'
import type { CommandName } from '#contract/mqtt/command.ts'
import type { SettingsSection } from '#contract/mqtt/settings.ts'
import type { CustomerId, DeviceId, UserId } from '#domain/ids.ts'
import type { Json, Moment, OptionalMoment } from './columnTypes.ts'

/** What devices are told, and what became of it. */
export interface SettingTables {
  device_settings: {
    device_id: DeviceId
    version: Generated<number>
    updated_at: Moment
    revision: Generated<number>
    versions_used_up_since: OptionalMoment
    raised_since: OptionalMoment
    raised_times: Generated<number>
  }
  device_setting: {
    device_id: DeviceId
    section: SettingsSection
    number: number
    desired: Json
    desired_at: OptionalMoment
    desired_by: string | null
    desired_by_id: UserId | null
    customer_id: Generated<CustomerId>
    reported: Json
    reported_at: OptionalMoment
    reported_version: Generated<number>
    waiting_version: number | null
    refused: Json
    refused_at: OptionalMoment
    refused_errors: Json
  }
  setting_outcome: {
    device_id: DeviceId
    section: SettingsSection
    number: number
    kept_at: Generated<Date>
    version: number
    outcome: SettingOutcome
    errors: Json
  }
  device_feed: { device_id: DeviceId; part: string; fed_by: string }
  device_command: {
    id: Generated<string>
    device_id: DeviceId
    name: CommandName
    args: ColumnType<Record<string, unknown>, string, never>
    settings_version: number | null
    user_id: UserId | null
    username: string
    state: Generated<CommandState>
    accepted_at: Generated<Date>
    sent_at: Date | null
    ended_at: Date | null
    expires_at: ColumnType<Date, Date, never>
    text: Generated<string>
    errors: ColumnType<string[], string | undefined, string>
    customer_id: Generated<CustomerId>
  }
}
