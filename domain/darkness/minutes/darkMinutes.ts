import { OFFLINE_AFTER_MS } from '#domain/devices/presence.ts'

/**
 * What a minute of a device was, the worst first (rules/states 11; decisions 91, 122 and 193). `litInOffTime` is light
 * that was not owed, `maintenance` whatever happened in a window of it.
 */
export const LIGHT_KINDS = ['unplanned', 'litInOffTime', 'unknown', 'planned', 'maintenance', 'lit'] as const
export type LightKind = (typeof LIGHT_KINDS)[number]

/** Whole minutes of each kind; together they are exactly the time that was looked at. */
export type LightMinutes = Readonly<Record<LightKind, number>>

/** A backlight that a display reported, or the light that was measured at its panel, by the clock of its device. */
export interface LevelReading {
  readonly atMs: number
  readonly percent: number
  readonly isMeasured?: boolean
}

/** From a moment up to another, which does not belong to it. */
export interface Span {
  readonly fromMs: number
  readonly toMs: number
}

/** Light of one display; `isDark` of a time that no stretch covers is unknown. */
interface Stretch {
  readonly from: number
  to: number
  readonly isDark: boolean
}

/** A reading says what is so until the next one, and no longer than until its device counts as offline. */
export const READING_HOLDS_MS = OFFLINE_AFTER_MS
const HOLDS_SECONDS = READING_HOLDS_MS / 1000
const SECONDS_PER_MINUTE = 60

export const NO_MINUTES: LightMinutes = ofEach(() => 0)

/**
 * The minutes of a device in a time of whole minutes, from what its displays reported in it and up to
 * `READING_HOLDS_MS` before, in any order. What was measured at a panel goes over what its display reported of itself, as
 * long as it holds. Each second is as its worst display was: where light was owed dark, else unknown, else lit; within the
 * spans that were planned to be dark lit, else unknown, else dark as planned. Seconds are summed before they are rounded to
 * minutes.
 *
 * @param maintenance when it was under maintenance, in order and apart: that goes over all else
 */
export function darkMinutes(
  time: Span,
  plannedSpans: readonly Span[],
  displays: readonly (readonly LevelReading[])[],
  maintenance: readonly Span[] = [],
): LightMinutes {
  const seconds: Record<LightKind, number> = { ...NO_MINUTES }
  for (const { kind, fromMs, toMs } of lightSpans(time, plannedSpans, displays, maintenance))
    seconds[kind] += (toMs - fromMs) / 1000
  return wholeMinutes(seconds)
}

/** A stretch of time in which the light was of one kind. */
export interface LightSpan extends Span {
  readonly kind: LightKind
}

/** The same, second by second: every stretch of the time, in order, each of another kind than the one before. */
export function lightSpans(
  time: Span,
  plannedSpans: readonly Span[],
  displays: readonly (readonly LevelReading[])[],
  maintenance: readonly Span[] = [],
): readonly LightSpan[] {
  const [from, to] = [secondOf(time.fromMs), secondOf(time.toMs)]
  const planned = plannedSpans.map(inSeconds)
  const maintained = maintenance.map(inSeconds)
  const lights = displays.map(lightOf)
  const cuts = bordersWithin(from, to, [
    planned,
    maintained,
    ...lights.flatMap(({ measured, reported }) => [measured, reported]),
  ])
  const isPlanned = follower(planned)
  const isMaintained = follower(maintained)
  const lightAt = lights.map(({ measured, reported }) => {
    const [measuredAt, reportedAt] = [follower(measured), follower(reported)]
    return (second: number) => measuredAt(second) ?? reportedAt(second)
  })
  const spans: { kind: LightKind; fromMs: number; toMs: number }[] = []
  for (const [index, second] of cuts.entries()) {
    const toMs = (cuts[index + 1] ?? to) * 1000
    const light = kindOf(
      isPlanned(second) !== undefined,
      lightAt.map((look) => look(second)?.isDark),
    )
    const kind = isMaintained(second) ? 'maintenance' : light
    const last = spans.at(-1)
    if (last?.kind === kind) last.toMs = toMs
    else spans.push({ kind, fromMs: second * 1000, toMs })
  }
  return spans
}

const secondOf = (ms: number) => Math.floor(ms / 1000)
const inSeconds = ({ fromMs, toMs }: Span) => ({ from: secondOf(fromMs), to: secondOf(toMs) })

