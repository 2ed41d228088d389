import type pg from 'pg'
import type { Cause, UnknownCommand } from '#domain/darkness/verdictNow.ts'
import { WRONG_KINDS, type WrongKind } from '#domain/darkness/wrongKinds.ts'
import { DEVICE_STATUS } from '#domain/devices/status.ts'
import type { DeviceGuid, DeviceId, DeviceModelId } from '#domain/ids.ts'
import { onlyRow } from '#server/db/queries/onlyRow.ts'
import { IS_WRONG, isOfKind } from '#server/fleet/wrongDevices.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { scopeValues, withinScope } from './withinScope.ts'

/** The customer, if there is one, is the only parameter. */
export async function countWrong(pool: pg.Pool, scope: Scope) {
  const active = pool.query<{ activeDevices: number }>(
    `select coalesce(sum(devices), 0)::int as "activeDevices" from fleet_count
     where status_id = ${DEVICE_STATUS.active} and ${withinScope(scope, 'customer_id')}`,
    scopeValues(scope),
  )
  const wrong = pool.query<Record<WrongKind | 'devices', number>>(
    `select ${WRONG_KINDS.map((kind) => `count(*) filter (where ${isOfKind(kind)})::int as "${kind}"`).join(', ')},
         count(*)::int as devices
       from device_now n where ${IS_WRONG} and ${withinScope(scope, 'n.customer_id')}`,
    scopeValues(scope),
  )
  const [counted, fleet] = await Promise.all([wrong, active])
  const { devices, ...counts } = onlyRow(counted)
  const { activeDevices } = onlyRow(fleet)
  return { counts, devices, activeDevices }
}

/** Reads a counter that grows with every changed verdict. */
export const readVerdictChanges = async (pool: pg.Pool): Promise<string> =>
  onlyRow(await pool.query<{ changes: string }>('select last_value::text as changes from verdict_change')).changes

export interface NamedDevice {
  readonly deviceId: DeviceId
  readonly deviceGuid: DeviceGuid
  readonly deviceModelId: DeviceModelId
  readonly deviceName: string
  readonly customerName: string
  readonly address: string
  readonly statusId: number
  readonly wrongKinds: number
  readonly cause: Cause | null
  readonly unknownCommand: UnknownCommand | null
  /** Set while a maintenance window of the device lasts. */
  readonly maintenanceReason: string | null
}

/** Reads what a row says of its devices; `deviceIds` are within the caller's scope. */
export async function nameDevices(
  pool: pg.Pool,
  scope: Scope,
  deviceIds: readonly DeviceId[],
): Promise<ReadonlyMap<DeviceId, NamedDevice>> {
  if (deviceIds.length === 0) return new Map()
  const values = scopeValues(scope)
  const { rows } = await pool.query<NamedDevice>(
    `select d.id as "deviceId", d.guid as "deviceGuid", d.model_id as "deviceModelId", d.name as "deviceName",
       c.name as "customerName", d.address, d.status_id as "statusId", coalesce(n.wrong_kinds, 0) as "wrongKinds",
       n.cause, n.unknown_command as "unknownCommand", maintained.reason as "maintenanceReason"
     from device d join customer c on c.id = d.customer_id left join device_now n on n.device_id = d.id
     left join (
       select distinct on (m.device_id) m.device_id, w.reason
       from device_maintenance m join maintenance_window w on w.id = m.window_id
       where m.device_id = any($${values.length + 1}::int[]) and m.from_at <= now() and m.to_at > now()
       order by m.device_id, m.to_at desc) maintained on maintained.device_id = d.id
     where d.id = any($${values.length + 1}::int[]) and ${withinScope(scope, 'd.customer_id')}`,
    [...values, deviceIds],
  )
  return new Map(rows.map((row) => [row.deviceId, row]))
}
