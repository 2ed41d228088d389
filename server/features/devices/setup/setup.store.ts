import { sql } from 'kysely'
import { CLIENT_EVENT_TYPE_ID, DISPLAY_EVENT_TYPE_ID } from '#domain/catalogue/eventTypes.ts'
import { hasClientFeature } from '#domain/devices/clientFeatures.ts'
import type { SettingReading } from '#domain/displays/presentSettings.ts'
import type { Position } from '#domain/displays/sunTimes.ts'
import type { DeviceId, DeviceModelId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import { statementsOf } from '#server/db/statements.ts'
import { existingDevices, isOnline } from '#server/fleet/existingDevices.store.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { isOfScope, shownAs } from '#server/http/call/history.store.ts'
import { type ComponentState, readComponentStates } from '#server/telemetry/state/currentState.ts'
import type { Arguments, KnownDevice, SettingRow } from './knownDevice.ts'

export interface SettledDevice {
  readonly id: DeviceId
  readonly name: string
  readonly statusId: number
  readonly modelId: DeviceModelId
  readonly tags: string[]
  readonly timeZone: string
  readonly latitude: number | null
  readonly longitude: number | null
  readonly isOnline: boolean
  readonly version: number
  readonly versionsUsedUpSince: Date | null
}

export const listSettledDevices = (db: Db, ids: readonly DeviceId[], scope: Scope): Promise<readonly SettledDevice[]> =>
  db
    .selectFrom('device')
    .leftJoin('device_settings', 'device_settings.device_id', 'device.id')
    .where((eb) => existingDevices(eb, scope))
    .where('device.id', 'in', [...ids])
    .select([
      'device.id',
      'name',
      'status_id as statusId',
      'model_id as modelId',
      'tags',
      'time_zone as timeZone',
      'latitude',
      'longitude',
      isOnline('device.id').as('isOnline'),
      sql<number>`coalesce(device_settings.version, 1)`.as('version'),
      'device_settings.versions_used_up_since as versionsUsedUpSince',
    ])
    .orderBy('name_order')
    .orderBy('device.id')
    .execute()

export const findSettledDevice = async (db: Db, id: DeviceId, scope: Scope): Promise<SettledDevice | undefined> =>
  (await listSettledDevices(db, [id], scope))[0]

/**
 * Reads the sections that somebody has set, by device, section and number. The caller has checked the devices.
 * Authors and refusals are shown only to the customer of that time.
 */
export const listSettings = async (
  db: Db,
  deviceIds: readonly DeviceId[],
  scope: Scope,
): Promise<readonly SettingRow[]> => (await settingsOf(db, deviceIds, scope).execute()).map(toRow)

/** Reads what is known of each of these devices. The caller has checked them. */
export async function readKnownDevices(
  db: Db | Tx,
  deviceIds: readonly DeviceId[],
  scope: Scope,
): Promise<ReadonlyMap<DeviceId, KnownDevice>> {
  const settings = await settingsOf(db, deviceIds, scope).execute()
  const fitted = await componentsOf(db, deviceIds).execute()
  const devices = await devicesOf(db, deviceIds).execute()
  const rows = Map.groupBy(settings.map(toRow), ({ deviceId }) => deviceId)
  const components = Map.groupBy(fitted, ({ deviceId }) => deviceId)
  const reported = await readReported(db, deviceIds)
  const nothing = { components: [], rows: [], readings: new Map() }
  const toldNothing = {
    knowsDayPlans: undefined,
    knowsBatteryTests: undefined,
    knowsDataBudgets: undefined,
    readings: nothing.readings,
  }
  return new Map(
    devices.map(({ id, modelId, ...place }) => [
      id,
      {
        modelId,
        components: components.get(id) ?? nothing.components,
        rows: rows.get(id) ?? nothing.rows,
        position: positionOf(place),
        ...(reported.get(id) ?? toldNothing),
      },
    ]),
  )
}

/** Queues settings that could not be sent at once, until the device connects. */
export async function queueSettings(db: Db, deviceId: DeviceId, version: number): Promise<void> {
  await db
    .updateTable('setting_outcome')
    .set({ outcome: 'queued' })
    .where('device_id', '=', deviceId)
    .where('version', '=', version)
    .where('outcome', '=', 'unanswered')
    .execute()
}

const settingsOf = (db: Db | Tx, deviceIds: readonly DeviceId[], scope: Scope) =>
  db
    .selectFrom('device_setting as s')
    .leftJoin('app_user as author', 'author.id', 's.desired_by_id')
    .selectAll('s')
    .select([
      sql<boolean>`desired is distinct from reported`.as('differs'),
      isOfScope(scope, 's.customer_id').as('isOwn'),
      shownAs(scope, 'author', sql`s.desired_by`).as('author'),
    ])
    .where('device_id', 'in', [...deviceIds])
    .orderBy('device_id')
    .orderBy('section')
    .orderBy('number')

function toRow(row: Awaited<ReturnType<ReturnType<typeof settingsOf>['execute']>>[number]): SettingRow {
  return {
    deviceId: row.device_id,
    section: row.section,
    number: row.number,
    desired: row.desired as Arguments | null,
    desiredAt: row.isOwn ? row.desired_at : null,
    desiredBy: row.isOwn && row.desired_by !== null ? row.author : null,
    reported: row.reported as Arguments | null,
    reportedAt: row.reported_at,
    differs: row.differs,
    refused: row.isOwn ? (row.refused as Arguments | null) : null,
    refusedAt: row.isOwn ? row.refused_at : null,
    refusedErrors: row.isOwn ? (row.refused_errors as string[] | null) : null,
  }
}

function componentsOf(db: Db | Tx, deviceIds: readonly DeviceId[]) {
  return db
    .selectFrom('device_component')
    .where('device_id', 'in', [...deviceIds])
    .select([
      'device_id as deviceId',
      'component_model_id as componentModelId',
      'category_id as categoryId',
      'number',
      'als',
    ])
}

const devicesOf = (db: Db | Tx, deviceIds: readonly DeviceId[]) =>
  db
    .selectFrom('device')
    .where('id', 'in', [...deviceIds])
    .select(['id', 'model_id as modelId', 'latitude', 'longitude'])

/** A position has both coordinates or is unknown. */
export const positionOf = ({
  latitude,
  longitude,
}: Pick<SettledDevice, 'latitude' | 'longitude'>): Position | undefined =>
  latitude === null || longitude === null ? undefined : { latitude, longitude }

/** Reads the newest readings of displays by device, number and field, and what clients report about themselves. */
async function readReported(db: Db | Tx, deviceIds: readonly DeviceId[]) {
  const states = await readComponentStates(statementsOf(db), { kind: 'everything' }, deviceIds, {
    eventTypeIds: [CLIENT_EVENT_TYPE_ID, DISPLAY_EVENT_TYPE_ID],
  })
  return new Map(
    [...states].map(([id, parts]) => [
      id,
      {
        readings: new Map(
          parts
            .filter(({ eventTypeId }) => eventTypeId === DISPLAY_EVENT_TYPE_ID)
            .map((one) => [one.number, readingsOf(one)]),
        ),
        ...featuresOf(parts.find(({ eventTypeId }) => eventTypeId === CLIENT_EVENT_TYPE_ID)),
      },
    ]),
  )
}

const readingsOf = ({ fields }: ComponentState): ReadonlyMap<string, SettingReading> =>
  new Map(Object.entries(fields).map(([name, [value, atMs]]) => [name, { value, at: new Date(atMs) }]))

function featuresOf(client: ComponentState | undefined) {
  const readings = client && readingsOf(client)
  const said = (name: string) => {
    const reading = readings?.get(name)
    return reading && { text: String(reading.value), at: reading.at }
  }
  const told = { version: said('client_version'), features: said('client_features') }
  return {
    knowsDayPlans: hasClientFeature('dayPlans', told),
    knowsBatteryTests: hasClientFeature('batteryTests', told),
    knowsDataBudgets: hasClientFeature('dataBudgets', told),
  }
}
