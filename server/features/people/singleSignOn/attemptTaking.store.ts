import { createHash } from 'node:crypto'
import type { Db } from '#server/db/database.ts'
import { type Allowance, takeAllowance } from '#server/http/limits/allowance.store.ts'

/** One, which comes back long after the attempt itself is over. */
const ONE_USE: Allowance = { atOnce: 1, perHour: 1 }

/** @returns false when the attempt of this state was used before, at whichever process */
export type TakeAttempt = (state: string) => Promise<boolean>

/** Only what was used is kept, and for an hour: whoever begins and never comes back leaves nothing. */
export const createAttemptTaking =
  (db: Db): TakeAttempt =>
  async (state) =>
    (await takeAllowance(db, `provider-attempt:${createHash('sha256').update(state).digest('base64url')}`, ONE_USE)) ===
    0
