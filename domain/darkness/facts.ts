import type { LocalDate } from '#domain/units/wallClock.ts'
import { showValue } from '../catalogue/displayRules.ts'
import { NUMBERED_FIELDS, type NumberedField } from '../catalogue/fieldId.ts'
import { OFFLINE_AFTER_MS, REPORT_PERIOD_MS } from '../devices/presence.ts'
import type { RefusedReports } from '../devices/refusedReports.ts'
import type { DayPlan } from '../displays/dayPlan.ts'
import type { OffTimes } from '../displays/offTimes.ts'
import { type PlannedLight, plannedLightAt } from '../displays/plannedLight.ts'
import type { Position } from '../displays/sunTimes.ts'
import type { DeviceModelId } from '../ids.ts'
import type { ChainComponent, PartKey } from './feedChain.ts'
import type { Span } from './minutes/darkMinutes.ts'

export interface Reading {
  readonly value: number | string
  readonly at: Date
}

export interface CommandFact {
  /** The name and the arguments are those of contract/mqtt/command.ts. */
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  readonly state: 'accepted' | 'sent' | 'done' | 'refused' | 'expired' | 'unknown'
  readonly sentAt: Date | undefined
  readonly endedAt: Date | undefined
  readonly words: string
}

/** A settings section that the device refused last, in its own words. */
export interface Refusal {
  readonly section: 'display' | 'ambientSensor' | 'turnOff' | 'dayPlan'
  readonly number: number
  readonly at: Date
  readonly words: string
}

export interface DarknessFacts {
  readonly modelId: DeviceModelId
  readonly components: readonly ChainComponent[]
  readonly isOnline: boolean
  /** Undefined while all of its reports are accepted. */
  readonly refused: RefusedReports | undefined
  /** Its clock is ahead of the server's by this much; undefined while it is right. */
  readonly clockErrorMs: number | undefined
  /** Readings by wire name (`d2_backlight_level`); those that were never reported are missing. */
  readonly readings: ReadonlyMap<string, Reading>
  /** The device has confirmed them; undefined if it never had any. */
  readonly offTimes: OffTimes | undefined
  readonly dayPlan: DayPlan | undefined
  /** The reason of the emergency dark that the confirmed off times are of. */
  readonly emergency?: string | undefined
  readonly holidays: ReadonlySet<LocalDate>
  readonly timeZone: string
  /** Undefined while nobody has entered it. */
  readonly position: Position | undefined
  /** The backlight in percent that the device has confirmed, by display number. */
  readonly setBacklights: ReadonlyMap<number, number>
  readonly refusals: readonly Refusal[]
  readonly commands: readonly CommandFact[]
  /** The outlet states within `OUTLET_HISTORY_MS`, by the wire name of their status, oldest first. */
  readonly outletHistory: ReadonlyMap<string, readonly Reading[]>
  /** Maintenance from the moment on for a day at least: separate periods, in order. */
  readonly maintenance: readonly Span[]
}

export const plannedThen = (
  { offTimes, dayPlan, timeZone, position, holidays }: DarknessFacts,
  at: Date,
): PlannedLight => plannedLightAt({ offTimes, dayPlan }, { timeZone, position }, holidays, at)

/** A reading is older than the offline limit after this time, and every outlet was reported once more before. */
export const OUTLET_HISTORY_MS = OFFLINE_AFTER_MS + 2 * REPORT_PERIOD_MS

export interface Evidence {
  readonly label: string
  /** The value as a tile writes it; a dash while unknown. */
  readonly text: string
  /** Null if it was never reported, or is no reading. */
  readonly at: Date | null
  /** It is older than the offline limit, or from before its power was switched off, so nothing follows from it. */
  readonly isStale: boolean
}

export interface Seen {
  readonly evidence: Evidence
  /** Undefined if it was never reported, or too long ago to say anything about the present. */
  readonly value: number | string | undefined
  readonly at: Date | undefined
  /** It is from before the power of the part that reported it was switched off. */
  readonly isBeforeCut?: boolean
}

export type Look = (wireName: string) => Seen

const fields = new Map<string, NumberedField>(NUMBERED_FIELDS.map((field) => [field.wireName, field]))

/**
 * Reads facts at a moment: stale and missing values may be shown, but never judged by.
 *
 * @param cutAt when the power of a part was last switched off; its earlier values are no evidence of the present
 */
export function lookAt(
  { readings, modelId }: DarknessFacts,
  now: Date,
  cutAt: (part: PartKey) => Date | undefined,
): Look {
  return (wireName) => {
    const field = fields.get(wireName)
    const reading = readings.get(wireName)
    const part = field && reporterOf(field)
    const cut = part === undefined ? undefined : cutAt(part)
    const isBeforeCut = reading !== undefined && cut !== undefined && reading.at <= cut
    const isOld = reading !== undefined && now.getTime() - reading.at.getTime() > OFFLINE_AFTER_MS
    const isStale = isOld || isBeforeCut
    const shown = field && showValue(field, reading?.value, modelId)
    const text = shown ? [shown.text, shown.unit].filter(Boolean).join(' ') : String(reading?.value ?? '')
    return {
      evidence: { label: field?.name ?? wireName, text, at: reading?.at ?? null, isStale },
      value: reading && !isStale && reading.value !== '' ? reading.value : undefined,
      at: reading?.at,
      isBeforeCut: isBeforeCut && !isOld,
    }
  }
}

/** Returns the part whose loss of power silences this field, for fields that verdicts use. */
function reporterOf({ type, number }: NumberedField): PartKey | undefined {
  if (type.topic === 'display') return `display/${number}`
  return type.topic === 'device' ? 'computer' : undefined
}
