import { type SqlBool, sql } from 'kysely'
import type { OperatorCode } from '#domain/alerts/operators.ts'
import type { CustomerId, DeviceId, DeviceModelId, FieldId, UserId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import { deviceExists } from '#server/fleet/existingDevices.store.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import type { Scope } from '#server/http/call/caller.ts'

/** What an operator says of a condition. */
export interface ConditionWords {
  readonly fieldId: FieldId
  readonly operator: OperatorCode
  /** Exactly one of the two. */
  readonly valueDec: number | null
  readonly valueText: string | null
  readonly periodId: number
  readonly actionTypeId: number
}

/** Exactly one of the two. */
export type ConditionPlace =
  | { readonly deviceId: DeviceId; readonly modelId: null }
  | { readonly deviceId: null; readonly modelId: DeviceModelId }

export interface StoredCondition extends ConditionWords {
  readonly id: number
  readonly deviceId: DeviceId | null
  readonly modelId: DeviceModelId | null
}

export interface PlacedDevice {
  readonly id: DeviceId
  readonly name: string
  readonly customerId: CustomerId
  readonly modelId: DeviceModelId
}

export interface AlertConditionStore {
  readonly transaction: <Result>(work: (transaction: Tx) => Promise<Result>) => Promise<Result>
  /** Conditions of devices within the scope, and of models, which everybody may read. */
  readonly list: (
    scope: Scope,
    of: { readonly deviceId?: DeviceId; readonly modelId?: DeviceModelId },
  ) => Promise<readonly StoredCondition[]>
  readonly findDevice: (id: DeviceId, scope: Scope, transaction?: Tx) => Promise<PlacedDevice | undefined>
  readonly componentsOf: (
    id: DeviceId,
  ) => Promise<readonly { readonly componentModelId: number; readonly number: number }[]>
  /** Devices of a model by number, and how many there are beyond them. */
  readonly devicesOfModel: (
    modelId: DeviceModelId,
    scope: Scope,
    most: number,
  ) => Promise<{ readonly devices: readonly PlacedDevice[]; readonly more: number }>
  /** Locks a condition that was not removed, so that no batch moves it meanwhile. */
  readonly lock: (id: number, scope: Scope, transaction: Tx) => Promise<StoredCondition | undefined>
  readonly insert: (words: ConditionWords, place: ConditionPlace, by: UserId, transaction: Tx) => Promise<number>
  /** Counts from the next reading on, in every process. */
  readonly update: (id: number, words: ConditionWords, by: UserId, transaction: Tx) => Promise<void>
  readonly delete: (id: number, by: UserId, transaction: Tx) => Promise<void>
  /** Nothing is known of how it stands on any device. */
  readonly forgetStates: (id: number, transaction: Tx) => Promise<void>
}

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
] as const

const conditionsIn = (db: Db | Tx, scope: Scope) =>
  db
    .selectFrom('alert_condition')
    .select([...COLUMNS])
    .where('alert_condition.deleted_at', 'is', null)
    .where(
      sql<SqlBool>`(alert_condition.model_id is not null
        or exists (select from device where device.id = alert_condition.device_id and ${deviceExists(scope)}))`,
    )

const devicesIn = (db: Db | Tx, scope: Scope) =>
  db
    .selectFrom('device')
    .select(['device.id', 'device.name', 'device.customer_id as customerId', 'device.model_id as modelId'])
    .where(deviceExists(scope))

const columnsOf = (words: ConditionWords) => ({
  field_id: words.fieldId,
  operator_code: words.operator,
  value_dec: words.valueDec,
  value_text: words.valueText,
  period_id: words.periodId,
  action_type_id: words.actionTypeId,
})

export function createAlertConditionStore(db: Db): AlertConditionStore {
  return {
    transaction: (work) => db.transaction().execute(work),

    list: (scope, { deviceId, modelId }) =>
      conditionsIn(db, scope)
        .$if(deviceId !== undefined, (some) =>
          some.where(
            sql<SqlBool>`(alert_condition.device_id = ${deviceId}
              or alert_condition.model_id = (select model_id from device where id = ${deviceId}))`,
          ),
        )
        .$if(modelId !== undefined, (some) => some.where(sql<SqlBool>`alert_condition.model_id = ${modelId}`))
        .orderBy('alert_condition.id')
        .execute(),

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

    devicesOfModel: async (modelId, scope, most) => {
      const of = devicesIn(db, scope).where('device.model_id', '=', modelId)
      const devices = await of.orderBy('device.id').limit(most).execute()
      if (devices.length < most) return { devices, more: 0 }
      const { count } = await of.clearSelect().select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow()
      return { devices, more: count - devices.length }
    },

    lock: (id, scope, transaction) =>
      conditionsIn(transaction, scope)
        .where('alert_condition.id', '=', id)
        .modifyEnd(sql`for update of alert_condition`)
        .executeTakeFirst(),

    insert: async (words, { deviceId, modelId }, by, transaction) => {
      const { id } = await transaction
        .insertInto('alert_condition')
        .values({ ...columnsOf(words), device_id: deviceId, model_id: modelId, created_by: by })
        .returning('id')
        .executeTakeFirstOrThrow()
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
    },

    delete: async (id, by, transaction) => {
      await transaction
        .updateTable('alert_condition')
        .set({ deleted_at: sql<Date>`now()`, deleted_by: by })
        .where('id', '=', id)
        .execute()
    },

    forgetStates: async (id, transaction) => {
      await sql`delete from alert_state where condition_id = ${id}`.execute(transaction)
    },
  }
}
