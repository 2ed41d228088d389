import type { Span } from '#domain/darkness/minutes/darkMinutes.ts'
import { merged } from '#domain/darkness/minutes/lightDays.ts'
import { type AmbientCurve, backlightForLight } from '#domain/displays/ambientCurve.ts'
import { type LightPlan, plannedLightOfDay } from '#domain/displays/plannedLight.ts'
import type { Position } from '#domain/displays/sunTimes.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import { addDays, type LocalDate, wallClock } from '#domain/units/wallClock.ts'
import { type LightRuleSet, ruleSpansOfDay } from './ruleSet.ts'

/** The settings by which a device gives light. */
export interface DeviceLight extends LightPlan {
  readonly timeZone: string
  readonly position: Position | undefined
  readonly holidays: ReadonlySet<LocalDate>
  /** The curve while automatic backlight is on. */
  readonly curve: AmbientCurve | undefined
  /** The level that was set by hand; undefined while nobody knows it. */
  readonly levelPercent: number | undefined
}

/** A time in which a plan gives more light than a rule allows. */
export interface ConflictSpan extends Span {
  readonly date: LocalDate
  readonly allowedPercent: number
  /** The most light that the plan gives then; undefined where nobody set anything. */
  readonly plannedPercent: number | undefined
}

/** Two weeks show every kind of day and the holidays that are near. */
export const CONFLICT_DAYS = 14

/**
 * Finds where the settings of a device give more light than a rule set allows, from a date on. Where no plan decides,
 * the curve or the level does; where nothing is known of those, light is expected.
 */
export function planConflicts(
  set: LightRuleSet,
  light: DeviceLight,
  firstDate: LocalDate,
  days = CONFLICT_DAYS,
): readonly ConflictSpan[] {
  const found: { fromMs: number; toMs: number; date: LocalDate; allowedPercent: number; plannedPercent?: number }[] = []
  for (let index = 0; index < days; index++) {
    const date = addDays(firstDate, index)
    const spans = ruleSpansOfDay(set, date, light)
    if (spans.length === 0) continue
    for (const step of plannedLightOfDay(light, light, light.holidays, date)) {
      for (const { from, to, rule } of spans) {
        const fromMs = Math.max(from.getTime(), step.from.getTime())
        const toMs = Math.min(to.getTime(), step.to.getTime())
        if (fromMs >= toMs) continue
        const planned = step.backlightPercent ?? unplannedPercent(light, rule.belowLux)
        if (planned !== undefined && planned <= rule.levelPercent) continue
        const last = found.at(-1)
        const isSame = last?.allowedPercent === rule.levelPercent && last.plannedPercent === planned
        if (isSame && last.toMs === fromMs && last.date === date) last.toMs = toMs
        else {
          const one = { fromMs, toMs, date, allowedPercent: rule.levelPercent }
          found.push(planned === undefined ? one : { ...one, plannedPercent: planned })
        }
      }
    }
  }
  return found.map((one) => ({ ...one, plannedPercent: one.plannedPercent }))
}

/** Returns the most light without a plan: of the curve up to the light at which the rule ends, else the set level. */
function unplannedPercent({ curve, levelPercent }: DeviceLight, belowLux: number | null): number | undefined {
  if (curve === undefined) return levelPercent
  return belowLux === null ? curve.maxBacklight : Math.round(backlightForLight(curve, belowLux))
}

export const conflictMinutes = (spans: readonly Span[]): number =>
  Math.round(merged(spans).reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0) / MINUTE_MS)

/** Names the first time in words of the display's own clock: "Sat 28 Nov, 01:00–05:00". */
export function firstConflictText({ fromMs, toMs }: Span, timeZone: string): string {
  const [from, to] = [wallClock(new Date(fromMs), timeZone), wallClock(new Date(toMs), timeZone)]
  const isWhole = from.time === '00:00' && to.time === '00:00'
  return `${from.date}, ${isWhole ? 'all day' : `${from.time}–${to.time === '00:00' ? '24:00' : to.time}`}`
}
