import type { Insertable } from 'kysely'
import { sql } from 'kysely'
import { DEVICE_STATUS } from '#domain/devices/status.ts'
import { tagKey } from '#domain/devices/tags.ts'
import type { CustomerId, DeviceGuid, DeviceId, UserId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import type { Database } from '#server/db/schema.ts'
import { componentRows } from '#server/features/devices/componentRows.store.ts'
import type { DemoDevice } from './demoDevices.ts'
import { DEMO_MANAGER } from './demoUsers.ts'
import { demoVisits } from './demoVisits.ts'

export interface SeededDevice {
  readonly id: DeviceId
  readonly guid: DeviceGuid
  readonly name: string
  readonly modelId: number
  readonly latitude: number | null
  readonly longitude: number | null
  readonly timeZone: string
  readonly components: readonly { readonly componentModelId: number; readonly number: number; readonly label: string }[]
  readonly keyHashes: readonly Buffer[]
}

export interface SeedStore {
  /** Finds the customer of this name, and makes it in that country when it is missing. */
  readonly ensureCustomer: (
    name: string,
    countryIso: string,
  ) => Promise<{ readonly id: CustomerId; readonly timeZone: string }>
  /** Adds devices that were never made; a deleted one stays deleted. */
  readonly addMissing: (
    devices: readonly DemoDevice[],
    customers: ReadonlyMap<string, { readonly id: CustomerId; readonly timeZone: string }>,
  ) => Promise<number>
  /** Reads those of these devices that exist, in their present form. */
  readonly present: (guids: readonly DeviceGuid[]) => Promise<readonly SeededDevice[]>
  readonly addKeys: (keys: readonly { readonly deviceId: DeviceId; readonly keyHash: Buffer }[]) => Promise<void>
}

const CHUNK = 500

export function createSeedStore(db: Db): SeedStore {
  return {
    ensureCustomer: async (name, countryIso) => {
      await sql`insert into customer (name, country_id)
        select ${name}, (select id from country where iso_code = ${countryIso})
        on conflict do nothing`.execute(db)
      const customer = await db
        .selectFrom('customer')
        .leftJoin('country', 'country.id', 'customer.country_id')
        .select(['customer.id', 'country.time_zone as timeZone'])
        .where(sql<string>`lower(customer.name)`, '=', sql<string>`lower(${name})`)
        .executeTakeFirstOrThrow()
      return { id: customer.id, timeZone: customer.timeZone ?? 'UTC' }
    },

    addMissing: async (devices, customers) => {
      let added = 0
      for (let from = 0; from < devices.length; from += CHUNK) {
        const chunk = devices.slice(from, from + CHUNK)
        added += await db.transaction().execute((transaction) => addChunk(transaction, chunk, customers))
      }
      return added
    },

    present: async (guids) => {
      const rows = await sql<SeededDevice>`
        select d.id, d.guid, d.name, d.model_id as "modelId", d.latitude, d.longitude, d.time_zone as "timeZone",
          coalesce((select jsonb_agg(jsonb_build_object('componentModelId', c.component_model_id, 'number', c.number,
            'label', c.label) order by c.id) from device_component c where c.device_id = d.id), '[]') as components,
          array(select k.key_hash from device_credential k where k.device_id = d.id) as "keyHashes"
        from device d where d.guid = any(${guids}::uuid[]) and d.deleted_at is null`.execute(db)
      return rows.rows
    },

    addKeys: async (keys) => {
      for (let from = 0; from < keys.length; from += CHUNK) {
        const rows = keys.slice(from, from + CHUNK).map(({ deviceId, keyHash }) => ({
          device_id: deviceId,
          key_hash: keyHash,
        }))
        await db.insertInto('device_credential').values(rows).execute()
      }
    },
  }
}

async function addChunk(
  db: Db,
  devices: readonly DemoDevice[],
  customers: ReadonlyMap<string, { readonly id: CustomerId; readonly timeZone: string }>,
): Promise<number> {
  const known = await knownGuids(db, devices)
  const rows = devices.flatMap((device): Insertable<Database['device']>[] => {
    const customer = customers.get(device.customerName)
    return customer && !known.has(device.guid) ? [toRow(device, customer)] : []
  })
  if (rows.length === 0) return 0
  const inserted = await db
    .insertInto('device')
    .values(rows)
    .onConflict((conflict) => conflict.column('guid').where('deleted_at', 'is', null).doNothing())
    .returning(['id', 'guid'])
    .execute()
  if (inserted.length === 0) return 0
  const idByGuid = new Map(inserted.map(({ id, guid }) => [guid, id]))
  const components = devices.flatMap((device) => {
    const id = idByGuid.get(device.guid)
    return id === undefined ? [] : componentRows(id, device.components)
  })
  if (components.length > 0) await db.insertInto('device_component').values(components).execute()
  await db
    .insertInto('device_settings')
    .values(inserted.map(({ id }) => ({ device_id: id })))
    .execute()
  await insertFeeds(db, devices, idByGuid)
  await insertPlans(db, devices, idByGuid)
  await insertVisits(db, devices, idByGuid)
  return inserted.length
}

async function insertFeeds(db: Db, devices: readonly DemoDevice[], ids: ReadonlyMap<DeviceGuid, DeviceId>) {
  const rows = devices.flatMap(({ guid, feeds }) => {
    const device_id = ids.get(guid)
    return device_id === undefined ? [] : Object.entries(feeds).map(([part, fed_by]) => ({ device_id, part, fed_by }))
  })
  if (rows.length > 0) await db.insertInto('device_feed').values(rows).execute()
}

async function insertVisits(db: Db, devices: readonly DemoDevice[], ids: ReadonlyMap<DeviceGuid, DeviceId>) {
  const now = new Date()
  const author = sql<UserId | null>`(select id from app_user where username = ${DEMO_MANAGER})`
  const rows = devices.flatMap(({ guid, seed, statusId }) => {
    const device_id = ids.get(guid)
    if (device_id === undefined) return []
    const visits = demoVisits(seed, now, statusId === DEVICE_STATUS.maintenance)
    return visits.map(({ startAt, endAt, reasonId, actionId, resolutionId, comment }) => ({
      ...{ device_id, start_at: startAt, end_at: endAt, component_id: null, alert_id: null },
      ...{ reason_id: reasonId, action_id: actionId, resolution_id: resolutionId, action_comment: comment },
      ...{ created_at: endAt ?? startAt, created_by: author, username: DEMO_MANAGER },
    }))
  })
  if (rows.length > 0) await db.insertInto('maintenance_entry').values(rows).execute()
}

/** The device confirms these desired settings when it connects first; its past was dark by them already. */
async function insertPlans(db: Db, devices: readonly DemoDevice[], ids: ReadonlyMap<DeviceGuid, DeviceId>) {
  for (const { guid, offTimes, dayPlan, dataBudget } of devices) {
    const id = ids.get(guid)
    if (id === undefined) continue
    const wish = (section: 'turnOff' | 'dayPlan' | 'dataBudget', text: string) =>
      sql`insert into device_setting (device_id, section, number, desired, desired_at, waiting_version)
        values (${id}, ${section}, 1, ${text}, now(), 1)`.execute(db)
    if (offTimes !== null) {
      const text = JSON.stringify(offTimes)
      await wish('turnOff', text)
      await sql`insert into off_times_history (device_id, valid_from, off_times)
        values (${id}, '-infinity', ${text})`.execute(db)
    }
    if (dataBudget !== null) await wish('dataBudget', JSON.stringify({ budget: dataBudget }))
    if (dayPlan !== null) {
      const text = JSON.stringify(dayPlan)
      await wish('dayPlan', text)
      await sql`insert into day_plan_history (device_id, valid_from, day_plan)
        values (${id}, '-infinity', ${text})`.execute(db)
    }
  }
}

/** Finds devices that were ever made, deleted or not. */
async function knownGuids(db: Db, devices: readonly DemoDevice[]): Promise<ReadonlySet<DeviceGuid>> {
  const guids = devices.map(({ guid }) => guid)
  const rows = await db.selectFrom('device').select('guid').where('guid', 'in', guids).execute()
  return new Set(rows.map(({ guid }) => guid))
}

function toRow(
  device: DemoDevice,
  customer: { readonly id: CustomerId; readonly timeZone: string },
): Insertable<Database['device']> {
  return {
    guid: device.guid,
    name: device.name,
    address: device.address,
    status_id: device.statusId,
    model_id: device.modelId,
    customer_id: customer.id,
    attr_serial: device.attrSerial,
    latitude: device.latitude,
    longitude: device.longitude,
    description: device.description,
    iot_device_id: device.guid,
    time_zone: customer.timeZone,
    time_zone_is_assumed: false,
    tags: [...device.tags],
    tag_keys: device.tags.map(tagKey),
  }
}
