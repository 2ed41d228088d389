import { HOUR_MS } from '#domain/units/time.ts'
import type { Job } from '#server/jobs/JobRunner.ts'

/** An ended session shows for so long from which addresses its owner usually signs in. */
const ENDED_SESSIONS_KEPT_DAYS = 30
/** The maker of a token sees for so long that it has expired. */
const ENDED_TOKENS_KEPT_DAYS = 30
/** A delay after failed sign-ins is shorter than this, so older counts mean nothing. */
const FAILURES_KEPT_HOURS = 24
/** A cookie that was signed on the key's last day lasts less long. */
const BROWSER_KEYS_KEPT_DAYS = 150

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
