import type { WindowTarget } from '#contract/http/alerting/maintenanceWindows.ts'
import { distinctTags, tagKey } from '#domain/devices/tags.ts'
import type { CustomerId, DeviceId } from '#domain/ids.ts'
import { isTimeZone } from '#domain/units/timeZones.ts'
import type { Db } from '#server/db/database.ts'
import { onlyRow } from '#server/db/queries/onlyRow.ts'
import { statementsOf } from '#server/db/statements.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { customerOf, isWithin } from '#server/http/call/scopeSql.ts'
import type { WindowTargetRow } from './windowRows.store.ts'

export interface FoundTarget extends WindowTargetRow {
  readonly name: string
  readonly timeZone: string | undefined
}

/** Finds the target of a window within the scope; undefined when there is none. */
export async function findTarget(db: Db | Tx, scope: Scope, target: WindowTarget): Promise<FoundTarget | undefined> {
  const none = { deviceId: null, deviceIds: null, tag: null, tagKey: null, timeZone: undefined }
  switch (target.kind) {
    case 'device': {
      const { rows } = await statementsOf(db).query<{ customer_id: CustomerId; name: string; time_zone: string }>(
        `select customer_id, name, time_zone from device
         where id = $1 and deleted_at is null and ($2::integer is null or customer_id = $2) for share`,
        [target.deviceId, customerOf(scope)],
      )
      const [device] = rows
      if (!device) return undefined
      const timeZone = isTimeZone(device.time_zone) ? device.time_zone : undefined
      const { customer_id: customerId, name } = device
      return { ...none, kind: 'device', customerId, deviceId: target.deviceId, name, timeZone }
    }
    case 'devices':
      return chosenDevices(db, scope, [...new Set(target.deviceIds)])
    case 'tag': {
      const customerId = target.customerId ?? customerOf(scope)
      const tag = distinctTags([target.tag])[0] ?? target.tag
      const name = await nameOf(db, scope, customerId)
      const words = name === undefined || name === '' ? tag : `${tag} (${name})`
      return name === undefined
        ? undefined
        : { ...none, kind: 'tag', customerId, tag, tagKey: tagKey(tag), name: words }
    }
    case 'customer': {
      const { customerId } = target
      const name = await nameOf(db, scope, customerId)
      return name === undefined ? undefined : { ...none, kind: 'customer', customerId, name }
    }
    case 'all':
      if (scope.kind !== 'everything') return undefined
      return { ...none, kind: 'all', customerId: null, name: 'All devices' }
  }
}

/** Finds all of the chosen devices, or undefined when the caller may not see one of them. */
async function chosenDevices(
  db: Db | Tx,
  scope: Scope,
  deviceIds: readonly DeviceId[],
): Promise<FoundTarget | undefined> {
  const { rows } = await statementsOf(db).query<{ customer_id: CustomerId; time_zone: string }>(
    `select customer_id, time_zone from device
     where id = any($1) and deleted_at is null and ($2::integer is null or customer_id = $2) for share`,
    [deviceIds, customerOf(scope)],
  )
  if (rows.length < deviceIds.length) return undefined
  const customerId = onlyOne(rows.map((row) => row.customer_id)) ?? null
  const timeZone = onlyOne(rows.map((row) => row.time_zone))
  return {
    kind: 'devices',
    ...{ customerId, deviceId: null, deviceIds, tag: null, tagKey: null },
    name: `${deviceIds.length} chosen devices`,
    timeZone: timeZone !== undefined && isTimeZone(timeZone) ? timeZone : undefined,
  }
}

function onlyOne<Value>(values: readonly Value[]): Value | undefined {
  const [first, ...others] = new Set(values)
  return others.length === 0 ? first : undefined
}

/** Finds the customer's name: empty for all customers, undefined for one that the caller may not see. */
async function nameOf(db: Db | Tx, scope: Scope, id: CustomerId | null): Promise<string | undefined> {
  if (id === null) return ''
  if (!isWithin(scope, id)) return undefined
  const { rows } = await statementsOf(db).query<{ name: string }>('select name from customer where id = $1', [id])
  return rows[0]?.name
}

/** Finds the devices that the target includes now: their number, and the first by name. */
export async function readDevicesOf(
  db: Db | Tx,
  { deviceId, deviceIds, customerId, tagKey: key }: WindowTargetRow,
  atMost: number,
): Promise<{ readonly count: number; readonly devices: { id: DeviceId; name: string }[] }> {
  const statements = statementsOf(db)
  const where = `d.deleted_at is null and ($1::integer is null or d.id = $1) and ($2::integer is null or d.customer_id = $2)
    and ($3::text is null or d.tag_keys @> array[$3]) and ($4::integer[] is null or d.id = any($4))`
  const values = [deviceId, customerId, key, deviceIds]
  const counted = await statements.query<{ count: number }>(
    `select count(*)::int as count from device d where ${where}`,
    values,
  )
  const { rows } = await statements.query<{ id: DeviceId; name: string }>(
    `select d.id, d.name from device d where ${where} order by d.name_order, d.id limit $5`,
    [...values, atMost],
  )
  return { count: onlyRow(counted).count, devices: rows }
}
