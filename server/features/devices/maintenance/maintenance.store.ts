import { sql } from 'kysely'
import type { AlertId, CustomerId, DeviceId, UserId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
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

export interface WrittenMaintenance extends MaintenanceRecord {
  readonly componentName: string
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

/** Lists the entries of a device that the caller has checked to be visible. */
export const listEntries = (db: Db, deviceId: DeviceId, scope: Scope): Promise<SavedMaintenance[]> =>
  entriesIn(db, scope)
    .where('m.device_id', '=', deviceId)
    .orderBy('m.start_at', 'desc')
    .orderBy('m.id', 'desc')
    .execute()

/** Lists entries of other devices that its customer has now, the newest first. */
export const listElsewhere = (db: Db, deviceId: DeviceId, limit: number, scope: Scope) =>
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
    .execute()

/** Finds an entry with the name and customer of its device when it was written; the device may have moved since. */
export const findEntry = (db: Db | Tx, id: number, scope: Scope) =>
  entriesIn(db, scope)
    .innerJoin('device', 'device.id', 'm.device_id')
    .select([
      sql.raw<string>(deviceThen('name', 'm', 'created_at')).as('deviceName'),
      'm.customer_id as customerId',
      isOfScope(scope, 'device.customer_id').as('hasDevice'),
    ])
    .where('m.id', '=', id)
    .where('device.deleted_at', 'is', null)
    .executeTakeFirst()

export const componentsOfDevice = (db: Db | Tx, deviceId: DeviceId) =>
  db
    .selectFrom('device_component')
    .select(['id', 'component_model_id as modelId', 'number'])
    .where('device_id', '=', deviceId)
    .orderBy('category_id')
    .orderBy('number')
    .execute()

/** Tells whether the device has such an alert from the time of this customer. */
export async function hasAlert(
  transaction: Tx,
  deviceId: DeviceId,
  alertId: AlertId,
  customerId: CustomerId,
): Promise<boolean> {
  const { rows } = await sql`select from alert
    where device_id = ${deviceId} and id = ${alertId} and customer_id = ${customerId} and withdrawn_at is null`.execute(
    transaction,
  )
  return rows.length > 0
}

export async function addEntry(
  transaction: Tx,
  deviceId: DeviceId,
  entry: WrittenMaintenance,
  { userId, username }: { readonly userId: UserId; readonly username: string },
): Promise<number> {
  const { id } = await transaction
    .insertInto('maintenance_entry')
    .values({ ...toRow(entry), device_id: deviceId, created_by: userId, username })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function changeEntry(
  transaction: Tx,
  deviceId: DeviceId,
  id: number,
  entry: WrittenMaintenance,
  by: UserId,
): Promise<void> {
  await transaction
    .updateTable('maintenance_entry')
    .set({ ...toRow(entry), updated_by: by, updated_at: sql<Date>`now()` })
    .where('device_id', '=', deviceId)
    .where('id', '=', id)
    .execute()
}

/** @returns false when somebody else has removed it */
export async function deleteEntry(transaction: Tx, deviceId: DeviceId, id: number): Promise<boolean> {
  const { numDeletedRows } = await transaction
    .deleteFrom('maintenance_entry')
    .where('device_id', '=', deviceId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
