import { HOUR_MS, MINUTE_MS } from '../units/time.ts'

const FIRST_RETRY_AFTER_MS = 30_000
const LONGEST_RETRY_AFTER_MS = 30 * MINUTE_MS

/** More single mails than this within the time make a digest of those that are still unsent. */
export const MOST_SINGLE_MAILS = 10
export const SINGLE_MAILS_WITHIN_MS = 5 * MINUTE_MS

/** Beyond it a recipient's mails wait for the hour to pass, and so become a digest. */
export const MOST_MAILS_PER_HOUR = 60
export const MAIL_HOUR_MS = HOUR_MS

/** Digests and summaries wait for what comes with a burst, and keep a distance from the last one of their kind. */
export const GATHERED_FOR_MS = { digest: 15_000, late: MINUTE_MS } as const
export const GATHERED_MAILS_APART_MS = 5 * MINUTE_MS

/** A network that goes away is known as one only when its devices have been found: nobody is mailed of the first alone. */
export const SILENCE_WAITS_MS = MINUTE_MS

/** What was found so long after it happened is told in one summary. */
export const FOUND_LATE_AFTER_MS = 15 * MINUTE_MS

/** What comes to an incident that somebody was told of is told together, so long after the last message about it. */
export const MORE_APART_MS = 10 * MINUTE_MS

/** A refusal for good may still be a mistake of the server's settings, but not three times. */
export const GIVEN_UP_AFTER_REFUSALS = 3
export const GIVEN_UP_AFTER_MS = 72 * HOUR_MS

/** How long after the n-th failure a mail is tried again: half a minute, doubled each time up to half an hour. */
export function retryAfterMs(failures: number): number {
  return Math.min(LONGEST_RETRY_AFTER_MS, FIRST_RETRY_AFTER_MS * 2 ** Math.min(16, Math.max(0, failures - 1)))
}
