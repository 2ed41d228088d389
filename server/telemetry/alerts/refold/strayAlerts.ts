import { sql } from 'kysely'
import { ALERT_RESOLUTIONS, CONDITION_REMOVED_RESOLUTION_ID, nameOf } from '#domain/alerts/alertLabels.ts'
import type { DeviceId } from '#domain/ids.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import type { Db } from '#server/db/database.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { ringSql } from '#server/jobs/JobBells.ts'
import type { UnfencedJob } from '#server/jobs/JobRunner.ts'
import { type Closing, closeLocked, forgetStrayStates, lockAlerts, strayAlertIds } from '../closing.ts'
import { RULES_CHANNEL } from './AlertWatch.ts'

/** The system closes alerts with this when a condition is no longer judged on a device. */
export const CONDITION_REMOVED: Closing = {
  resolutionId: CONDITION_REMOVED_RESOLUTION_ID,
  comment: '',
  text: nameOf(ALERT_RESOLUTIONS, CONDITION_REMOVED_RESOLUTION_ID),
}

const CONDITIONS_AT_ONCE = 100
const STRAY_ALERTS_JOB = 'stray alerts'

/** The commit makes every process read the device's conditions again, and alerts of lost conditions are closed. */
export async function noteOtherConditions(transaction: Tx, deviceId: DeviceId): Promise<void> {
  await sql`select pg_notify(${RULES_CHANNEL}, ${String(deviceId)})`.execute(transaction)
  await sql.raw(ringSql(STRAY_ALERTS_JOB)).execute(transaction)
}

/**
 * Closes alerts whose condition is no longer judged on their device, because its model or tags changed, an override
 * ended, or a port was marked unused. Nothing would ever change these alerts again. Edits of conditions close their
 * alerts themselves.
 *
 * @param onAlerts is called with the devices whose alerts were closed
 */
export function strayAlertsJob(db: Db, onAlerts: (devices: ReadonlySet<DeviceId>) => void): UnfencedJob {
  return {
    name: STRAY_ALERTS_JOB,
    everyMs: MINUTE_MS,
    async runUnfenced(stopped) {
      const { rows } = await sql<{ id: number }>`
        select distinct c.id from alert_state s
        join alert_condition c on c.id = s.condition_id join device d on d.id = s.device_id
        where s.open_alert_id is not null and not condition_applies(c, d)
        -- How a port stood before it was marked must not count when it is used again.
        union select c.id from device_component dc join alert_state s on s.device_id = dc.device_id
        join alert_condition c on c.id = s.condition_id
        where dc.unused_ports <> '{}' and watches_unused_port(c, dc.device_id) limit ${CONDITIONS_AT_ONCE}`.execute(db)
      for (const { id } of rows) {
        if (stopped.aborted) return
        const alerts = await db.transaction().execute(async (transaction) => {
          const stray = await lockAlerts(transaction, await strayAlertIds(transaction, id))
          if (stray.length > 0) await closeLocked(transaction, stray, CONDITION_REMOVED)
          await forgetStrayStates(transaction, id)
          return stray
        })
        onAlerts(new Set(alerts.map(({ deviceId }) => deviceId)))
      }
    },
  }
}
