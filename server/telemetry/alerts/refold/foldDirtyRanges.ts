import { DEVICE_STATUS } from '#domain/devices/status.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { Queryable } from '#server/db/transaction.ts'
import { readAlertRule } from '../alertRules.ts'
import { RAISING_STATUS_IDS } from '../evaluate/readWatchedConditions.ts'
import { readUnusedFields, ruleBesideUnused } from '../unusedPorts.ts'
import { IS_ONLINE } from './changesThatEnd.ts'
import { refold } from './refold.ts'

export interface DirtyRange {
  readonly deviceId: DeviceId
  readonly conditionId: number
}

/** Reads the dirty ranges of these devices, or all that have waited this long because their process is gone. */
export async function readDirtyRanges(
  queryable: Queryable,
  devices: readonly DeviceId[] | { readonly olderThanMs: number },
): Promise<readonly DirtyRange[]> {
  const isOwn = Array.isArray(devices)
  const { rows } = await queryable.query<{ device_id: DeviceId; condition_id: number }>(
    isOwn
      ? 'select device_id, condition_id from alert_refold where device_id = any($1::integer[])'
      : `select device_id, condition_id from alert_refold
         where marked_at < now() - $1 * interval '1 millisecond' order by marked_at limit 100`,
    [isOwn ? devices : (devices as { olderThanMs: number }).olderThanMs],
  )
  return rows.map((row) => ({ deviceId: row.device_id, conditionId: row.condition_id }))
}

interface DeviceRow {
  readonly status_id: number
  readonly counts_from: Date
  readonly applies: boolean
  readonly is_online: boolean
}

/** Folds and removes a dirty range, in a transaction of its own. @returns whether any alert changed */
export async function foldDirtyRange(queryable: Queryable, marked: DirtyRange, now: Date): Promise<boolean> {
  const { deviceId, conditionId } = marked
  const key = [deviceId, conditionId]
  // The locks are taken in the order in which a batch takes them, so that the two cannot deadlock.
  await queryable.query('select from alert_condition where id = $1 for share', [conditionId])
  await queryable.query(
    `insert into alert_state (device_id, condition_id, revision, version, alert, is_suppressed)
     values ($1, $2, 0, 0, 0, false) on conflict do nothing`,
    key,
  )
  await queryable.query('select from alert_state where device_id = $1 and condition_id = $2 for update', key)
  const { rows: marks } = await queryable.query<{ from_at: Date; marks: number }>(
    'select from_at, marks from alert_refold where device_id = $1 and condition_id = $2 for update',
    key,
  )
  const mark = marks[0]
  if (mark === undefined) return false
  const whole = await readAlertRule(queryable, conditionId)
  const rule = whole && ruleBesideUnused(whole, await readUnusedFields(queryable, deviceId))
  const { rows: devices } = await queryable.query<DeviceRow>(
    `select d.status_id, greatest(d.alerts_from, c.effective_at) as counts_from, condition_applies(c, d) as applies,
       ${IS_ONLINE('d.id')} as is_online
     from device d join alert_condition c on c.id = $2
     where d.id = $1 and d.deleted_at is null`,
    key,
  )
  const device = devices[0]
  await queryable.query('delete from alert_refold where device_id = $1 and condition_id = $2 and marks = $3', [
    ...key,
    mark.marks,
  ])
  if (!rule || rule.fields.length === 0 || !device?.applies) return false
  if (!RAISING_STATUS_IDS.includes(device.status_id)) return false
  return refold(queryable, {
    deviceId,
    rule,
    fromAt: mark.from_at,
    countsFrom: device.counts_from,
    isMailed: device.status_id === DEVICE_STATUS.active,
    now,
    clockAt: device.is_online ? now : undefined,
  })
}
