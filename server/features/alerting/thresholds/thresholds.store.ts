import { type SqlBool, sql } from 'kysely'
import type { ConditionKind } from '#domain/alerts/conditionKinds.ts'
import type { OperatorCode } from '#domain/alerts/operators.ts'
import type { CustomerId, DeviceId, DeviceModelId, FieldId, UserId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import { deviceExists } from '#server/fleet/existingDevices.store.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { wholeAndParts } from '#server/telemetry/alerts/closing.ts'
import { type ConditionCounts, countDevicesOf } from './conditionCounts.store.ts'
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

export interface AlertConditionStore {
  readonly transaction: <Result>(work: (transaction: Tx) => Promise<Result>) => Promise<Result>
  /**
   * Lists the conditions of devices and of the customer within the scope, and those of models, tags and all devices,
   * which everybody may read.
   */
  readonly list: (scope: Scope, of: ConditionsOf) => Promise<readonly NamedCondition[]>
  readonly count: (scope: Scope, conditions: readonly StoredCondition[]) => Promise<CountOf>
  readonly findCustomer: (id: CustomerId, scope: Scope) => Promise<{ readonly name: string } | undefined>
  readonly overridesOf: (id: number, transaction: Tx) => Promise<readonly number[]>
  readonly findDevice: (id: DeviceId, scope: Scope, transaction?: Tx) => Promise<PlacedDevice | undefined>
  readonly componentsOf: (
    id: DeviceId,
  ) => Promise<readonly { readonly componentModelId: number; readonly number: number }[]>
  /** Reads the first devices that a condition names, and how many there are beyond them. */
  readonly devicesOf: (
    place: ConditionPlace,
    scope: Scope,
    most: number,
  ) => Promise<{ readonly devices: readonly PlacedDevice[]; readonly more: number }>
  /** Locks a condition that was not removed, so that no batch evaluates it meanwhile. */
  readonly lock: (id: number, scope: Scope, transaction: Tx) => Promise<StoredCondition | undefined>
  /** @param by is null when the system inserts it */
  readonly insert: (words: ConditionFields, place: PlacedFields, by: UserId | null, transaction: Tx) => Promise<number>
  /** Takes effect with the next reading in every process. */
  readonly update: (id: number, words: ConditionFields, by: UserId, transaction: Tx) => Promise<void>
  readonly delete: (id: number, by: UserId, transaction: Tx) => Promise<void>
  readonly forgetStates: (id: number, transaction: Tx) => Promise<void>
}

export type CountOf = (condition: StoredCondition) => ConditionCounts
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

const columnsOf = (words: ConditionFields) => ({
  field_id: words.fieldId,
  operator_code: words.operator,
  value_dec: words.valueDec,
  value_text: words.valueText,
  period_id: words.periodId,
  action_type_id: words.actionTypeId,
  kind: words.kind,
  severity_id: words.severityId,
  clear_dec: words.clearDec,
  minutes: words.minutes,
  joined_by: words.joinedBy,
  second_field_id: words.secondFieldId,
  second_operator_code: words.secondOperator,
  second_value_dec: words.secondValueDec,
  second_value_text: words.secondValueText,
  is_off: words.isOff,
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

export function createAlertConditionStore(db: Db): AlertConditionStore {
  return {
    transaction: (work) => db.transaction().execute(work),

    list: (scope, { deviceId, modelId, customerId, tagKey, overridesId }) =>
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
        .execute(),

    count: (scope, conditions) => countDevicesOf(db, scope, conditions),

    findCustomer: async (id, scope) => {
      if (scope.kind === 'customer' && scope.customerId !== id) return undefined
      return db.selectFrom('customer').select('name').where('id', '=', id).executeTakeFirst()
    },

    overridesOf: async (id, transaction) => {
      const { rows } = await sql<{ id: number }>`select id from alert_condition
        where overrides_id = ${id} and deleted_at is null order by id for update`.execute(transaction)
      return rows.map((row) => row.id)
    },

    findDevice: (id, scope, transaction) =>
      devicesIn(transaction ?? db, scope)
        .where('device.id', '=', id)
        .executeTakeFirst(),

    componentsOf: (id) =>
      db
        .selectFrom('device_component')
        .select(['component_model_id as componentModelId', 'number'])
        .where('device_id', '=', id)
        .orderBy('id')
        .execute(),

    devicesOf: async (place, scope, most) => {
      const of = devicesIn(db, scope).where(isNamedBy(place))
      const devices = await of.orderBy('device.id').limit(most).execute()
      if (devices.length < most) return { devices, more: 0 }
      const { count } = await of.clearSelect().select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow()
      return { devices, more: count - devices.length }
    },

    lock: async (id, scope, transaction) => {
      const found = await conditionsIn(transaction, scope)
        .where('alert_condition.id', '=', id)
        .modifyEnd(sql`for update of alert_condition`)
        .executeTakeFirst()
      if (found) await lockParts(id, transaction)
      return found
    },

    insert: async (words, place, by, transaction) => {
      const { id } = await transaction
        .insertInto('alert_condition')
        .values({ ...columnsOf(words), ...placeColumns(place), overrides_id: place.overridesId, created_by: by })
        .returning('id')
        .executeTakeFirstOrThrow()
      await writeParts(id, words, transaction)
      return id
    },

    update: async (id, words, by, transaction) => {
      await transaction
        .updateTable('alert_condition')
        .set({
          ...columnsOf(words),
          revision: sql`revision + 1`,
          effective_at: sql<Date>`clock_timestamp()`,
          updated_at: sql<Date>`now()`,
          updated_by: by,
        })
        .where('id', '=', id)
        .execute()
      await writeParts(id, words, transaction)
    },

    delete: async (id, by, transaction) => {
      await transaction
        .updateTable('alert_condition')
        .set({ deleted_at: sql<Date>`now()`, deleted_by: by })
        .where(({ or, eb }) => or([eb('id', '=', id), eb('part_of_id', '=', id)]))
        .where('deleted_at', 'is', null)
        .execute()
    },

    forgetStates: async (id, transaction) => {
      await sql`delete from alert_state where condition_id in (${wholeAndParts(id)})`.execute(transaction)
    },
  }
}
