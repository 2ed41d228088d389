import { type Kysely, sql } from 'kysely'
import type { PastReadings } from '#contract/fleet.ts'
import { CONDITION_STATE } from '#domain/alerts/alertLabels.ts'
import type { ActiveStretch } from '#domain/alerts/fold/alertFold.ts'
import { DEVICE_STATUS } from '#domain/devices/status.ts'
import type { AlertId, DeviceGuid, DeviceId } from '#domain/ids.ts'
import type { Db } from '#server/db/database.ts'
import type { Database } from '#server/db/schema.ts'
import type { AlertRule } from '#server/telemetry/alerts/alertRules.ts'
import type { PlacedDevice } from '#server/telemetry/alerts/conditionPlaces.ts'
import { type Opening, openedColumns } from '#server/telemetry/alerts/evaluate/alertRows.ts'
import { DEMO_OVERRIDE, demoConditionRows } from './demoConditions.ts'
import { insertPastHours } from './pastHours.store.ts'

export interface PastDevice extends PlacedDevice {
  readonly guid: DeviceGuid
  /** The device has alerts that were made here, or raises none. */
  readonly hasAlerts: boolean
}

export interface PastAlert {
  readonly rule: AlertRule
  readonly opening: Opening
  readonly isActive: boolean
  readonly stateSinceMs: number
  /** Counts in device time. */
  readonly closedAfterMs: number
  readonly resolution: { readonly id: number; readonly name: string }
  readonly stretches: readonly ActiveStretch[]
}

export interface PastAlertStore {
  /** Conditions are added only where there never was any, so that what operators removed stays removed. */
  readonly addConditions: () => Promise<void>
  /** Reads devices without roll-ups from before this moment. */
  readonly devicesWithoutPast: (before: Date) => Promise<readonly PastDevice[]>
  /** Adds all or nothing: alerts, and the hours that they refer to. */
  readonly addPast: (deviceId: DeviceId, alerts: readonly PastAlert[], told: readonly PastReadings[]) => Promise<void>
}

const RAISING = [DEVICE_STATUS.active, DEVICE_STATUS.maintenance, DEVICE_STATUS.outOfOrder, DEVICE_STATUS.updating]

/** @param db as the owner of the tables, because nobody else writes roll-ups */
export function createPastAlertStore(db: Db, closedBy: string): PastAlertStore {
  return {
    addConditions: async () => {
      const { minutes, tag, tagKey } = DEMO_OVERRIDE
      await sql`
        with wanted as (
          select * from jsonb_to_recordset(${JSON.stringify(demoConditionRows())}::jsonb) as one (place integer,
            part_number smallint, model_id integer, kind text, severity_id smallint, field_id integer, operator_code text,
            value_dec double precision, value_text text, clear_dec double precision, minutes integer, joined_by text,
            second_field_id integer, second_operator_code text, second_value_dec double precision, second_value_text text)
          where not exists (select from alert_condition where model_id is not null or tag is not null)),
        numbered as (
          select nextval(pg_get_serial_sequence('alert_condition', 'id'))::integer as id, wanted.* from wanted),
        added as (
          insert into alert_condition (id, part_of_id, part_number, model_id, kind, severity_id, field_id, operator_code,
            value_dec, value_text, clear_dec, minutes, joined_by, second_field_id, second_operator_code, second_value_dec,
            second_value_text)
          select id, case when part_number is not null
              then (select whole.id from numbered whole where whole.place = n.place and whole.part_number is null) end,
            part_number, model_id, kind, severity_id, field_id, operator_code, value_dec, value_text, clear_dec, minutes,
            joined_by, second_field_id, second_operator_code, second_value_dec, second_value_text
          from numbered n returning id)
        insert into alert_condition (tag, tag_key, overrides_id, kind, field_id, operator_code, value_dec, minutes)
        select ${tag}::text, ${tagKey}::text, id, kind, field_id, operator_code, ${minutes}::integer, ${minutes}::integer
        from alert_condition
        where kind = 'silent' and num_nonnulls(model_id, device_id, customer_id, tag) = 0 and deleted_at is null
          and exists (select from added)`.execute(db)
    },

    devicesWithoutPast: async (before) => {
      // The server never knows of an alert in the very microsecond in which it happened.
      const { rows } = await sql<PastDevice>`
        select id, guid, model_id as "modelId", customer_id as "customerId", tag_keys as "tagKeys",
          status_id <> all(${RAISING}::smallint[]) or made.device_id is not null as "hasAlerts"
        from device
        left join (select distinct device_id from alert_event where kind = 'opened' and inserted = at) made
          on made.device_id = device.id
        left join (select distinct device_id from rollup
          where day < (${before}::timestamptz at time zone 'UTC')::date) known on known.device_id = device.id
        where deleted_at is null and known.device_id is null`.execute(db)
      return rows
    },

    addPast: (deviceId, alerts, told) =>
      db.transaction().execute(async (transaction) => {
        await insertPastHours(transaction, deviceId, told)
        if (alerts.length === 0) return
        const ids = await takeIds(transaction, alerts.length)
        const numbered = alerts.map((alert, index) => ({ ...alert, id: ids[index] as AlertId }))
        await insertAlerts(transaction, deviceId, numbered, closedBy)
        await insertEvents(transaction, deviceId, numbered, closedBy)
      }),
  }
}

