/**
 * Statement after which alerts are folded into incidents anew; with the transaction that raises, ends, closes or withdraws
 * them. Parameters or arrays as they stand in a statement.
 */
export const noteDueSql = (deviceIds: string, alertIds: string) =>
  `insert into incident_due (device_id, alert_id)
   select device_id, alert_id from unnest(${deviceIds}, ${alertIds}) as due (device_id, alert_id)`
