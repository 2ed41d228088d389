import { formatDuration } from '../units/durations.ts'
import { MINUTE_MS, SECOND_MS } from '../units/time.ts'

/** No device existed before this, so an earlier clock was never set. */
const FIRST_YEAR_MS = Date.UTC(2015)

/** Returns how far a clock is ahead of another one, to the minute: `2 h 0 min behind`. */
export function clockDistance(aheadMs: number): string {
  const minutes = Math.round(Math.abs(aheadMs) / MINUTE_MS)
  return `${formatDuration((minutes * MINUTE_MS) / SECOND_MS)} ${aheadMs > 0 ? 'ahead' : 'behind'}`
}

/** Returns how a clock is wrong, after "Its clock is": `2 h 0 min behind`, `20 d 3 h ahead`, `in 1970`. */
export function clockErrorText(aheadMs: number, now: Date): string {
  const saysMs = now.getTime() + aheadMs
  if (saysMs < FIRST_YEAR_MS) return `in ${new Date(saysMs).getUTCFullYear()}, so it was not set after power-on`
  return clockDistance(aheadMs)
}