type NumberedAlert = PastAlert & { readonly id: AlertId }

async function takeIds(db: Kysely<Database>, count: number): Promise<readonly AlertId[]> {
  const { rows } = await sql<{ id: string }>`
    select nextval('alert_id')::text as id from generate_series(1, ${count}::integer)`.execute(db)
  return rows.map(({ id }) => Number(id) as AlertId)
}

const isoOf = (ms: number) => new Date(ms).toISOString()

async function insertAlerts(db: Kysely<Database>, deviceId: DeviceId, alerts: readonly NumberedAlert[], by: string) {
  const rows = alerts.map(({ id, rule, opening, isActive, stateSinceMs, closedAfterMs, resolution, stretches }) => ({
    ...openedColumns(rule, id, opening),
    condition_id: rule.id,
    condition_state_id: isActive ? CONDITION_STATE.active : CONDITION_STATE.notActive,
    active_count: stretches.length,
    state_since: isoOf(stateSinceMs),
    closed_at: isoOf(closedAfterMs),
    close_resolution_id: resolution.id,
  }))
  await sql`
    insert into alert (id, device_id, condition_id, status_id, condition_state_id, created_at, found_at, field_id,
      operator_code, value_dec, value_text, period_id, action_type_id, condition_text, metric_value_dec,
      metric_value_text, active_count, state_since, closed_at, closed_after, closed_by, close_resolution_id, severity_id)
    select id, ${deviceId}, condition_id, 2, condition_state_id, created_at, found_at, field_id, operator_code,
      value_dec, value_text, period_id, action_type_id, condition_text, metric_value_dec, metric_value_text,
      active_count, state_since, closed_at, closed_at,
      (select u.id from app_user u where u.username = ${by}), close_resolution_id, severity_id
    from jsonb_populate_recordset(null::alert, ${JSON.stringify(rows)}::jsonb)`.execute(db)
}

async function insertEvents(db: Kysely<Database>, deviceId: DeviceId, alerts: readonly NumberedAlert[], by: string) {
  const events = alerts.flatMap(({ id, opening, stretches, closedAfterMs, resolution }) => [
    ...stretches.flatMap(({ fromMs, toMs }) => [
      { alert_id: id, kind: fromMs === opening.atMs ? 'opened' : 'active', at: isoOf(fromMs) },
      ...(toMs === undefined ? [] : [{ alert_id: id, kind: 'notActive', at: isoOf(toMs) }]),
    ]),
    { alert_id: id, kind: 'closed', at: isoOf(closedAfterMs), username: by, text: resolution.name },
  ])
  await sql`
    insert into alert_event (device_id, alert_id, kind, at, inserted, user_id, username, text)
    select ${deviceId}, e.alert_id, e.kind, e.at, e.at, u.id, coalesce(e.username, ''), coalesce(e.text, '')
    from jsonb_to_recordset(${JSON.stringify(events)}::jsonb)
      as e (alert_id bigint, kind text, at timestamptz, username text, text text)
    left join app_user u on u.username = e.username
    order by e.at`.execute(db)
  await sql`insert into incident_due (device_id, alert_id)
    select ${deviceId}, id from unnest(${alerts.map(({ id }) => id)}::bigint[]) as raised (id)`.execute(db)
}
