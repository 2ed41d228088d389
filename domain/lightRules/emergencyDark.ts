import { type OffTimes, offSpanAt } from '#domain/displays/offTimes.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/units/time.ts'
import { wallClock } from '#domain/units/wallClock.ts'

/** Off times cannot say more than a day, and a longer darkness is a plan. */
export const LONGEST_EMERGENCY_HOURS = 24
/** Who starts an emergency types this. */
export const EMERGENCY_WORD = 'DARK'

const NO_HOLIDAYS: ReadonlySet<string> = new Set()

const sameTimes = (from: string, to: string): OffTimes => ({
  ...{ wdTimeOffFrom: from, wdTimeOffTo: to, wkndTimeOffFrom: from, wkndTimeOffTo: to },
  ...{ holTimeOffFrom: from, holTimeOffTo: to },
})

/** The whole day, every day. */
const ALWAYS_OFF = sameTimes('00:00', '00:00')

/**
 * Returns the off times that keep displays dark for the whole emergency and light again at its end, even when the
 * device has no network by then. Where clocks change in between and local times would end it early, all of the day is
 * off until the server restores what was.
 */
export function emergencyOffTimes(from: Date, until: Date, timeZone: string): OffTimes {
  const end = new Date(Math.ceil(until.getTime() / MINUTE_MS) * MINUTE_MS)
  if (end.getTime() - from.getTime() >= DAY_MS) return ALWAYS_OFF
  const times = sameTimes(wallClock(from, timeZone).time, wallClock(end, timeZone).time)
  return isDarkThroughout(times, from, end, timeZone) ? times : ALWAYS_OFF
}

function isDarkThroughout(times: OffTimes, from: Date, end: Date, timeZone: string): boolean {
  let at = from
  while (at < end) {
    const span = offSpanAt(times, NO_HOLIDAYS, at, timeZone)
    if (span === undefined) return false
    at = span.to
  }
  return true
}

/** Says why an emergency cannot last until then, or undefined. */
export function emergencyProblem(from: Date, until: Date): string | undefined {
  const ms = until.getTime() - from.getTime()
  if (ms < MINUTE_MS) return 'until: It is over already.'
  if (ms > LONGEST_EMERGENCY_HOURS * HOUR_MS) return `until: At most ${LONGEST_EMERGENCY_HOURS} hours from now.`
  return undefined
}

/** What is known of the light of one device in an emergency. */
export type DarkProof = 'dark' | 'lit' | 'unknown'

/** All displays must be seen dark; one that is lit decides, and one that says nothing leaves it open. */
export function darkProof(levels: readonly (number | undefined)[]): DarkProof {
  if (levels.some((percent) => percent !== undefined && percent > 0)) return 'lit'
  return levels.length === 0 || levels.includes(undefined) ? 'unknown' : 'dark'
}
