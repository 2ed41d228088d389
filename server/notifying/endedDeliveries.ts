import { HOUR_MS } from '#domain/units/time.ts'
import type { Job } from '#server/jobs/leader.ts'

const KEPT_DAYS = 90

/** What was delivered long ago, and links that are no use any more. */
export const endedDeliveriesJob: Job = {
  name: 'ended deliveries',
  everyMs: HOUR_MS,
  async run(owner, now) {
    await owner.query('delete from channel_delivery where at < $1::timestamptz - make_interval(days => $2)', [
      now,
      KEPT_DAYS,
    ])
    await owner.query('delete from acknowledge_link where expires_at < $1', [now])
  },
}
