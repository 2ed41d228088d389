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
  /** Whether the device does not have, as far as it has said, what it is to have. */
  readonly differs: boolean
  readonly refused: Arguments | null
  readonly refusedAt: Date | null
  readonly refusedErrors: readonly string[] | null
}

/** What somebody wants of one section of one device, as its command carries it. */
export type CompleteSection = DesiredSection & {
  readonly deviceId: DeviceId
  /** With what the command leaves out and the device was to have before. */
  readonly desired: Arguments
}

export interface FittedComponent {
  readonly componentModelId: number
  readonly categoryId: number
  readonly number: number
  readonly als: number | null
}

/** What is known of one device, from what it reports and from what it was to have. */
export interface KnownDevice {
  readonly modelId: DeviceModelId
  /** Where it stands; undefined: nobody has said it. */
  readonly position: Position | undefined
  /** Undefined while its client has told nothing of itself. */
  readonly knowsDayPlans: boolean | undefined
  readonly knowsBatteryTests: boolean | undefined
  readonly knowsDataBudgets: boolean | undefined
  readonly components: readonly FittedComponent[]
  readonly rows: readonly SettingRow[]
  /** By number of the display and name of the field. */
  readonly readings: ReadonlyMap<number, ReadonlyMap<string, SettingReading>>
}
