import type { LocalDate } from '#domain/units/wallClock.ts'
import type { LightPlace } from './dayPlan.ts'
import { type LightPlan, plannedLightAt, plannedLightOfDay } from './plannedLight.ts'

/** What decides the backlight of one display while neither off times nor a day plan do. */
export interface LightWithoutPlan {
  readonly isAutomatic: boolean
  /** The level that was set by hand; null while it is unknown. */
  readonly backlightPercent: number | null
}

export interface ResultingLight {
  readonly rule: 'offTimes' | 'dayPlan' | 'ambientLight' | 'manualLevel'
  readonly isLit: boolean
  /** Null where it depends on the ambient light, or is unknown. */
  readonly backlightPercent: number | null
}

export interface ResultingStep extends ResultingLight {
  readonly from: Date
  readonly to: Date
}

/** A display whose level is unknown counts as lit, because off is what somebody has to ask for. */
function withoutPlan({ isAutomatic, backlightPercent }: LightWithoutPlan): ResultingLight {
  if (isAutomatic) return { rule: 'ambientLight', isLit: true, backlightPercent: null }
  return { rule: 'manualLevel', isLit: backlightPercent !== 0, backlightPercent }
}

const byPlan = (rule: 'offTimes' | 'dayPlan', backlightPercent: number): ResultingLight => ({
  rule,
  isLit: backlightPercent > 0,
  backlightPercent,
})

/** Returns what all rules together make of one display now, in the order of `plannedLightAt`. */
export function resultingLightAt(
  plan: LightPlan,
  otherwise: LightWithoutPlan,
  place: LightPlace,
  holidays: ReadonlySet<LocalDate>,
  at: Date,
): ResultingLight & { readonly until: Date | undefined } {
  const planned = plannedLightAt(plan, place, holidays, at)
  if (planned.rule === 'none') return { ...withoutPlan(otherwise), until: undefined }
  const percent = planned.rule === 'offTimes' ? 0 : planned.backlightPercent
  return { ...byPlan(planned.rule, percent), until: planned.to }
}

/** Returns the same for a whole local day: the parts are consecutive and cover all of it. */
export const resultingLightOfDay = (
  plan: LightPlan,
  otherwise: LightWithoutPlan,
  place: LightPlace,
  holidays: ReadonlySet<LocalDate>,
  date: LocalDate,
): readonly ResultingStep[] =>
  plannedLightOfDay(plan, place, holidays, date).map(({ from, to, rule, backlightPercent }) => ({
    from,
    to,
    ...(rule === 'none' ? withoutPlan(otherwise) : byPlan(rule, backlightPercent ?? 0)),
  }))
