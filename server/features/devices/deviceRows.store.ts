import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Device } from '#contract/http/devices/devices.ts'
import type { Cause } from '#domain/darkness/verdictNow.ts'
import { worstOf } from '#domain/darkness/wrongKinds.ts'
import { REFUSED_FOR_MS } from '#domain/devices/refusedReports.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import type { Database } from '#server/db/schema.ts'
import { statementsOf } from '#server/db/statements.ts'
import { type TitleRow, titleColumns, titleOf } from '#server/fleet/alertTitles.ts'
import { existingDevices, isOnline } from '#server/fleet/existingDevices.store.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { isActiveNow } from '#server/telemetry/alerts/alertStates.ts'
import { readNewestReports } from '#server/telemetry/state/currentState.ts'

/** Whether an alert is Opened and Active (rules/states 8), in a statement that knows `alert`. */
export const ACTIVE_ALERT = sql.raw<SqlBool>(isActiveNow('alert'))

export const activeAlertsOf = (deviceId: string) => sql<number>`(
  select count(*)::int from alert where alert.device_id = ${sql.ref(deviceId)} and ${ACTIVE_ALERT})`

/** What names the worst active alert of a device. Those of the customer before are not told. */
export const WORST_ALERT = sql<(TitleRow & { readonly severity_id: number }) | null>`(
  select to_jsonb(worst) from (
    select alert.severity_id, ${sql.raw(titleColumns('alert'))} from alert
    where alert.device_id = ${sql.ref('device.id')} and alert.customer_id = ${sql.ref('device.customer_id')} and ${ACTIVE_ALERT}
    order by alert.severity_id, alert.created_at desc, alert.id desc limit 1) worst)`

/** The value that an alert was raised with would contradict the reading of now. */
export const toWorstAlert = (row: (TitleRow & { readonly severity_id: number }) | null): Device['worstAlert'] =>
  row && { title: titleOf({ ...row, value: null }), severityId: row.severity_id }

/** SQL: the refusals that a row of `device_refusal`, called `r`, describes still last. */
export const IS_REFUSED = sql.raw<SqlBool>(`r.last_at > now() - interval '${REFUSED_FOR_MS} milliseconds'`)

/** What the client of a device said of itself when it was updated. */
const SAID_VERSION = sql<{ device_id: DeviceId; version: string; said_at: Date }>`device_client`.as('said')

/** The columns of the contract's device, computed for the rows that are answered and for no others. */
export function withDeviceColumns(query: SelectQueryBuilder<Database, 'device', object>) {
  return query
    .innerJoin('customer', 'customer.id', 'device.customer_id')
    .leftJoin('device_now', 'device_now.device_id', 'device.id')
    .leftJoin('device_refusal as r', (join) => join.onRef('r.device_id', '=', 'device.id').on(IS_REFUSED))
    .leftJoin(SAID_VERSION, 'said.device_id', 'device.id')
    .select([
      'device.id',
      'device.guid',
      'device.name',
      'device.address',
      'device.status_id',
      'device.model_id',
      'device.customer_id',
      'customer.name as customer_name',
      'device.attr_serial',
      'device.latitude',
      'device.longitude',
      'device.description',
      'device.iot_device_id',
      'device.internal_ip',
      'device.external_ip',
      'device.time_zone',
      'device.time_zone_is_assumed',
      isOnline('device.id').as('is_online'),
      // Some seconds old at most (docs/decisions/0161 and 0165).
      sql<Date | null>`coalesce(device_now.newest_at, device_now.heard_at)`.as('last_event'),
      sql<number | null>`device_now.clock_error_ms::float8`.as('clock_error_ms'),
      'r.since as refused_since',
      'device_now.light',
      'device_now.light_since',
      'device_now.light_is_at_least',
      'device_now.cause',
      'device_now.is_on_battery',
      'device_now.wrong_kinds',
      'device_now.conflict_since',
      // The view of versions computes it in the same way (migration 0022).
      sql<string | null>`case when said.said_at > device_now.client_version_at then said.version
        else coalesce(device_now.client_version, said.version) end`.as('client_version'),
      'device_now.customer_id as counts_for',
      'device.tags',
      activeAlertsOf('device.id').as('active_alerts'),
      WORST_ALERT.as('worst_alert'),
    ])
}

