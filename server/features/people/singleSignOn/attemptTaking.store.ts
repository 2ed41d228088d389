import { createHash } from 'node:crypto'
import type { Db } from '#server/db/database.ts'
import { type Allowance, takeAllowance } from '#server/http/limits/allowance.store.ts'

/** The one use comes back only long after the attempt has expired. */
const ONE_USE: Allowance = { atOnce: 1, perHour: 1 }

/** @returns false when the attempt of this state was used before, at whichever process */
export type TakeAttempt = (state: string) => Promise<boolean>

/** Stores used attempts only, for an hour, so that people who never come back leave nothing. */
export const createAttemptTaking =
  (db: Db): TakeAttempt =>
  async (state) =>
    (await takeAllowance(db, `provider-attempt:${createHash('sha256').update(state).digest('base64url')}`, ONE_USE)) ===
    0
