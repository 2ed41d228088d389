import { type SqlBool, sql } from 'kysely'
import type { ConditionKind } from '#domain/alerts/conditionKinds.ts'
import type { OperatorCode } from '#domain/alerts/operators.ts'
import type { CustomerId, DeviceId, DeviceModelId, FieldId, UserId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import { deviceExists } from '#server/fleet/existingDevices.store.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { isWithin } from '#server/http/call/scopeSql.ts'
import { wholeAndParts } from '#server/telemetry/alerts/closing.ts'
import { lockParts, writeParts } from './conditionParts.store.ts'

export interface ConditionFields {
  readonly fieldId: FieldId
  readonly operator: OperatorCode
  /** Exactly one of these two is set. */
  readonly valueDec: number | null
  readonly valueText: string | null
  readonly periodId: number
  readonly actionTypeId: number
  readonly kind: ConditionKind
  readonly severityId: number
  readonly clearDec: number | null
  readonly minutes: number | null
  readonly joinedBy: 'and' | 'or' | null
  readonly secondFieldId: FieldId | null
  readonly secondOperator: OperatorCode | null
  readonly secondValueDec: number | null
  readonly secondValueText: string | null
  readonly isOff: boolean
  /** Null for the title that is made from the field and the limit. */
  readonly title: string | null
}

/** A device, a model, or a customer and a tag or one of these. All are null for all devices. */
export interface ConditionPlace {
  readonly deviceId: DeviceId | null
  readonly modelId: DeviceModelId | null
  readonly customerId: CustomerId | null
  readonly tag: string | null
  readonly tagKey: string | null
}

export interface StoredCondition extends ConditionFields, ConditionPlace {
  readonly id: number
  readonly overridesId: number | null
}

export interface ConditionsOf {
  readonly deviceId?: DeviceId | undefined
  readonly modelId?: DeviceModelId | undefined
  readonly customerId?: CustomerId | undefined
  readonly tagKey?: string | undefined
  readonly overridesId?: number | undefined
}

export interface PlacedDevice {
  readonly id: DeviceId
  readonly name: string
  readonly customerId: CustomerId
  readonly modelId: DeviceModelId
}

export interface NamedCondition extends StoredCondition {
  readonly deviceName: string | null
  readonly customerName: string | null
}

type PlacedFields = ConditionPlace & Pick<StoredCondition, 'overridesId'>

const COLUMNS = [
  'alert_condition.id',
  'alert_condition.device_id as deviceId',
  'alert_condition.model_id as modelId',
  'alert_condition.field_id as fieldId',
  sql<OperatorCode>`alert_condition.operator_code`.as('operator'),
  'alert_condition.value_dec as valueDec',
  'alert_condition.value_text as valueText',
  'alert_condition.period_id as periodId',
  'alert_condition.action_type_id as actionTypeId',
  'alert_condition.kind',
  'alert_condition.severity_id as severityId',
  'alert_condition.clear_dec as clearDec',
  'alert_condition.minutes',
  'alert_condition.joined_by as joinedBy',
  'alert_condition.second_field_id as secondFieldId',
  sql<OperatorCode | null>`alert_condition.second_operator_code`.as('secondOperator'),
  'alert_condition.second_value_dec as secondValueDec',
  'alert_condition.second_value_text as secondValueText',
  'alert_condition.customer_id as customerId',
  'alert_condition.tag',
  'alert_condition.tag_key as tagKey',
  'alert_condition.overrides_id as overridesId',
  'alert_condition.is_off as isOff',
  'alert_condition.title',
] as const

const isCustomerOf = (scope: Scope) =>
  scope.kind === 'everything' ? sql<SqlBool>`true` : sql<SqlBool>`alert_condition.customer_id = ${scope.customerId}`

const conditionsIn = (db: Db | Tx, scope: Scope) =>
  db
    .selectFrom('alert_condition')
    .select([...COLUMNS])
    .where('alert_condition.deleted_at', 'is', null)
    .where('alert_condition.part_of_id', 'is', null)
    .where(
      sql<SqlBool>`(alert_condition.device_id is null and (alert_condition.customer_id is null or ${isCustomerOf(scope)})
        or exists (select from device where device.id = alert_condition.device_id and ${deviceExists(scope)}))`,
    )

const devicesIn = (db: Db | Tx, scope: Scope) =>
  db
    .selectFrom('device')
    .select(['device.id', 'device.name', 'device.customer_id as customerId', 'device.model_id as modelId'])
    .where(deviceExists(scope))

const columnsOf = (fields: ConditionFields) => ({
  field_id: fields.fieldId,
  operator_code: fields.operator,
  value_dec: fields.valueDec,
  value_text: fields.valueText,
  period_id: fields.periodId,
  action_type_id: fields.actionTypeId,
  kind: fields.kind,
  severity_id: fields.severityId,
  clear_dec: fields.clearDec,
  minutes: fields.minutes,
  joined_by: fields.joinedBy,
  second_field_id: fields.secondFieldId,
  second_operator_code: fields.secondOperator,
  second_value_dec: fields.secondValueDec,
  second_value_text: fields.secondValueText,
  is_off: fields.isOff,
  title: fields.title,
})

const placeColumns = (place: ConditionPlace) => ({
  device_id: place.deviceId,
  model_id: place.modelId,
  customer_id: place.customerId,
  tag: place.tag,
  tag_key: place.tagKey,
})

/** SQL for a statement that knows `device`: a place names the device. */
const isNamedBy = ({ deviceId, modelId, customerId, tagKey }: ConditionPlace) =>
  sql<SqlBool>`(${deviceId}::int is null or device.id = ${deviceId}) and (${modelId}::int is null or device.model_id = ${modelId})
    and (${customerId}::int is null or device.customer_id = ${customerId})
    and (${tagKey}::text is null or device.tag_keys @> array[${tagKey}::text])`

/**
 * Reads the conditions of devices and of the customer within the scope, and those of models, tags and all devices, which
 * everybody may read.
 */
export const readConditions = (
  db: Db,
  scope: Scope,
  { deviceId, modelId, customerId, tagKey, overridesId }: ConditionsOf,
): Promise<NamedCondition[]> =>
  conditionsIn(db, scope)
    .$if(deviceId !== undefined, (some) =>
      some.where(
        sql<SqlBool>`exists (
          select from device where device.id = ${deviceId} and condition_names(alert_condition, device))`,
      ),
    )
    .$if(customerId !== undefined, (some) => some.where(sql<SqlBool>`alert_condition.customer_id = ${customerId}`))
    .$if(tagKey !== undefined, (some) => some.where(sql<SqlBool>`alert_condition.tag_key = ${tagKey}`))
    .$if(overridesId !== undefined, (some) =>
      some.where(
        // An override has its own overrides: narrower ones of the same condition that share a device with it.
        sql<SqlBool>`exists (
          select from alert_condition wide where wide.id = ${overridesId} and alert_condition.id <> wide.id
            and alert_condition.overrides_id = coalesce(wide.overrides_id, wide.id)
            and (wide.overrides_id is null or ((condition_reach(alert_condition), alert_condition.id) < (condition_reach(wide), wide.id) and exists (select from device
              where condition_names(wide, device) and condition_names(alert_condition, device)))))`,
      ),
    )
    .$if(modelId !== undefined, (some) => some.where(sql<SqlBool>`alert_condition.model_id = ${modelId}`))
    .leftJoin('device as of_device', 'of_device.id', 'alert_condition.device_id')
    .leftJoin('customer as of_customer', 'of_customer.id', 'alert_condition.customer_id')
    .select(['of_device.name as deviceName', 'of_customer.name as customerName'])
    .orderBy('alert_condition.id')
    .execute()

export const findCustomerName = (
  db: Db | Tx,
  id: CustomerId,
  scope: Scope,
): Promise<{ readonly name: string } | undefined> =>
  isWithin(scope, id)
    ? db.selectFrom('customer').select('name').where('id', '=', id).executeTakeFirst()
    : Promise.resolve(undefined)

export async function lockOverrides(transaction: Tx, id: number): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`select id from alert_condition
    where overrides_id = ${id} and deleted_at is null order by id for update`.execute(transaction)
  return rows.map((row) => row.id)
}

