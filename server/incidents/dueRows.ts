/** Notices wake the job of incident notices by this name. */
export const NOTICES_JOB = 'notices'

/**
 * Statement after which alerts are folded into incidents again, in the transaction that changes them. The parameters
 * are arrays as they stand in a statement.
 */
export const noteDueSql = (deviceIds: string, alertIds: string) =>
  `insert into incident_due (device_id, alert_id)
   select device_id, alert_id from unnest(${deviceIds}, ${alertIds}) as due (device_id, alert_id)`

/** Statement after which notices of incidents are decided again, in the transaction that changes them. */
export const noteToNotifySql = (incidentIds: string, now: string) =>
  `insert into notify_due (incident_id, due_at)
   select incident_id, ${now} from unnest(${incidentIds}) as told (incident_id) order by incident_id
   on conflict (incident_id) do update set due_at = least(notify_due.due_at, excluded.due_at)`
