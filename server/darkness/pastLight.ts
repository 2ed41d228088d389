import { type LevelReading, type LightSpan, lightSpans, type Span } from '#domain/darkness/minutes/darkMinutes.ts'
import { lightDay, localDates, merged, plannedSpans } from '#domain/darkness/minutes/lightDays.ts'
import { addDays } from '#domain/units/wallClock.ts'
import type { Queryable } from '#server/db/transaction.ts'
import { type DarkPlace, holidayReader } from './dayCounts.ts'

/** Finds when a device was planned to be dark, by confirmed off times. The spans are in order and do not overlap. */
export async function plannedWithin(
  queryable: Queryable,
  place: DarkPlace,
  { fromMs, toMs }: Span,
): Promise<readonly Span[]> {
  const dates = localDates(fromMs, toMs, place.timeZone)
  // The off times of the night before reach into the morning.
  const holidays = await holidayReader(queryable, addDays(dates[0] ?? '', -1), dates.at(-1) ?? '')(place.country)
  return merged(dates.flatMap((date) => plannedSpans(lightDay(date, place.timeZone), place, holidays)))
}

interface Reported {
  readonly planned: readonly Span[]
  readonly levels: ReadonlyMap<number, readonly LevelReading[]>
  readonly maintenance?: readonly Span[]
}

export const lightWithin = (place: DarkPlace, time: Span, { planned, levels, maintenance }: Reported) =>
  lightSpans(
    time,
    planned,
    place.displayNumbers.map((number) => levels.get(number) ?? []),
    maintenance,
  )

/**
 * Finds when a display would have been dark against plan for at least the wait. A stretch begins when the wait is over
 * and ends when light, planned darkness or maintenance is known. Unknown light does not end it.
 */
export function darkStretches(light: readonly LightSpan[], waitMs: number): { fromMs: number; toMs?: number }[] {
  const stretches: { fromMs: number; toMs?: number }[] = []
  for (const { kind, fromMs, toMs } of light) {
    const last = stretches.at(-1)
    const isOpen = last !== undefined && last.toMs === undefined
    if (kind === 'unplanned') {
      if (!isOpen && toMs - fromMs >= waitMs) stretches.push({ fromMs: fromMs + waitMs })
    } else if (isOpen && kind !== 'unknown') last.toMs = fromMs
  }
  return stretches
}
