import { type Compilable, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'
import type { Device } from '#contract/http/devices/devices.ts'
import type { Cause } from '#domain/darkness/verdictNow.ts'
import { worstOf } from '#domain/darkness/wrongKinds.ts'
import { REFUSED_FOR_MS } from '#domain/devices/refusedReports.ts'
import type { CustomerId, DeviceId } from '#domain/ids.ts'
import { compiledOnce } from '#server/db/compiledOnce.ts'
import type { Db } from '#server/db/database.ts'
import type { Database } from '#server/db/schema.ts'
import { statementsOf } from '#server/db/statements.ts'
import { existingDevices, isOnline } from '#server/fleet/existingDevices.store.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { isActiveNow } from '#server/telemetry/alerts/alertStates.ts'
import { readNewestReports } from '#server/telemetry/state/currentState.ts'

/** SQL for a statement that knows `alert`: it is Opened and Active (rules/states 8). */
export const ACTIVE_ALERT = sql.raw<SqlBool>(isActiveNow('alert'))

export const activeAlertsOf = (deviceId: string) => sql<number>`(
  select count(*)::int from alert where alert.device_id = ${sql.ref(deviceId)} and ${ACTIVE_ALERT})`

/** SQL: the refusals in a row `r` of `device_refusal` still last. */
export const IS_REFUSED = sql.raw<SqlBool>(`r.last_at > now() - interval '${REFUSED_FOR_MS} milliseconds'`)

/** The version that a device's client reported when it was updated. */
const SAID_VERSION = sql<{ device_id: DeviceId; version: string; said_at: Date }>`device_client`.as('said')

/** Selects the columns of the contract's device, computed only for the rows that are answered. */
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
      // The value is some seconds old at most (docs/decisions/0161 and 0165).
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
      // The view of versions decides the same way (migration 0022).
      sql<string | null>`case when said.said_at > device_now.client_version_at then said.version
        else coalesce(device_now.client_version, said.version) end`.as('client_version'),
      'device_now.customer_id as counts_for',
      'device.tags',
      activeAlertsOf('device.id').as('active_alerts'),
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

/** The statement's text does not depend on the ids. */
type ByIds = { readonly ids: readonly DeviceId[]; readonly customerId: CustomerId }

/**
 * Prepares reading devices by their ids within a scope, with one text for each kind of scope.
 * @param columns selects what is read
 */
export function byIdsOnce<Row extends { readonly id: number }>(
  columns: (query: SelectQueryBuilder<Database, 'device', object>) => Compilable<Row>,
) {
  const of = (db: Db, kind: Scope['kind']) =>
    compiledOnce<Row, ByIds>(['ids', 'customerId'], ({ ids, customerId }) =>
      columns(
        db
          .selectFrom('device')
          .where((eb) => existingDevices(eb, kind === 'everything' ? { kind } : { kind, customerId }))
          .where(sql<SqlBool>`device.id = any (${ids}::integer[])`),
      ).compile(),
    )
  const texts = new Map<Scope['kind'], ReturnType<typeof of>>()

  /** Reads in the order of the ids, without devices that are gone or beyond the scope. */
  return async (db: Db, scope: Scope, ids: readonly DeviceId[]): Promise<Row[]> => {
    if (ids.length === 0) return []
    const text = texts.get(scope.kind) ?? of(db, scope.kind)
    texts.set(scope.kind, text)
    const customerId = scope.kind === 'customer' ? scope.customerId : NOBODY
    const { rows } = await db.executeQuery(text({ ids: [...ids], customerId }))
    const found = new Map(rows.map((row) => [row.id, row]))
    return ids.flatMap((id) => found.get(id) ?? [])
  }
}

/** The statement for staff does not use this parameter. */
const NOBODY = 0 as CustomerId

const readDeviceRows = byIdsOnce(withDeviceColumns)

export const devicesIn = (db: Db, scope: Scope) =>
  withDeviceColumns(db.selectFrom('device').where((eb) => existingDevices(eb, scope)))

export async function deviceIn(transaction: Tx, id: DeviceId): Promise<Device> {
  const device = devicesIn(transaction, { kind: 'everything' }).where('device.id', '=', id)
  return (await toDevicesNow(transaction, [await device.executeTakeFirstOrThrow()]))[0] as Device
}

/** Adds the newest reports, since the columns are some seconds old. It is meant for few devices. */
export async function toDevicesNow(db: Db, rows: readonly DeviceRow[]): Promise<Device[]> {
  return reportedNow(rows, await newestOf(db, idsOf(rows)))
}

/** Reads devices with their newest reports; some may not exist, or not within the scope. */
export async function readDevicesNow(db: Db, scope: Scope, ids: readonly DeviceId[]): Promise<Device[]> {
  if (ids.length === 0) return []
  return reportedNow(...(await Promise.all([readDeviceRows(db, scope, ids), newestOf(db, ids)])))
}

type Newest = Awaited<ReturnType<typeof readNewestReports>>

const idsOf = (rows: readonly DeviceRow[]) => rows.map(({ id }) => id as DeviceId)
const newestOf = (db: Db, ids: readonly DeviceId[]): Promise<Newest> => readNewestReports(statementsOf(db), ids)

const reportedNow = (rows: readonly DeviceRow[], newest: Newest): Device[] =>
  rows.map((row) => {
    const device = toDevice(row)
    return { ...device, lastEvent: newest.get(device.id)?.toISOString() ?? device.lastEvent }
  })
