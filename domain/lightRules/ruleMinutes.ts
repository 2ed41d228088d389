import { type LevelReading, lightSpans, type Span } from '#domain/darkness/minutes/darkMinutes.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import type { RuleSpan } from './ruleSet.ts'

/** Whole minutes of a day in which a set asked for less light, and what came of them. */
export interface RuleMinutes {
  readonly due: number
  readonly kept: number
  /** There was more light than was allowed. */
  readonly broken: number
  readonly unknown: number
  readonly maintenance: number
  /** When there was too much light for the first time. */
  readonly brokenAtMs: number | undefined
}

/** The spans of a day that depend on the ambient light are judged by the settings alone. */
export const isProvable = ({ rule }: RuleSpan): boolean => rule.belowLux === null

/**
 * Counts what came of the spans of one day. Light that is over the level counts as lit, the rest as dark, so that the
 * same rules hold as for off times: one lit display breaks it, and what nobody reported is unknown. Minutes are cut from
 * seconds such that the parts add up.
 */
export function ruleMinutes(
  day: Span,
  spans: readonly RuleSpan[],
  displays: readonly (readonly LevelReading[])[],
  maintenance: readonly Span[],
): RuleMinutes {
  const ms = { planned: 0, litInOffTime: 0, unknown: 0, maintenance: 0, lit: 0, unplanned: 0 }
  let brokenAtMs: number | undefined
  for (const { fromMs, toMs, levelPercent } of strictest(day, spans)) {
    const overLevel = displays.map((levels) => levels.flatMap((level) => above(level, levelPercent)))
    for (const span of lightSpans({ fromMs, toMs }, [{ fromMs, toMs }], overLevel, maintenance)) {
      ms[span.kind] += span.toMs - span.fromMs
      if (span.kind === 'litInOffTime') brokenAtMs = Math.min(brokenAtMs ?? span.fromMs, span.fromMs)
    }
  }
  return { ...wholeParts(ms), brokenAtMs }
}

/** A light that was measured at the panel is no level of the backlight, so it only proves darkness. */
function above(level: LevelReading, levelPercent: number): readonly LevelReading[] {
  if (levelPercent === 0) return [level]
  return level.isMeasured ? [] : [{ ...level, percent: Math.max(0, level.percent - levelPercent) }]
}

/** Cuts the spans within a day into parts of one level, the strictest where several apply. */
function strictest({ fromMs, toMs }: Span, spans: readonly RuleSpan[]) {
  const cuts = [...new Set(spans.flatMap(({ from, to }) => [from.getTime(), to.getTime()]))]
    .map((ms) => Math.min(toMs, Math.max(fromMs, ms)))
    .sort((a, b) => a - b)
  return cuts.flatMap((cut, index) => {
    const end = cuts[index + 1]
    if (end === undefined || end <= cut) return []
    const levels = spans
      .filter(({ from, to }) => from.getTime() <= cut && to.getTime() >= end)
      .map(({ rule }) => rule.levelPercent)
    return levels.length === 0 ? [] : [{ fromMs: cut, toMs: end, levelPercent: Math.min(...levels) }]
  })
}

interface Parts {
  readonly planned: number
  readonly litInOffTime: number
  readonly unknown: number
  readonly maintenance: number
}

/** Broken minutes are rounded up and unknown ones before kept ones, so that nothing is kept that was not. */
function wholeParts({ planned, litInOffTime, unknown, maintenance }: Parts) {
  const due = Math.round((planned + litInOffTime + unknown + maintenance) / MINUTE_MS)
  const up = (value: number, left: number) => Math.min(left, Math.ceil(value / MINUTE_MS))
  const broken = up(litInOffTime, due)
  const unknownMinutes = up(unknown, due - broken)
  const maintained = up(maintenance, due - broken - unknownMinutes)
  return {
    due,
    broken,
    unknown: unknownMinutes,
    maintenance: maintained,
    kept: due - broken - unknownMinutes - maintained,
  }
}
