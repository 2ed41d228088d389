import { createHash } from 'node:crypto'
import type { Db } from '#server/db/database.ts'
import { type Allowance, takeAllowance } from '#server/http/limits/allowance.store.ts'

/** The one use comes back only long after the attempt has expired. */
const ONE_USE: Allowance = { atOnce: 1, perHour: 1 }

/**
 * Stores used attempts only, for an hour, so that people who never come back leave nothing.
 *
 * @returns false when the attempt of this state was used before, at whichever process
 */
export async function takeAttempt(db: Db, state: string): Promise<boolean> {
  const subject = `provider-attempt:${createHash('sha256').update(state).digest('base64url')}`
  return (await takeAllowance(db, subject, ONE_USE)) === 0
}
