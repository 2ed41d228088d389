import { HOUR_MS } from '#domain/units/time.ts'
import type { Job } from '#server/jobs/JobRunner.ts'

const KEPT_DAYS = 90

/** Deletes rows of mails that were sent or given up long ago. */
export const endedMailsJob: Job = {
  name: 'ended mails',
  everyMs: HOUR_MS,
  async run(owner, now) {
    for (const table of [
      'notification',
      'password_mail',
      'maintenance_mail',
      'sign_in_mail',
      'status_mail',
      'recipient_mail',
      'statement_mail',
    ]) {
      await owner.query(
        `delete from ${table} where coalesce(sent_at, given_up_at) < $1::timestamptz - make_interval(days => $2)`,
        [now, KEPT_DAYS],
      )
    }
    // An open alert may become part of another incident, and nobody is notified of it twice.
    await owner.query(
      `delete from alert_named n using alert_named old
       left join alert a on a.device_id = old.device_id and a.id = old.alert_id and a.status_id = 1
       where old.named_at < $1::timestamptz - make_interval(days => $2) and a.id is null and n.device_id = old.device_id
         and n.alert_id = old.alert_id and n.user_id = old.user_id`,
      [now, KEPT_DAYS],
    )
  },
}
