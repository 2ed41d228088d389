import type { AlertId, DeviceId, FieldId } from '#domain/ids.ts'
import { short } from '#server/db/prepared.ts'
import type { Queryable } from '#server/db/transaction.ts'
import type { Scope } from '#server/http/call/caller.ts'

/** An alert that was open at some moment. */
export interface AlertThen {
  readonly id: AlertId
  readonly fieldId: FieldId
  /** So then; else over and not closed yet. */
  readonly isActive: boolean
}

/** What is kept of how a device was, of one that was found within the scope. */
export interface StateThenStore {
  /** Whether there were no more readings of this moment to look at, only what was made of them. */
  readonly isBeyondReadings: (at: Date) => Promise<boolean>
  /** Those of the customer of their time, newest first. */
  readonly alertsOpen: (id: DeviceId, scope: Scope, at: Date) => Promise<readonly AlertThen[]>
  /** Undefined before its first connection. */
  readonly isOnline: (id: DeviceId, at: Date) => Promise<boolean | undefined>
}

const IS_BEYOND = `select $1 < complete_from::timestamp at time zone 'UTC' as "isBeyond" from rollup_state`

/** What its readings said of it last until then; an alert begins with being so. */
const alertsSql = (isWithin: string) => `
  with opened as materialized (
    select device_id, id, field_id, created_at, state_since, condition_state_id from alert
    where device_id = $1 and created_at <= $2 and (closed_at is null or closed_at > $2) and withdrawn_at is null
      and ${isWithin}
  ), told as (
    select o.id, (array_agg(e.kind order by e.at desc, e.id desc))[1] as kind
    from opened o join alert_event e on e.device_id = o.device_id and e.alert_id = o.id
    where e.kind in ('opened', 'active', 'notActive') and e.at <= $2
    group by o.id
  )
  select opened.id::text, field_id as "fieldId",
    case when state_since <= $2 then condition_state_id = 1 else coalesce(told.kind <> 'notActive', true) end as "isActive"
  from opened left join told on told.id = opened.id
  order by created_at desc, opened.id desc`

const ALERTS = { ofAll: alertsSql('true'), ofCustomer: alertsSql('customer_id = $3') }

const PRESENCE = `
  select is_online as "isOnline" from device_presence_history where device_id = $1 and at <= $2
  order by at desc, is_online desc limit 1`

export function createStateThenStore(queryable: Queryable): StateThenStore {
  return {
    isBeyondReadings: async (at) => {
      const { rows } = await queryable.query<{ isBeyond: boolean }>(short(IS_BEYOND, [at]))
      return rows[0]?.isBeyond ?? false
    },
    alertsOpen: async (id, scope, at) => {
      const { rows } = await queryable.query<Omit<AlertThen, 'id'> & { id: string }>(
        scope.kind === 'everything'
          ? short(ALERTS.ofAll, [id, at])
          : short(ALERTS.ofCustomer, [id, at, scope.customerId]),
      )
      return rows.map((row) => ({ ...row, id: Number(row.id) as AlertId }))
    },
    isOnline: async (id, at) => {
      const { rows } = await queryable.query<{ isOnline: boolean }>(short(PRESENCE, [id, at]))
      return rows[0]?.isOnline
    },
  }
}
