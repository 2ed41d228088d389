import { HOUR_MS, MINUTE_MS } from '../units/time.ts'

const FIRST_RETRY_AFTER_MS = 30_000
const LONGEST_RETRY_AFTER_MS = 30 * MINUTE_MS

/** More single mails than this within the time turn the unsent ones into a digest. */
export const MOST_SINGLE_MAILS = 10
export const SINGLE_MAILS_WITHIN_MS = 5 * MINUTE_MS

/** A recipient's mails beyond this wait until the hour is over, and so become a digest. */
export const MOST_MAILS_PER_HOUR = 60
export const MAIL_HOUR_MS = HOUR_MS

/** Digests and summaries wait for the rest of a burst, and keep a distance from the last one of their kind. */
export const GATHERED_FOR_MS = { digest: 15_000, late: MINUTE_MS } as const
export const GATHERED_MAILS_APART_MS = 5 * MINUTE_MS

/** A lost network shows only when its devices are all found silent, so nobody is mailed about the first alone. */
export const SILENCE_WAITS_MS = MINUTE_MS

/** Events that were found this late are mailed in one summary. */
export const FOUND_LATE_AFTER_MS = 15 * MINUTE_MS

/** Additions to an incident that somebody was notified of are sent together, this long after its last message. */
export const MORE_APART_MS = 10 * MINUTE_MS

/** A permanent refusal may be a mistake in the server's settings, but not three times. */
export const GIVEN_UP_AFTER_REFUSALS = 3
export const GIVEN_UP_AFTER_MS = 72 * HOUR_MS

/** Returns when a mail is tried again after the n-th failure: half a minute, doubled each time up to half an hour. */
export function retryAfterMs(failures: number): number {
  return Math.min(LONGEST_RETRY_AFTER_MS, FIRST_RETRY_AFTER_MS * 2 ** Math.min(16, Math.max(0, failures - 1)))
}