type DeviceRow = Awaited<ReturnType<ReturnType<typeof withDeviceColumns>['execute']>>[number]

export function toDevice(row: DeviceRow): Device {
  return {
    id: row.id as DeviceId,
    guid: row.guid,
    name: row.name,
    address: row.address,
    statusId: row.status_id,
    connStatusId: row.is_online ? 1 : 0,
    lastEvent: row.last_event?.toISOString() ?? null,
    clockErrorMs: row.clock_error_ms || null,
    refusedSince: row.refused_since?.toISOString() ?? null,
    activeAlerts: row.active_alerts,
    worstAlert: toWorstAlert(row.worst_alert),
    modelId: row.model_id,
    customerId: row.customer_id,
    customerName: row.customer_name,
    attrSerial: row.attr_serial,
    latitude: row.latitude,
    longitude: row.longitude,
    description: row.description,
    iotDeviceId: row.iot_device_id,
    internalIp: row.internal_ip,
    externalIp: row.external_ip,
    timeZone: row.time_zone,
    timeZoneIsAssumed: row.time_zone_is_assumed,
    light: row.light,
    lightSince: row.light_since?.toISOString() ?? null,
    lightIsAtLeast: row.light_is_at_least ?? false,
    lightCause: (row.cause as Cause | null)?.sentence ?? null,
    isOnBattery: row.is_on_battery,
    clientVersion: row.client_version,
    identityConflictSince: row.conflict_since?.toISOString() ?? null,
    wrong: row.counts_for === null ? null : worstOf(row.wrong_kinds ?? 0),
    tags: row.tags,
  }
}

export const withIds = (db: Db, scope: Scope, ids: readonly DeviceId[]) =>
  db
    .selectFrom('device')
    .where((eb) => existingDevices(eb, scope))
    .where(sql<SqlBool>`device.id = any (${[...ids]}::integer[])`)

/** A device that is gone, or beyond the scope, has no row. */
export function inOrder<Row extends { readonly id: number }>(ids: readonly DeviceId[], rows: readonly Row[]): Row[] {
  const found = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => found.get(id) ?? [])
}

export const devicesIn = (db: Db, scope: Scope) =>
  withDeviceColumns(db.selectFrom('device').where((eb) => existingDevices(eb, scope)))

/** A device that is known to exist. */
export async function deviceIn(transaction: Tx, id: DeviceId): Promise<Device> {
  const device = devicesIn(transaction, { kind: 'everything' }).where('device.id', '=', id)
  return (await toDevicesNow(transaction, [await device.executeTakeFirstOrThrow()]))[0] as Device
}

/** Reads the newest reports of few devices; the columns about them are some seconds old. */
export async function toDevicesNow(db: Db, rows: readonly DeviceRow[]): Promise<Device[]> {
  return reportedNow(rows, await newestOf(db, idsOf(rows)))
}

/** Reads devices that may not exist, or not within the scope, with their newest reports. */
export async function readDevicesNow(db: Db, scope: Scope, ids: readonly DeviceId[]): Promise<Device[]> {
  if (ids.length === 0) return []
  const asked = withDeviceColumns(withIds(db, scope, ids)).execute()
  const [rows, newest] = await Promise.all([asked, newestOf(db, ids)])
  return reportedNow(inOrder(ids, rows), newest)
}

type Newest = Awaited<ReturnType<typeof readNewestReports>>

const idsOf = (rows: readonly DeviceRow[]) => rows.map(({ id }) => id as DeviceId)
const newestOf = (db: Db, ids: readonly DeviceId[]): Promise<Newest> => readNewestReports(statementsOf(db), ids)

const reportedNow = (rows: readonly DeviceRow[], newest: Newest): Device[] =>
  rows.map((row) => {
    const device = toDevice(row)
    return { ...device, lastEvent: newest.get(device.id)?.toISOString() ?? device.lastEvent }
  })
