import type { DesiredSection, SettingsSection } from '#contract/mqtt/settings.ts'
import type { SettingReading } from '#domain/displays/presentSettings.ts'
import type { Position } from '#domain/displays/sunTimes.ts'
import type { DeviceId, DeviceModelId } from '#domain/ids.ts'

export type Arguments = Record<string, unknown>

export interface SettingRow {
  readonly deviceId: DeviceId
  readonly section: SettingsSection
  readonly number: number
  readonly desired: Arguments | null
  readonly desiredAt: Date | null
  readonly desiredBy: string | null
  readonly reported: Arguments | null
  readonly reportedAt: Date | null
  /** The desired settings differ from what the device has confirmed. */
  readonly differs: boolean
  readonly refused: Arguments | null
  readonly refusedAt: Date | null
  readonly refusedErrors: readonly string[] | null
}

export type CompleteSection = DesiredSection & {
  readonly deviceId: DeviceId
  /** The settings including earlier ones that the command leaves out. */
  readonly desired: Arguments
}

export interface FittedComponent {
  readonly componentModelId: number
  readonly categoryId: number
  readonly number: number
  readonly als: number | null
}

/** What is known of a device, from its reports and its desired settings. */
export interface KnownDevice {
  readonly modelId: DeviceModelId
  /** Undefined when nobody has entered a position. */
  readonly position: Position | undefined
  /** Undefined while its client has reported nothing about itself. */
  readonly knowsDayPlans: boolean | undefined
  readonly knowsBatteryTests: boolean | undefined
  readonly knowsDataBudgets: boolean | undefined
  readonly components: readonly FittedComponent[]
  readonly rows: readonly SettingRow[]
  /** Readings by number of the display and name of the field. */
  readonly readings: ReadonlyMap<number, ReadonlyMap<string, SettingReading>>
}
