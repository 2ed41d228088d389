import type { AnswerOf } from '#contract/call/call.ts'
import type { getDeviceState } from '#contract/http/devices/status.ts'
import type { StateEvent } from '#contract/http/live.ts'
import { eventTypeByTopic } from '#domain/catalogue/eventTypes.ts'
import { numberedFieldById } from '#domain/catalogue/fieldId.ts'

export interface Reading {
  readonly value: number | string
  /** The device time of the report that carried it, or of the newest report where only that is known. */
  readonly at: Date
}

/** The names are those of the flat status record (rules/display 17); a value never reported is absent. */
export type Readings = ReadonlyMap<string, Reading>

type DeviceState = AnswerOf<typeof getDeviceState>

export function readingsOf(state: DeviceState, live: Readings): Readings {
  const { device_dt: newest, ...values } = state
  if (newest === null) return live
  const at = new Date(newest)
  const readings = new Map<string, Reading>()
  for (const [name, value] of Object.entries(values)) if (value !== null) readings.set(name, { value, at })
  // The record does not say how old each of its values is, so a live value that is no older than the record wins, and
  // one that equals it has the better time.
  for (const [name, reading] of live) {
    const known = readings.get(name)
    if (!known || reading.at >= known.at || reading.value === known.value) readings.set(name, reading)
  }
  return readings
}

/** The order in which reports arrive never matters: an older reading does not replace a newer one. */
export function withLiveState(known: Readings, { values }: StateEvent): Readings {
  const next = new Map(known)
  for (const { field_id, field_value, value_dt } of values) {
    const name = numberedFieldById(field_id)?.wireName
    const at = new Date(value_dt)
    if (name !== undefined && !(at < (known.get(name)?.at ?? at))) next.set(name, { value: field_value, at })
  }
  return next
}

/** It builds names of the flat record: `wireName('display', 2, 'backlight_level')` is `d2_backlight_level`. */
export function wireName(topic: Parameters<typeof eventTypeByTopic>[0], number: number, field: string): string {
  return `${eventTypeByTopic(topic)?.prefixes[number - 1] ?? `${topic}${number}_`}${field}`
}

/** It returns undefined where the value is unknown. */
export function numberIn(readings: Readings, name: string): number | undefined {
  const value = Number(readings.get(name)?.value ?? Number.NaN)
  return Number.isFinite(value) ? value : undefined
}

/** It returns whether a state field has this number, or undefined while the value is unknown. */
export function isNumber(readings: Readings, name: string, number: number): boolean | undefined {
  const value = numberIn(readings, name)
  return value === undefined ? undefined : value === number
}
