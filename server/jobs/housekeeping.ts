import { dropOldPartitions, makePartitions } from '../db/partitions.ts'
import type { Job } from './leader.ts'

const HOUR_MS = 3_600_000
/** How long an ended session still shows from which addresses its owner usually comes. */
const ENDED_SESSIONS_KEPT_DAYS = 30
/** A delay after failed sign-ins is shorter than this, so older counts mean nothing. */
const FAILURES_KEPT_HOURS = 24

/** Day partitions ahead of time, days beyond retention away (design: Telemetry). */
export function partitionJob(retentionDays: number): Job {
  return {
    name: 'partitions',
    everyMs: HOUR_MS,
    async run(owner, now) {
      await makePartitions(owner, now, retentionDays)
      await dropOldPartitions(owner, now, retentionDays)
    },
  }
}

export const expiredRowsJob: Job = {
  name: 'expired rows',
  everyMs: HOUR_MS,
  async run(owner, now) {
    await owner.query(`delete from app_session where expires_at < $1::timestamptz - make_interval(days => $2)`, [
      now,
      ENDED_SESSIONS_KEPT_DAYS,
    ])
    await owner.query(
      `delete from sign_in_failure where last_failed_at < $1::timestamptz - make_interval(hours => $2)`,
      [now, FAILURES_KEPT_HOURS],
    )
  },
}