/** A display is as it should be when it is dark just while that was planned. */
function kindOf(isPlanned: boolean, areDark: readonly (boolean | undefined)[]): LightKind {
  if (areDark.includes(!isPlanned)) return isPlanned ? 'litInOffTime' : 'unplanned'
  if (areDark.length === 0 || areDark.includes(undefined)) return 'unknown'
  return isPlanned ? 'planned' : 'lit'
}

const lightOf = (readings: readonly LevelReading[]) => {
  const { measured = [], reported = [] } = Object.groupBy(readings, ({ isMeasured }) =>
    isMeasured ? 'measured' : 'reported',
  )
  return { measured: stretchesOf(measured), reported: stretchesOf(reported) }
}

/** Whole minutes of a time in which the light of every display was measured at its panel. */
export function measuredMinutes(time: Span, displays: readonly (readonly LevelReading[])[]): number {
  const [from, to] = [secondOf(time.fromMs), secondOf(time.toMs)]
  const measured = displays.map((readings) => lightOf(readings).measured)
  const cuts = bordersWithin(from, to, measured)
  const measuredAt = measured.map((stretches) => follower(stretches))
  let seconds = 0
  for (const [index, second] of cuts.entries()) {
    const areAll = measuredAt.map((look) => look(second) !== undefined)
    if (areAll.length > 0 && !areAll.includes(false)) seconds += (cuts[index + 1] ?? to) - second
  }
  return Math.floor(seconds / SECONDS_PER_MINUTE)
}

function stretchesOf(readings: readonly LevelReading[]): Stretch[] {
  const inOrder = readings.toSorted((a, b) => a.atMs - b.atMs)
  const stretches: Stretch[] = []
  for (const [index, { atMs, percent }] of inOrder.entries()) {
    const from = secondOf(atMs)
    const next = inOrder[index + 1]
    const to = Math.min(from + HOLDS_SECONDS, next ? secondOf(next.atMs) : Number.POSITIVE_INFINITY)
    const isDark = percent <= 0
    const last = stretches.at(-1)
    if (last?.to === from && last.isDark === isDark) last.to = to
    else if (to > from) stretches.push({ from, to, isDark })
  }
  return stretches
}

type Borders = readonly { readonly from: number; readonly to: number }[]

/** Every second at which something may change, the first one included, in order. */
function bordersWithin(from: number, to: number, all: readonly Borders[]): readonly number[] {
  const borders = new Set([from])
  for (const one of all.flat()) {
    for (const second of [one.from, one.to]) if (second > from && second < to) borders.add(second)
  }
  return from < to ? [...borders].sort((a, b) => a - b) : []
}

/** Finds what covers a second, for seconds that are asked in order. */
function follower<Item extends { readonly from: number; readonly to: number }>(items: readonly Item[]) {
  let index = 0
  return (second: number): Item | undefined => {
    while (index < items.length && (items[index]?.to ?? 0) <= second) index++
    const item = items[index]
    return item && item.from <= second ? item : undefined
  }
}

/** Rounded so that the sum stays what it is: whoever was cut by most gets a minute, the worse kind first. */
export function wholeMinutes(seconds: Readonly<Record<LightKind, number>>): LightMinutes {
  const minutes: Record<LightKind, number> = { ...NO_MINUTES }
  let left = 0
  for (const kind of LIGHT_KINDS) {
    minutes[kind] = Math.floor(seconds[kind] / SECONDS_PER_MINUTE)
    left += seconds[kind] - minutes[kind] * SECONDS_PER_MINUTE
  }
  const cutBy = (kind: LightKind) => seconds[kind] % SECONDS_PER_MINUTE
  const byCut = LIGHT_KINDS.toSorted((a, b) => cutBy(b) - cutBy(a))
  for (const kind of byCut.slice(0, Math.round(left / SECONDS_PER_MINUTE))) minutes[kind]++
  return minutes
}

export const addMinutes = (first: LightMinutes, second: LightMinutes): LightMinutes =>
  ofEach((kind) => first[kind] + second[kind])

export const sumOfMinutes = (minutes: LightMinutes): number => LIGHT_KINDS.reduce((sum, kind) => sum + minutes[kind], 0)

function ofEach(minutesOf: (kind: LightKind) => number): LightMinutes {
  return Object.fromEntries(LIGHT_KINDS.map((kind) => [kind, minutesOf(kind)])) as unknown as LightMinutes
}

/**
 * Percent of the known minutes in which light was owed that had it; undefined when nothing is known of any. Off times
 * owe no light, whether it was there or not, and what is unknown counts neither way: its share is told beside.
 */
export function availabilityPercent({ lit, unplanned }: LightMinutes): number | undefined {
  return lit + unplanned > 0 ? (100 * lit) / (lit + unplanned) : undefined
}
