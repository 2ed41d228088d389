import { sql } from 'kysely'
import type { AlertId, CustomerId, DeviceGuid, DeviceId, UserId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import { lockDevice } from '#server/fleet/existingDevices.store.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { deviceThen, isOfScope, shownAs } from '#server/http/call/history.store.ts'

export interface MaintenanceRecord {
  readonly startAt: Date
  readonly endAt: Date | null
  readonly componentId: number | null
  readonly reasonId: number | null
  readonly actionId: number | null
  readonly resolutionId: number | null
  readonly alertId: AlertId | null
  readonly actionComment: string
}

export interface SavedMaintenance extends MaintenanceRecord {
  readonly id: number
  readonly deviceId: DeviceId
  /** The component's name at the time when it was chosen. */
  readonly componentName: string
  /** It is empty when late readings have withdrawn the alert. */
  readonly alertText: string
  /** Authors outside the scope appear as "Staff". */
  readonly username: string
}

export interface MaintenanceElsewhere extends SavedMaintenance {
  readonly deviceGuid: DeviceGuid
  readonly deviceName: string
}

/** An entry with the name and customer of its device when it was written; the device may have moved since. */
export interface FoundMaintenance extends SavedMaintenance {
  readonly deviceName: string
  readonly customerId: CustomerId
  readonly hasDevice: boolean
}

export interface MaintenanceComponent {
  readonly id: number
  readonly modelId: number
  readonly number: number
}

export interface WrittenMaintenance extends MaintenanceRecord {
  readonly componentName: string
}

export interface MaintenanceStore {
  readonly transaction: <Result>(work: (transaction: Tx) => Promise<Result>) => Promise<Result>
  /** Locks the device; undefined when it is not within the scope. */
  readonly lockDevice: typeof lockDevice
  readonly list: (deviceId: DeviceId, scope: Scope) => Promise<SavedMaintenance[]>
  /** Lists entries of other devices that its customer has now, the newest first. */
  readonly elsewhere: (deviceId: DeviceId, limit: number, scope: Scope) => Promise<MaintenanceElsewhere[]>
  readonly find: (id: number, scope: Scope, transaction?: Tx) => Promise<FoundMaintenance | undefined>
  readonly components: (deviceId: DeviceId, transaction?: Tx) => Promise<MaintenanceComponent[]>
  /** Tells whether the device has such an alert from the time of this customer. */
  readonly hasAlert: (deviceId: DeviceId, alertId: AlertId, customerId: CustomerId, transaction: Tx) => Promise<boolean>
  readonly add: (
    deviceId: DeviceId,
    entry: WrittenMaintenance,
    by: { readonly userId: UserId; readonly username: string },
    transaction: Tx,
  ) => Promise<number>
  readonly change: (
    deviceId: DeviceId,
    id: number,
    entry: WrittenMaintenance,
    by: UserId,
    transaction: Tx,
  ) => Promise<void>
  /** @returns false when somebody else has removed it */
  readonly remove: (deviceId: DeviceId, id: number, transaction: Tx) => Promise<boolean>
}

/** The statement has to name the entry `m`. */
const alertText = sql<string>`coalesce((select a.condition_text from alert a
  where a.device_id = m.device_id and a.id = m.alert_id and a.withdrawn_at is null), '')`

const COLUMNS = [
  'm.id',
  'm.device_id as deviceId',
  'm.start_at as startAt',
  'm.end_at as endAt',
  'm.component_id as componentId',
  'm.component_name as componentName',
  'm.reason_id as reasonId',
  'm.action_id as actionId',
  'm.resolution_id as resolutionId',
  'm.alert_id as alertId',
  'm.action_comment as actionComment',
] as const

const toRow = (entry: WrittenMaintenance) => ({
  start_at: entry.startAt,
  end_at: entry.endAt,
  component_id: entry.componentId,
  component_name: entry.componentName,
  reason_id: entry.reasonId,
  action_id: entry.actionId,
  resolution_id: entry.resolutionId,
  alert_id: entry.alertId,
  action_comment: entry.actionComment,
})

const entriesIn = (db: Db | Tx, scope: Scope) =>
  db
    .selectFrom('maintenance_entry as m')
    .leftJoin('app_user as author', 'author.id', 'm.created_by')
    .select([...COLUMNS, alertText.as('alertText'), shownAs(scope, 'author', sql`m.username`).as('username')])
    .where(isOfScope(scope, 'm.customer_id'))

/**
 * Stores the maintenance log. Statements by device id alone expect a caller who has checked that it may see the device.
 */
export function createMaintenanceStore(db: Db): MaintenanceStore {
  return {
    transaction: (work) => db.transaction().execute(work),

    lockDevice,

    list: (deviceId, scope) =>
      entriesIn(db, scope)
        .where('m.device_id', '=', deviceId)
        .orderBy('m.start_at', 'desc')
        .orderBy('m.id', 'desc')
        .execute(),

    elsewhere: (deviceId, limit, scope) =>
      entriesIn(db, scope)
        .innerJoin('device as here', (join) => join.on('here.id', '=', deviceId))
        .innerJoin('device', 'device.id', 'm.device_id')
        .select(['device.guid as deviceGuid', 'device.name as deviceName'])
        .whereRef('m.customer_id', '=', 'here.customer_id')
        .whereRef('device.customer_id', '=', 'here.customer_id')
        .where('m.device_id', '<>', deviceId)
        .where('device.deleted_at', 'is', null)
        .orderBy('m.start_at', 'desc')
        .orderBy('m.id', 'desc')
        .limit(limit)
        .execute(),

    find: (id, scope, transaction) =>
      entriesIn(transaction ?? db, scope)
        .innerJoin('device', 'device.id', 'm.device_id')
        .select([
          sql.raw<string>(deviceThen('name', 'm', 'created_at')).as('deviceName'),
          'm.customer_id as customerId',
          isOfScope(scope, 'device.customer_id').as('hasDevice'),
        ])
        .where('m.id', '=', id)
        .where('device.deleted_at', 'is', null)
        .executeTakeFirst(),

    components: (deviceId, transaction) =>
      (transaction ?? db)
        .selectFrom('device_component')
        .select(['id', 'component_model_id as modelId', 'number'])
        .where('device_id', '=', deviceId)
        .orderBy('category_id')
        .orderBy('number')
        .execute(),

    hasAlert: async (deviceId, alertId, customerId, transaction) => {
      const { rows } = await sql`select from alert
        where device_id = ${deviceId} and id = ${alertId} and customer_id = ${customerId} and withdrawn_at is null`.execute(
        transaction,
      )
      return rows.length > 0
    },

    add: async (deviceId, entry, { userId, username }, transaction) => {
      const { id } = await transaction
        .insertInto('maintenance_entry')
        .values({ ...toRow(entry), device_id: deviceId, created_by: userId, username })
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    },

    change: async (deviceId, id, entry, by, transaction) => {
      await transaction
        .updateTable('maintenance_entry')
        .set({ ...toRow(entry), updated_by: by, updated_at: sql<Date>`now()` })
        .where('device_id', '=', deviceId)
        .where('id', '=', id)
        .execute()
    },

    remove: async (deviceId, id, transaction) => {
      const { numDeletedRows } = await transaction
        .deleteFrom('maintenance_entry')
        .where('device_id', '=', deviceId)
        .where('id', '=', id)
        .executeTakeFirst()
      return numDeletedRows > 0n
    },
  }
}
