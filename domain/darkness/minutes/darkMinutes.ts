import { OFFLINE_AFTER_MS } from '#domain/devices/presence.ts'

/**
 * The kinds of a device's minutes, the worst first (rules/states 11; decisions 91, 122 and 193). `litInOffTime` is
 * light that was not needed, `maintenance` anything during a maintenance window.
 */
export const LIGHT_KINDS = ['unplanned', 'litInOffTime', 'unknown', 'planned', 'maintenance', 'lit'] as const
export type LightKind = (typeof LIGHT_KINDS)[number]

/** Whole minutes of each kind, which add up to exactly the observed time. */
export type LightMinutes = Readonly<Record<LightKind, number>>

/** A display's reported backlight, or the light that was measured at its panel, in device time. */
export interface LevelReading {
  readonly atMs: number
  readonly percent: number
  readonly isMeasured?: boolean
}

/** A period whose end does not belong to it. */
export interface Span {
  readonly fromMs: number
  readonly toMs: number
}

/** The light of one display; `isDark` is unknown at times that no stretch covers. */
interface Stretch {
  readonly from: number
  to: number
  readonly isDark: boolean
}

/** A reading is valid until the next one, and no longer than until its device counts as offline. */
export const READING_HOLDS_MS = OFFLINE_AFTER_MS
const HOLDS_SECONDS = READING_HOLDS_MS / 1000
const SECONDS_PER_MINUTE = 60

export const NO_MINUTES: LightMinutes = ofEach(() => 0)

/** Counts whole minutes of periods. Their seconds are summed before they are rounded. */
export function minutesOfSpans(spans: readonly LightSpan[]): LightMinutes {
  const seconds: Record<LightKind, number> = { ...NO_MINUTES }
  for (const { kind, fromMs, toMs } of spans) seconds[kind] += (toMs - fromMs) / 1000
  return wholeMinutes(seconds)
}

export interface LightSpan extends Span {
  readonly kind: LightKind
}

/**
 * Returns all periods of a time in order, each of another kind than the one before, from the reports of the displays
 * within it and up to `READING_HOLDS_MS` before, in any order. A measurement at a panel takes precedence over the
 * display's own report while it is valid. Each second is as its worst display: dark, else unknown, else lit when light
 * was required; within the spans of planned darkness lit, else unknown, else dark as planned.
 *
 * @param maintenance separate periods in order, which take precedence over all else
 */
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

/** A display is right if it is dark exactly while that was planned. */
function kindOf(isPlanned: boolean, areDark: readonly (boolean | undefined)[]): LightKind {
  if (areDark.includes(!isPlanned)) return isPlanned ? 'litInOffTime' : 'unplanned'
  if (areDark.length === 0 || areDark.includes(undefined)) return 'unknown'
  return isPlanned ? 'planned' : 'lit'
}

/** The stretches that are known of one display: measured at its panel, and as it reported itself. */
export const lightOf = (readings: readonly LevelReading[]) => {
  const { measured = [], reported = [] } = Object.groupBy(readings, ({ isMeasured }) =>
    isMeasured ? 'measured' : 'reported',
  )
  return { measured: stretchesOf(measured), reported: stretchesOf(reported) }
}

/** Counts the whole minutes in which the light of every display was measured at its panel. */
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

/** Returns every second at which something may change, the first one included, in order. */
function bordersWithin(from: number, to: number, all: readonly Borders[]): readonly number[] {
  const borders = new Set([from])
  for (const one of all.flat()) {
    for (const second of [one.from, one.to]) if (second > from && second < to) borders.add(second)
  }
  return from < to ? [...borders].sort((a, b) => a - b) : []
}

/** Returns a function that finds the item covering a second, for seconds in rising order. */
export function follower<Item extends { readonly from: number; readonly to: number }>(items: readonly Item[]) {
  let index = 0
  return (second: number): Item | undefined => {
    while (index < items.length && (items[index]?.to ?? 0) <= second) index++
    const item = items[index]
    return item && item.from <= second ? item : undefined
  }
}

/** Rounds so that the sum stays: the kinds that lost most to rounding get a minute, the worse kind first. */
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
 * Returns the lit percentage of the known minutes in which light was required; undefined if nothing is known. Off times
 * require no light, whether it was there or not, and unknown minutes count neither way: their share is shown beside it.
 */
export function availabilityPercent({ lit, unplanned }: LightMinutes): number | undefined {
  return lit + unplanned > 0 ? (100 * lit) / (lit + unplanned) : undefined
}
