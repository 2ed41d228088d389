export const STEPS_MINUTES = [5, 10, 15, 30, 60] as const
export type StepMinutes = (typeof STEPS_MINUTES)[number]

/** The roll-ups contain hours, so this step is cheap over any period. */
export const COARSEST_STEP_MINUTES = 60 satisfies StepMinutes

const LONGEST_FINE_PERIOD_MS = 3 * 24 * 3_600_000
const ONLY_THE_COARSEST: readonly StepMinutes[] = [COARSEST_STEP_MINUTES]

/** Beyond three days a finer step than one hour draws more points than a chart has pixels (rules/analytics 5). */
export function allowedStepsMinutes(from: Date, to: Date): readonly StepMinutes[] {
  return to.getTime() - from.getTime() > LONGEST_FINE_PERIOD_MS ? ONLY_THE_COARSEST : STEPS_MINUTES
}

/** Returns how many buckets a period touches once it is widened to their borders; a moment touches one. */
export function bucketCount(from: Date, to: Date, stepMinutes: StepMinutes): number {
  const stepMs = stepMinutes * 60_000
  const first = Math.floor(from.getTime() / stepMs)
  return Math.max(1, Math.ceil(to.getTime() / stepMs) - first)
}