export const findPlacedDevice = (db: Db | Tx, id: DeviceId, scope: Scope): Promise<PlacedDevice | undefined> =>
  devicesIn(db, scope).where('device.id', '=', id).executeTakeFirst()

export const readComponents = (db: Db, deviceId: DeviceId) =>
  db
    .selectFrom('device_component')
    .select(['component_model_id as componentModelId', 'number'])
    .where('device_id', '=', deviceId)
    .orderBy('id')
    .execute()

/** Reads the first devices that a condition names, and how many there are beyond them. */
export async function readDevicesOf(
  db: Db,
  place: ConditionPlace,
  scope: Scope,
  most: number,
): Promise<{ readonly devices: readonly PlacedDevice[]; readonly more: number }> {
  const of = devicesIn(db, scope).where(isNamedBy(place))
  const devices = await of.orderBy('device.id').limit(most).execute()
  if (devices.length < most) return { devices, more: 0 }
  const { count } = await of.clearSelect().select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow()
  return { devices, more: count - devices.length }
}

/** Locks a condition that was not removed, so that no batch evaluates it meanwhile. */
export async function lockCondition(transaction: Tx, id: number, scope: Scope): Promise<StoredCondition | undefined> {
  const found = await conditionsIn(transaction, scope)
    .where('alert_condition.id', '=', id)
    .modifyEnd(sql`for update of alert_condition`)
    .executeTakeFirst()
  if (found) await lockParts(transaction, id)
  return found
}

