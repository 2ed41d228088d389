import type { TimedReading } from '#domain/darkness/causes/darkCauses.ts'
import { READING_HOLDS_MS, type Span } from '#domain/darkness/minutes/darkMinutes.ts'
import { merged } from '#domain/darkness/minutes/lightDays.ts'
import { HOUR_MS } from '#domain/units/time.ts'

/** What a meter counted within a time, and in which parts of it. */
export interface Metered {
  readonly wattHours: number
  readonly spans: readonly Span[]
}

export const NOT_METERED: Metered = { wattHours: 0, spans: [] }

/** No device draws so much: a counter that grows faster was replaced or set. */
const MOST_WATTS = 20_000
/** A counter shows tenths of a kWh at worst, so a step of one is no leap. */
const LEAST_STEP_WATT_HOURS = 200
/** So long before a day its last reading is looked for. */
export const COUNTER_REACHES_MS = 6 * HOUR_MS

/**
 * Counts what a counter of kWh counted within a time, from readings in it and shortly before, oldest first. A gap between
 * two readings is what was counted in it; of one that reaches into the time, only the share of time within counts. After
 * a reset the new value was counted since. A leap counts for nothing, nor does the time in which it happened.
 */
export function counterWattHours(readings: readonly TimedReading<number>[], { fromMs, toMs }: Span): Metered {
  let wattHours = 0
  const spans: Span[] = []
  for (const [index, { atMs, value }] of readings.entries()) {
    const before = readings[index - 1]
    if (before === undefined || atMs <= fromMs || atMs > toMs || atMs <= before.atMs) continue
    const counted = 1000 * (value < before.value ? value : value - before.value)
    const most = LEAST_STEP_WATT_HOURS + (MOST_WATTS * (atMs - before.atMs)) / HOUR_MS
    if (counted < 0 || counted > most) continue
    const begin = Math.max(fromMs, before.atMs)
    wattHours += (counted * (atMs - begin)) / (atMs - before.atMs)
    spans.push({ fromMs: begin, toMs: atMs })
  }
  return { wattHours, spans: merged(spans) }
}

/** Integrates measured power; a reading holds until the next one, and no longer than for light. */
export function powerWattHours(readings: readonly TimedReading<number>[], { fromMs, toMs }: Span): Metered {
  let wattHours = 0
  const spans: Span[] = []
  for (const [index, { atMs, value }] of readings.entries()) {
    const next = readings[index + 1]?.atMs ?? Number.POSITIVE_INFINITY
    const span = { fromMs: Math.max(fromMs, atMs), toMs: Math.min(toMs, next, atMs + READING_HOLDS_MS) }
    if (span.fromMs >= span.toMs || value < 0 || value > MOST_WATTS) continue
    wattHours += (value * (span.toMs - span.fromMs)) / HOUR_MS
    spans.push(span)
  }
  return { wattHours, spans: merged(spans) }
}

/** Takes the counter where it counts at all within the time, else measured power. */
export function meterWattHours(
  { counter, power }: Readonly<Record<'counter' | 'power', readonly TimedReading<number>[]>>,
  time: Span,
): Metered {
  const counted = counterWattHours(counter, time)
  return counted.spans.length > 0 ? counted : powerWattHours(power, time)
}

/** Adds up the meters of a device, each of which measures a part of it. */
export const addMeters = (meters: readonly Metered[]): Metered => ({
  wattHours: meters.reduce((sum, { wattHours }) => sum + wattHours, 0),
  spans: merged(meters.flatMap(({ spans }) => spans)),
})

export const secondsOf = (spans: readonly Span[]): number =>
  spans.reduce((sum, { fromMs, toMs }) => sum + Math.floor(toMs / 1000) - Math.floor(fromMs / 1000), 0)
