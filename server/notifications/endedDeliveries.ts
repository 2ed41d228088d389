import { HOUR_MS } from '#domain/units/time.ts'
import { OF_ALL } from '#server/incidents/incidentRows.ts'
import type { Job } from '#server/jobs/JobRunner.ts'

const KEPT_DAYS = 90

/** Names the tables about incidents, each with the column of its time. */
const OF_INCIDENTS = {
  incident_notice: 'at',
  incident_message: 'wanted_at',
  incident_run: 'began_at',
  incident_reader: 'asked_at',
} as const

/** Deletes old deliveries, records of who was notified of incidents that ended long ago, and expired links. */
export const endedDeliveriesJob: Job = {
  name: 'ended deliveries',
  everyMs: HOUR_MS,
  async run(owner, now) {
    await owner.query('delete from channel_delivery where at < $1::timestamptz - make_interval(days => $2)', [
      now,
      KEPT_DAYS,
    ])
    for (const [table, at] of Object.entries(OF_INCIDENTS))
      await owner.query(
        `delete from ${table} t where t.${at} < $1::timestamptz - make_interval(days => $2) and not exists (
           select from incident_share s where s.incident_id = t.incident_id and s.customer_id = ${OF_ALL}
             and (s.over_at is null or s.over_at >= $1::timestamptz - make_interval(days => $2)))`,
        [now, KEPT_DAYS],
      )
    await owner.query('delete from channel_inbound where at < $1::timestamptz - make_interval(days => $2)', [
      now,
      KEPT_DAYS,
    ])
    await owner.query('delete from acknowledge_link where expires_at < $1', [now])
  },
}