/** @param by is null when the system inserts it */
export async function insertCondition(
  transaction: Tx,
  fields: ConditionFields,
  place: PlacedFields,
  by: UserId | null,
): Promise<number> {
  const { id } = await transaction
    .insertInto('alert_condition')
    .values({ ...columnsOf(fields), ...placeColumns(place), overrides_id: place.overridesId, created_by: by })
    .returning('id')
    .executeTakeFirstOrThrow()
  await writeParts(transaction, id, fields)
  return id
}

/** Takes effect with the next reading in every process. */
export async function changeConditionRow(
  transaction: Tx,
  id: number,
  fields: ConditionFields,
  by: UserId,
): Promise<void> {
  await transaction
    .updateTable('alert_condition')
    .set({
      ...columnsOf(fields),
      revision: sql`revision + 1`,
      effective_at: sql<Date>`clock_timestamp()`,
      updated_at: sql<Date>`now()`,
      updated_by: by,
    })
    .where('id', '=', id)
    .execute()
  await writeParts(transaction, id, fields)
}

/** Changes only what it is called, so nothing is judged anew. */
export async function renameCondition(transaction: Tx, id: number, title: string | null, by: UserId): Promise<void> {
  await transaction
    .updateTable('alert_condition')
    .set({ title, updated_at: sql<Date>`now()`, updated_by: by })
    .where(({ or, eb }) => or([eb('id', '=', id), eb('part_of_id', '=', id)]))
    .execute()
}

export async function markDeleted(transaction: Tx, id: number, by: UserId): Promise<void> {
  await transaction
    .updateTable('alert_condition')
    .set({ deleted_at: sql<Date>`now()`, deleted_by: by })
    .where(({ or, eb }) => or([eb('id', '=', id), eb('part_of_id', '=', id)]))
    .where('deleted_at', 'is', null)
    .execute()
}

export async function forgetStates(transaction: Tx, id: number): Promise<void> {
  await sql`delete from alert_state where condition_id in (${wholeAndParts(id)})`.execute(transaction)
}
