const tens = (decade: number) => Array.from({ length: 9 }, (_, index) => (index + 2) * decade)

/**
 * The steps of the ambient light scale in lux (rules/setup 7), 0 up to 100000: tens up to 100, hundreds up to 1000, and
 * so on, because the eye distinguishes 20 from 30 lux as easily as 20,000 from 30,000. The index is the position of a
 * slider.
 */
export const LUX_STEPS: readonly number[] = [0, 10, ...tens(10), ...tens(100), ...tens(1000), ...tens(10_000)]

export const LAST_LUX_POSITION = LUX_STEPS.length - 1

/** Returns lux at a position of the scale, 0 up to `LAST_LUX_POSITION`; linear between two steps, constant beyond. */
export function luxAtPosition(position: number): number {
  const within = Math.min(LAST_LUX_POSITION, Math.max(0, position))
  const index = Math.floor(within)
  const below = LUX_STEPS[index] ?? 0
  const above = LUX_STEPS[index + 1] ?? below
  return below + (above - below) * (within - index)
}

/** The inverse of `luxAtPosition` returns a whole position on a step, a fraction between two. */
export function positionOfLux(lux: number): number {
  const index = LUX_STEPS.findLastIndex((step) => step <= lux)
  if (index < 0) return 0
  const below = LUX_STEPS[index] ?? 0
  const above = LUX_STEPS[index + 1]
  return above === undefined ? LAST_LUX_POSITION : index + (lux - below) / (above - below)
}
