import { entryErrors } from '#console/deviceParts/dayPlanLabels.ts'
import type { DayPlan } from '#domain/displays/dayPlan.ts'

/** An entry that is still being typed is left out, because it cannot be evaluated. */
export function readablePlan(plan: DayPlan): DayPlan {
  const withoutErrors = (key: keyof DayPlan) => plan[key].filter((_, index) => !entryErrors(plan[key]).has(index))
  return {
    workdays: withoutErrors('workdays'),
    weekends: withoutErrors('weekends'),
    holidays: withoutErrors('holidays'),
  }
}
