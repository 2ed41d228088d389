import type pg from 'pg'
import { HOUR_MS } from '#domain/units/time.ts'
import { type Job, TOLD_EVERY_MS } from '#server/jobs/JobRunner.ts'
import { refreshRollups } from './rollups.ts'

const RETRY_MS = 3_000
/** A longer run would leave the database no time for others. */
const LONGEST_RUN_MS = 2_000
const REST_MS = 1_000

/** Keeps the hourly roll-ups up to date, and records the progress for `ETL_DB_INFO` (rules/overview 10). */
export const rollupJob: Job = {
  name: 'roll-ups',
  everyMs: TOLD_EVERY_MS,
  retryMs: RETRY_MS,
  async run(owner, now, stopped) {
    const endsAt = performance.now() + LONGEST_RUN_MS
    const isOver = () => stopped.aborted || performance.now() > endsAt
    try {
      const isDone = await refreshRollups(owner, { now, isOver })
      if (stopped.aborted) return undefined
      await owner.query(
        `update rollup_state set ran_at = $1, has_backlog = not $2, failure = null,
           refreshed_at = case when $2 then $1 else refreshed_at end`,
        [now, isDone],
      )
      // What waits belongs to the running hour and is due when that ends.
      return { againInMs: isDone ? HOUR_MS - (now.getTime() % HOUR_MS) : REST_MS }
    } catch (error) {
      await noteFailure(owner, now, error).catch(() => undefined)
      throw error
    }
  },
}

async function noteFailure(owner: pg.Client, now: Date, error: unknown): Promise<void> {
  await owner.query('update rollup_state set ran_at = $1, failure = $2', [now, String(error)])
}
