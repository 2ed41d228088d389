import { HOUR_MS } from '#domain/units/time.ts'
import type { Job } from '#server/jobs/leader.ts'

/** How long an ended session still shows from which addresses its owner usually comes. */
const ENDED_SESSIONS_KEPT_DAYS = 30
/** How long who made a token sees that it is over. */
const ENDED_TOKENS_KEPT_DAYS = 30
/** A delay after failed sign-ins is shorter than this, so older counts mean nothing. */
const FAILURES_KEPT_HOURS = 24
/** Longer than a cookie lasts that was signed by the key on its last day. */
const BROWSER_KEYS_KEPT_DAYS = 150

/** Sessions, API tokens, counted failures, keys and links that mean nothing any more. */
export const expiredSignInsJob: Job = {
  name: 'expired sign-ins',
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
    await owner.query('delete from password_link where expires_at < $1', [now])
    await owner.query(
      `delete from api_token where least(expires_at, revoked_at) < $1::timestamptz - make_interval(days => $2)`,
      [now, ENDED_TOKENS_KEPT_DAYS],
    )
  },
}
