/** Returns the absolute difference in °C to one decimal (rules/overview 9); undefined is unknown. */
export function temperatureDifference(
  internalCelsius: number | null,
  intakeCelsius: number | null,
): number | undefined {
  if (internalCelsius === null || intakeCelsius === null) return undefined
  return Math.round(Math.abs(internalCelsius - intakeCelsius) * 10) / 10
}

const BAR_PERCENT_FOR_EACH_DEGREE = 5

/** Returns the width of its bar, which is full from 20 °C on (rules/overview 9). */
export function differenceBarPercent(difference: number): number {
  return Math.min(100, difference * BAR_PERCENT_FOR_EACH_DEGREE)
}
