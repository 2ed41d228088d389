import { sql } from 'kysely'
import { ALERT_RESOLUTIONS, MOVED_RESOLUTION_ID, nameOf } from '#domain/alerts/alertLabels.ts'
import type { AlertId, DeviceId } from '#domain/ids.ts'
import { endCommandsOf } from '#server/gateway/commands/commandRows.ts'
import { endDesiredSettings } from '#server/gateway/commands/settingRows.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { PEOPLE_CHANNEL } from '#server/people/peopleChange.store.ts'
import { type Closing, closeLocked, lockAlerts } from '#server/telemetry/alerts/closing.ts'

const MOVED: Closing = {
  resolutionId: MOVED_RESOLUTION_ID,
  comment: '',
  text: nameOf(ALERT_RESOLUTIONS, MOVED_RESOLUTION_ID),
}

/**
 * Ends what is under way for the customer of a device, in the transaction that moves it to another: open alerts,
 * running commands, unsettled settings, and with the commit the live streams of those who may not see it any more. The
 * device's history is not touched (docs/decisions/0117).
 */
export async function leaveCustomer(transaction: Tx, deviceId: DeviceId): Promise<void> {
  await closeAlerts(transaction, deviceId)
  await endCommandsOf(transaction, deviceId)
  await endDesiredSettings(transaction, deviceId)
  await sql`select pg_notify(${PEOPLE_CHANNEL}, '')`.execute(transaction)
}

/** Closes the open alerts, so that a condition that still holds is raised again for the next customer. */
async function closeAlerts(transaction: Tx, deviceId: DeviceId): Promise<void> {
  // The locks are taken in the order of a batch of readings, which avoids deadlocks; the last keeps new alerts out
  // until the commit.
  await sql`select from alert_condition
    where id in (select condition_id from alert_state where device_id = ${deviceId}) order by id for share`.execute(
    transaction,
  )
  await sql`select from alert_state where device_id = ${deviceId} order by condition_id for update`.execute(transaction)
  await sql`select lock_alert_counts(array[${deviceId}::integer], true)`.execute(transaction)
  const { rows } = await sql<{ id: AlertId }>`select id from alert
    where device_id = ${deviceId} and status_id = 1 and withdrawn_at is null`.execute(transaction)
  const alerts = await lockAlerts(
    transaction,
    rows.map(({ id }) => id),
  )
  if (alerts.length > 0) await closeLocked(transaction, alerts, MOVED)
  await sql`update alert_state set version = version + 1, alert = 0, open_alert_id = null, true_since = null,
    is_suppressed = false where device_id = ${deviceId}`.execute(transaction)
}
