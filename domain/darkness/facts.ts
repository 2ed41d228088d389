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
  /** Device time. */
  readonly at: Date
}

/** A power action or reset of the last day, as the device answered it. */
export interface CommandFact {
  /** As in contract/mqtt/command.ts. */
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
  readonly state: 'accepted' | 'sent' | 'done' | 'refused' | 'expired' | 'unknown'
  readonly sentAt: Date | undefined
  readonly endedAt: Date | undefined
  /** The device's own words. */
  readonly words: string
}

/** A settings section that the device refused last, in its own words. */
export interface Refusal {
  readonly section: 'display' | 'ambientSensor' | 'turnOff' | 'dayPlan'
  readonly number: number
  readonly at: Date
  readonly words: string
}

/** Everything that is known of one device at one moment. */
export interface DarknessFacts {
  readonly modelId: DeviceModelId
  readonly components: readonly ChainComponent[]
  readonly isOnline: boolean
  /** Undefined while all that it reports is taken. */
  readonly refused: RefusedReports | undefined
  /** How far its clock is ahead of the server's; undefined while nothing is wrong of it. */
  readonly clockErrorMs: number | undefined
  /** By wire name (`d2_backlight_level`); what was never reported is not here. */
  readonly readings: ReadonlyMap<string, Reading>
  /** What the device has confirmed; undefined: it was never given any. */
  readonly offTimes: OffTimes | undefined
  readonly dayPlan: DayPlan | undefined
  readonly holidays: ReadonlySet<LocalDate>
  /** IANA zone. */
  readonly timeZone: string
  /** Where it stands; undefined: nobody has said it. */
  readonly position: Position | undefined
  /** Backlight in percent that the device has confirmed, by display number. */
  readonly setBacklights: ReadonlyMap<number, number>
  readonly refusals: readonly Refusal[]
  /** Newest first. */
  readonly commands: readonly CommandFact[]
  /** What outlets said within `OUTLET_HISTORY_MS`, by the wire name of their status, oldest first. */
  readonly outletHistory: ReadonlyMap<string, readonly Reading[]>
  /** When it is under maintenance, from the moment on for a day at least: apart and in order. */
  readonly maintenance: readonly Span[]
}

/** What off times and day plan ask for at a moment. */
export const plannedThen = (
  { offTimes, dayPlan, timeZone, position, holidays }: DarknessFacts,
  at: Date,
): PlannedLight => plannedLightAt({ offTimes, dayPlan }, { timeZone, position }, holidays, at)

/** A reading is older than the offline limit by then, and every outlet was reported once more before that. */
export const OUTLET_HISTORY_MS = OFFLINE_AFTER_MS + 2 * REPORT_PERIOD_MS

/** What a link was judged by. */
export interface Evidence {
  readonly label: string
  /** As a tile writes it; a dash while unknown. */
  readonly text: string
  /** Null: never reported, or not a reading. */
  readonly at: Date | null
  /** Older than the offline limit, or from before its power was switched off: nothing follows from it. */
  readonly isStale: boolean
}

export interface Seen {
  readonly evidence: Evidence
  /** Undefined when it was never reported, or too long ago to say anything about now. */
  readonly value: number | string | undefined
  readonly at: Date | undefined
  /** It is from before the power of what reported it was switched off. */
  readonly isBeforeCut?: boolean
}

/** Reads one field by its wire name. */
export type Look = (wireName: string) => Seen

const fields = new Map<string, NumberedField>(NUMBERED_FIELDS.map((field) => [field.wireName, field]))

/**
 * Reads facts at a moment: stale and missing values are there to be shown, and never to be judged by.
 *
 * @param cutAt when the power of a part was last switched off; what it said up to then is no evidence of now
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

/** The part that falls silent with its power, of those that a verdict argues with. */
function reporterOf({ type, number }: NumberedField): PartKey | undefined {
  if (type.topic === 'display') return `display/${number}`
  return type.topic === 'device' ? 'computer' : undefined
}
