import type { TimedReading } from '#domain/darkness/causes/darkCauses.ts'
import { READING_HOLDS_MS, type Span } from '#domain/darkness/minutes/darkMinutes.ts'
import { HEAT_CELLS, heatCell } from '#domain/panels/heatBands.ts'
import { MINUTE_MS } from '#domain/units/time.ts'

/** Temperature and what decides the level change slowly, so they hold longer than light does (rules/panels 1). */
export const SLOW_HOLDS_MS = 15 * MINUTE_MS

/**
 * What decided the light of a display, in the order in which it is stored. `dark` is a display without light that
 * nothing had asked to be dark: no energy is saved by that.
 */
export const LIGHT_RULES = ['offTimes', 'dayPlan', 'ambient', 'byHand', 'dark'] as const
export type LightRule = (typeof LIGHT_RULES)[number]

/** The seconds for which the level of a display is known, of these lit, and the sum of percent and seconds. */
export interface LightSeconds {
  readonly known: number
  readonly lit: number
  readonly level: number
}

export const NO_LIGHT: LightSeconds = { known: 0, lit: 0, level: 0 }

export const addLight = (first: LightSeconds, second: LightSeconds): LightSeconds => ({
  known: first.known + second.known,
  lit: first.lit + second.lit,
  level: first.level + second.level,
})

/** What one display did on a local day, in seconds, and its hours of light by heat in minutes. */
export interface DisplayDay {
  readonly byRule: Readonly<Record<LightRule, LightSeconds>>
  /** The part of it in which no meter counted. */
  readonly unmetered: LightSeconds
  readonly unknownSeconds: number
  /** Minutes of light, as `heatBands.ts` orders them. */
  readonly heat: readonly number[]
}

/** Readings of one display in device time, oldest first. */
export interface DisplayReadings {
  readonly levels: readonly TimedReading<number>[]
  readonly automatic: readonly TimedReading<number>[]
  readonly temperatures: readonly TimedReading<number>[]
}

/** The times in which a plan decided. Off times come before the day plan. */
export interface PlannedLight {
  readonly offTimes: readonly Span[]
  readonly dayPlan: readonly Span[]
}

/** Counts a local day of a display. A reading holds until the next one. */
export function displayDay(
  day: Span,
  { levels, automatic, temperatures }: DisplayReadings,
  planned: PlannedLight,
  metered: readonly Span[],
): DisplayDay {
  const byRule: Record<LightRule, LightSeconds> = {
    ...{ offTimes: NO_LIGHT, dayPlan: NO_LIGHT, ambient: NO_LIGHT, byHand: NO_LIGHT, dark: NO_LIGHT },
  }
  let unmetered = NO_LIGHT
  let knownSeconds = 0
  const heatSeconds = new Array<number>(HEAT_CELLS).fill(0)
  const [automaticAt, temperatureAt] = [heldAt(automatic), heldAt(temperatures)]
  const [offAt, planAt, meteredAt] = [within(planned.offTimes), within(planned.dayPlan), within(metered)]
  const borders = [planned.offTimes, planned.dayPlan, metered].flat().flatMap(({ fromMs, toMs }) => [fromMs, toMs])
  const cuts = [...new Set(borders.map(inSeconds))].sort((a, b) => a - b)
  for (const { from, to, percent, atMs } of stretches(day, levels, cuts)) {
    const light = lightOf(to - from, percent)
    const rule = offAt(from) ? 'offTimes' : planAt(from) ? 'dayPlan' : unplannedRule(percent, automaticAt(atMs))
    byRule[rule] = addLight(byRule[rule], light)
    if (!meteredAt(from)) unmetered = addLight(unmetered, light)
    knownSeconds += light.known
    if (percent > 0) {
      const cell = heatCell(percent, temperatureAt(atMs))
      heatSeconds[cell] = (heatSeconds[cell] ?? 0) + light.known
    }
  }
  const unknownSeconds = inSeconds(day.toMs) - inSeconds(day.fromMs) - knownSeconds
  return { byRule, unmetered, unknownSeconds, heat: heatSeconds.map((seconds) => Math.round(seconds / 60)) }
}

const inSeconds = (ms: number) => Math.floor(ms / 1000)

function lightOf(seconds: number, percent: number): LightSeconds {
  const shown = Math.min(100, Math.max(0, percent))
  return { known: seconds, lit: shown > 0 ? seconds : 0, level: shown * seconds }
}

const unplannedRule = (percent: number, automatic: number | undefined): LightRule =>
  percent <= 0 ? 'dark' : automatic === 1 ? 'ambient' : 'byHand'

interface Stretch {
  readonly from: number
  readonly to: number
  readonly percent: number
  /** The time of its reading. */
  readonly atMs: number
}

/** Yields the known parts of a day in seconds and in order, cut where a plan or a meter begins or ends. */
function* stretches(day: Span, levels: DisplayReadings['levels'], cuts: readonly number[]): Generator<Stretch> {
  const [begin, end] = [inSeconds(day.fromMs), inSeconds(day.toMs)]
  let cut = 0
  for (const [index, { atMs, value }] of levels.entries()) {
    const next = levels[index + 1]?.atMs ?? Number.POSITIVE_INFINITY
    const to = Math.min(end, inSeconds(Math.min(next, atMs + READING_HOLDS_MS)))
    let from = Math.max(begin, inSeconds(atMs))
    while (from < to) {
      while (cut < cuts.length && (cuts[cut] as number) <= from) cut++
      const until = Math.min(to, cuts[cut] ?? to)
      yield { from, to: until, percent: value, atMs }
      from = until
    }
  }
}

/** Returns a function that finds the value that holds at a moment, for moments in rising order. */
function heldAt(readings: readonly TimedReading<number>[]) {
  let index = -1
  return (atMs: number): number | undefined => {
    while ((readings[index + 1]?.atMs ?? Number.POSITIVE_INFINITY) <= atMs) index++
    const reading = readings[index]
    return reading && reading.atMs + SLOW_HOLDS_MS > atMs ? reading.value : undefined
  }
}

/** Returns a function that says whether a span covers a second, for seconds in rising order and spans in order. */
function within(spans: readonly Span[]) {
  let index = 0
  return (second: number): boolean => {
    while (index < spans.length && inSeconds(spans[index]?.toMs ?? 0) <= second) index++
    const span = spans[index]
    return span !== undefined && inSeconds(span.fromMs) <= second
  }
}
