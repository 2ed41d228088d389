import { HOUR_MS, MINUTE_MS } from '#domain/units/time.ts'
import type { LightKind, Span } from './darkMinutes.ts'

/** The lowest and highest reading of each hour, from one hour on; NaN if there was none. */
export interface HourExtremes {
  readonly lowest: Readonly<ArrayLike<number>>
  readonly highest: Readonly<ArrayLike<number>>
}

export interface HourSpan<Kind> extends Span {
  readonly kind: Kind
  /** It holds in a part of each hour; which part is no longer known. */
  readonly isPartly: boolean
}

/** A display follows its off times with a delay, and the adjacent hour contains an earlier reading. */
const FOLLOWS_WITHIN_MS = 10 * MINUTE_MS

type Level = 'lit' | 'dark' | 'mixed'

/**
 * Returns the light if only hourly data is kept: it follows `lightSpans` as far as the lowest and the highest backlight
 * of an hour tell. An hour with partly planned darkness that was both lit and dark is as planned.
 *
 * @param firstHour since 1970, in UTC
 * @param plannedSpans separate, in order
 */
export function lightHours(
  firstHour: number,
  hourCount: number,
  plannedSpans: readonly Span[],
  displays: readonly (HourExtremes | undefined)[],
): readonly HourSpan<LightKind>[] {
  if (displays.length === 0) return []
  return joinedHours(firstHour, hourCount, (index) => {
    const fromMs = (firstHour + index) * HOUR_MS
    const levels = displays.map((extremes) => levelOf(extremes, index))
    return kindOfHour(plannedIn({ fromMs, toMs: fromMs + HOUR_MS }, plannedSpans), levels)
  })
}

/** Takes the measurement at a panel for each hour, and the display's own report if there was none. */
export function preferMeasured(
  measured: HourExtremes | undefined,
  reported: HourExtremes | undefined,
): HourExtremes | undefined {
  if (!measured || !reported) return measured ?? reported
  const isMeasured = (index: number) => !Number.isNaN(measured.highest[index] ?? Number.NaN)
  const either = (of: 'lowest' | 'highest') =>
    Array.from(reported[of], (value, index) => (isMeasured(index) ? (measured[of][index] ?? Number.NaN) : value))
  return { lowest: either('lowest'), highest: either('highest') }
}

/** Returns the hours without a voltage, by the same rule as `lightHours`. */
export const hoursWithout = (
  firstHour: number,
  hourCount: number,
  voltage: HourExtremes | undefined,
): readonly HourSpan<'gone'>[] =>
  joinedHours(firstHour, hourCount, (index) => {
    const level = levelOf(voltage, index)
    return level === 'dark' || level === 'mixed' ? { kind: 'gone', isPartly: level === 'mixed' } : undefined
  })

/** Returns the first hour with known values, since 1970. */
export function firstKnownHour(firstHour: number, series: readonly (HourExtremes | undefined)[]): number | undefined {
  const firsts = series.flatMap((extremes) => {
    const first = Array.from(extremes?.highest ?? []).findIndex((value) => !Number.isNaN(value))
    return first < 0 ? [] : [firstHour + first]
  })
  return firsts.length === 0 ? undefined : Math.min(...firsts)
}

function levelOf(extremes: HourExtremes | undefined, index: number): Level | undefined {
  const [lowest, highest] = [extremes?.lowest[index] ?? Number.NaN, extremes?.highest[index] ?? Number.NaN]
  if (Number.isNaN(lowest) || Number.isNaN(highest)) return undefined
  return lowest > 0 ? 'lit' : highest <= 0 ? 'dark' : 'mixed'
}

interface Planned {
  readonly of: 'none' | 'part' | 'all'
  /** Off times begin or end beside the hour. */
  readonly isAtEdge: boolean
}

function plannedIn({ fromMs, toMs }: Span, spans: readonly Span[]): Planned {
  const touching = spans.filter(
    (span) => span.fromMs <= toMs + FOLLOWS_WITHIN_MS && span.toMs >= fromMs - FOLLOWS_WITHIN_MS,
  )
  const isNear = (edgeMs: number) => edgeMs >= fromMs - FOLLOWS_WITHIN_MS && edgeMs <= toMs + FOLLOWS_WITHIN_MS
  const isAll = touching.some((span) => span.fromMs <= fromMs && span.toMs >= toMs)
  const isNone = touching.every((span) => span.fromMs >= toMs || span.toMs <= fromMs)
  return {
    of: isAll ? 'all' : isNone ? 'none' : 'part',
    isAtEdge: touching.some((span) => isNear(span.fromMs) || isNear(span.toMs)),
  }
}

/** Corresponds to `kindOf` for one second; undefined if there is nothing to show. */
function kindOfHour({ of, isAtEdge }: Planned, levels: readonly (Level | undefined)[]) {
  const has = (level: Level) => levels.includes(level)
  if (of === 'part') {
    if (has('dark')) return { kind: 'unplanned' as const, isPartly: true }
    if (has('lit')) return { kind: 'litInOffTime' as const, isPartly: true }
  } else {
    const [wrong, kind] = of === 'all' ? (['lit', 'litInOffTime'] as const) : (['dark', 'unplanned'] as const)
    if (has(wrong)) return { kind, isPartly: false }
    if (has('mixed') && !isAtEdge) return { kind, isPartly: true }
  }
  if (levels.includes(undefined)) return { kind: 'unknown' as const, isPartly: false }
  return { kind: of === 'none' ? ('lit' as const) : ('planned' as const), isPartly: false }
}

type Told<Kind> = { readonly kind: Kind; readonly isPartly: boolean } | undefined

function joinedHours<Kind>(firstHour: number, hourCount: number, tell: (index: number) => Told<Kind>) {
  const spans: (HourSpan<Kind> & { toMs: number })[] = []
  for (let index = 0; index < hourCount; index++) {
    const told = tell(index)
    if (!told) continue
    const fromMs = (firstHour + index) * HOUR_MS
    const last = spans.at(-1)
    if (last?.toMs === fromMs && last.kind === told.kind && last.isPartly === told.isPartly) last.toMs += HOUR_MS
    else spans.push({ ...told, fromMs, toMs: fromMs + HOUR_MS })
  }
  return spans
}
