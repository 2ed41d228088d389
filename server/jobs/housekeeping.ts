import { dropOldPartitions, firstKeptDayMs, makePartitions } from '../db/partitions.ts'
import { refreshRollups } from '../telemetry/rollups.ts'
import type { Job } from './leader.ts'

const HOUR_MS = 3_600_000
/** How long an ended session still shows from which addresses its owner usually comes. */
const ENDED_SESSIONS_KEPT_DAYS = 30
/** A delay after failed sign-ins is shorter than this, so older counts mean nothing. */
const FAILURES_KEPT_HOURS = 24
/** Longer than a cookie lasts that was signed by the key on its last day. */
const BROWSER_KEYS_KEPT_DAYS = 150
const ENDED_NOTIFICATIONS_KEPT_DAYS = 90

/**
 * Day partitions ahead of time, days beyond retention away (design: Telemetry): not before their hours are rolled up,
 * and from then on no longer as a source of roll-ups.
 */
export function partitionJob(retentionDays: number): Job {
  return {
    name: 'partitions',
    everyMs: HOUR_MS,
    async run(owner, now, stopped) {
      await makePartitions(owner, now, retentionDays)
      const firstKept = new Date(firstKeptDayMs(now, retentionDays))
      const isRolledUp = await refreshRollups(owner, { now, before: firstKept, isOver: () => stopped.aborted })
      if (!isRolledUp) return
      await owner.query(
        `update rollup_state set complete_from = greatest(complete_from, ($1::timestamptz at time zone 'UTC')::date)`,
        [firstKept],
      )
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
    await owner.query(`delete from browser_key where made_at < $1::timestamptz - make_interval(days => $2)`, [
      now,
      BROWSER_KEYS_KEPT_DAYS,
    ])
    await owner.query('delete from allowance where whole_at < $1', [now])
    await owner.query(
      `delete from notification where coalesce(sent_at, given_up_at) < $1::timestamptz - make_interval(days => $2)`,
      [now, ENDED_NOTIFICATIONS_KEPT_DAYS],
    )
    await owner.query('delete from password_link where expires_at < $1', [now])
    await owner.query(
      `delete from password_mail where coalesce(sent_at, given_up_at) < $1::timestamptz - make_interval(days => $2)`,
      [now, ENDED_NOTIFICATIONS_KEPT_DAYS],
    )
  },
}
