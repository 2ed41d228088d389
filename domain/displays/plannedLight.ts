import type { LocalDate } from '#domain/units/wallClock.ts'
import { type DayPlan, type DayPlanStep, dayPlanStepAt, dayPlanSteps, type LightPlace } from './dayPlan.ts'
import { type OffSpan, type OffTimes, offSpanAt, offSpansOfDay } from './offTimes.ts'

/** The plans for the displays of a device; undefined if there is none of that kind. */
export interface LightPlan {
  readonly offTimes: OffTimes | undefined
  readonly dayPlan: DayPlan | undefined
}

/** Names the plan that decides the light. */
export type PlannedLight =
  | { readonly rule: 'offTimes'; readonly from: Date; readonly to: Date; readonly span: OffSpan }
  | { readonly rule: 'dayPlan'; readonly from: Date; readonly to: Date; readonly backlightPercent: number }
  /** The ambient curve decides without a plan if automatic backlight is on, else the level that was set. */
  | { readonly rule: 'none' }

/**
 * Defines the only order of precedence (decision 217): off times, then the day plan, then the ambient curve, then the
 * level that was set by hand. The agent, the preview and the diagnosis share it.
 */
export function plannedLightAt(
  { offTimes, dayPlan }: LightPlan,
  place: LightPlace,
  holidays: ReadonlySet<LocalDate>,
  at: Date,
): PlannedLight {
  const span = offTimes && offSpanAt(offTimes, holidays, at, place.timeZone)
  if (span) return { rule: 'offTimes', from: span.from, to: span.to, span }
  const step = dayPlan && dayPlanStepAt(dayPlan, place, holidays, at)
  return step ? ruleOfStep(step) : { rule: 'none' }
}

function ruleOfStep({ from, to, backlightPercent }: DayPlanStep): PlannedLight {
  return backlightPercent === null ? { rule: 'none' } : { rule: 'dayPlan', from, to, backlightPercent }
}

/** Whether darkness is planned. */
export const isPlannedDark = (planned: PlannedLight): boolean =>
  planned.rule === 'offTimes' || (planned.rule === 'dayPlan' && planned.backlightPercent === 0)

/** A part of a local day; percent is 0 in off times, and null if no plan applies. */
export interface LightStep {
  readonly from: Date
  readonly to: Date
  readonly rule: PlannedLight['rule']
  readonly backlightPercent: number | null
}

/** Applies the same rule to a whole local day, for the preview: the parts are consecutive. */
export function plannedLightOfDay(
  { offTimes, dayPlan }: LightPlan,
  place: LightPlace,
  holidays: ReadonlySet<LocalDate>,
  date: LocalDate,
): readonly LightStep[] {
  const day = offSpansOfDay(offTimes ?? NEVER_OFF, holidays, date, place.timeZone)
  const steps = dayPlan ? dayPlanSteps(dayPlan, place, holidays, date) : [{ ...day, backlightPercent: null }]
  const cuts = [...day.spans, ...steps].flatMap(({ from, to }) => [from.getTime(), to.getTime()])
  const moments = [...new Set(cuts)].sort((a, b) => a - b)
  const stretches: { from: Date; to: Date; rule: PlannedLight['rule']; backlightPercent: number | null }[] = []
  for (const [index, fromMs] of moments.slice(0, -1).entries()) {
    const [from, to] = [new Date(fromMs), new Date(moments[index + 1] ?? fromMs)]
    const level = steps.find((step) => from >= step.from && from < step.to)?.backlightPercent ?? null
    const isOff = day.spans.some((span) => from >= span.from && from < span.to)
    const rule = isOff ? 'offTimes' : level === null ? 'none' : 'dayPlan'
    const backlightPercent = isOff ? 0 : level
    const last = stretches.at(-1)
    if (last?.rule === rule && last.backlightPercent === backlightPercent) last.to = to
    else stretches.push({ from, to, rule, backlightPercent })
  }
  return stretches
}

const NEVER_OFF: OffTimes = {
  wdTimeOffFrom: null,
  wdTimeOffTo: null,
  wkndTimeOffFrom: null,
  wkndTimeOffTo: null,
  holTimeOffFrom: null,
  holTimeOffTo: null,
}
