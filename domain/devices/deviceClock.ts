import { formatDuration } from '../units/durations.ts'
import { MINUTE_MS, SECOND_MS } from '../units/time.ts'

/** Before this there was no device: a clock that says so was never set. */
const FIRST_YEAR_MS = Date.UTC(2015)

/** `2 h 0 min behind`, to the minute: how far a clock is ahead of another one. */
export function clockDistance(aheadMs: number): string {
  const minutes = Math.round(Math.abs(aheadMs) / MINUTE_MS)
  return `${formatDuration((minutes * MINUTE_MS) / SECOND_MS)} ${aheadMs > 0 ? 'ahead' : 'behind'}`
}

/** `2 h 0 min behind`, `20 d 3 h ahead`, `in 1970`: how a clock is wrong, behind "Its clock is". */
export function clockErrorText(aheadMs: number, now: Date): string {
  const saysMs = now.getTime() + aheadMs
  if (saysMs < FIRST_YEAR_MS) return `in ${new Date(saysMs).getUTCFullYear()}, so it was not set after power-on`
  return clockDistance(aheadMs)
}
