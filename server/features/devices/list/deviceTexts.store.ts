import { type RawBuilder, sql } from 'kysely'
import type { Device } from '#contract/http/devices/devices.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import { onlyRow } from '#server/db/queries/onlyRow.ts'
import { deviceExists, isOnline } from '#server/fleet/existingDevices.store.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { ACTIVE_ALERT, activeAlertsOf, IS_REFUSED, toWorstAlert, WORST_ALERT, withIds } from '../deviceRows.store.ts'
import { WORST } from './pinHealth.store.ts'

const moment = (column: string) => momentText(sql.ref(column))
const momentText = (value: RawBuilder<unknown>) =>
  sql`to_char(${value} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`

/** Makes each field of the contract's device but the alert as `toDevice` of `deviceRows.store.ts` does. */
const FIELDS: Record<Exclude<keyof Device, 'worstAlert'>, RawBuilder<unknown>> = {
  id: sql`device.id`,
  guid: sql`device.guid`,
  name: sql`device.name`,
  address: sql`device.address`,
  statusId: sql`device.status_id`,
  connStatusId: sql`case when ${isOnline('device.id')} then 1 else 0 end`,
  lastEvent: momentText(sql`coalesce(n.newest_at, n.heard_at)`),
  clockErrorMs: sql`nullif(n.clock_error_ms, 0)`,
  refusedSince: moment('r.since'),
  activeAlerts: activeAlertsOf('device.id'),
  modelId: sql`device.model_id`,
  customerId: sql`device.customer_id`,
  customerName: sql`customer.name`,
  attrSerial: sql`device.attr_serial`,
  latitude: sql`device.latitude`,
  longitude: sql`device.longitude`,
  description: sql`device.description`,
  iotDeviceId: sql`device.iot_device_id`,
  internalIp: sql`device.internal_ip`,
  externalIp: sql`device.external_ip`,
  timeZone: sql`device.time_zone`,
  timeZoneIsAssumed: sql`device.time_zone_is_assumed`,
  light: sql`n.light`,
  lightSince: moment('n.light_since'),
  lightIsAtLeast: sql`coalesce(n.light_is_at_least, false)`,
  lightCause: sql`n.cause ->> 'sentence'`,
  isOnBattery: sql`n.is_on_battery`,
  identityConflictSince: moment('n.conflict_since'),
  wrong: WORST,
  clientVersion: sql`case when said.said_at > n.client_version_at then said.version
    else coalesce(n.client_version, said.version) end`,
  tags: sql`device.tags`,
}
const objectWith = (fields: Readonly<Record<string, RawBuilder<unknown>>>) =>
  sql`json_build_object(${sql.join(Object.entries(fields).map(([name, value]) => sql`${sql.lit(name)}, ${value}`))})`

/**
 * Writes these devices in this order as JSON texts with commas between, without those that left the scope. Objects for
 * a whole fleet would fill the server's memory.
 */
export async function deviceTexts(db: Db, scope: Scope, ids: readonly DeviceId[]): Promise<string> {
  const alerts = await worstAlerts(db, scope, ids)
  const object = objectWith({ ...FIELDS, worstAlert: sql`${JSON.stringify(alerts)}::jsonb -> device.id::text` })
  const written = sql<{ texts: string | null }>`
    select string_agg(${object}::text, ',' order by wanted.place) as texts
    from unnest(${ids}::int[]) with ordinality as wanted (id, place)
    join device on device.id = wanted.id and ${deviceExists(scope)}
    join customer on customer.id = device.customer_id
    left join device_now n on n.device_id = device.id
    left join device_refusal r on r.device_id = device.id and ${IS_REFUSED}
    left join device_client said on said.device_id = device.id`
  return onlyRow(await written.execute(db)).texts ?? ''
}

/** Few devices have an active alert, and only the domain knows what it is called. */
async function worstAlerts(db: Db, scope: Scope, ids: readonly DeviceId[]) {
  const rows = await withIds(db, scope, ids)
    .where((eb) => eb.exists(eb.selectFrom('alert').whereRef('alert.device_id', '=', 'device.id').where(ACTIVE_ALERT)))
    .select(['device.id', WORST_ALERT.as('worst')])
    .execute()
  return Object.fromEntries(rows.map(({ id, worst }) => [id, toWorstAlert(worst)]))
}
