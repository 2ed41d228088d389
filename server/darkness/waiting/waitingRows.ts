import type pg from 'pg'
import type { LightKind } from '#domain/darkness/minutes/darkMinutes.ts'
import type { AlertId, DeviceId } from '#domain/ids.ts'
import type { PlacedDevice } from '#server/telemetry/alerts/conditionPlaces.ts'
import { RAISING_STATUS_IDS } from '#server/telemetry/alerts/evaluate/readWatchedConditions.ts'

export interface WaitingDevice extends PlacedDevice {
  readonly statusId: number
  readonly alertsFrom: Date
  /** Null if it was never otherwise. */
  readonly since: Date | null
  /** A text to show beside the time, if there is one. */
  readonly told: string | null
}

const PLACED = `d.id, d.model_id as "modelId", d.customer_id as "customerId", d.tag_keys as "tagKeys",
  d.status_id as "statusId", greatest(d.alerts_from, 'epoch') as "alertsFrom"`

/** Reads devices that are not connected or are silent on their connection, except those that are dark as planned. */
export async function offlineDevices(owner: pg.Client): Promise<readonly Omit<WaitingDevice, 'since'>[]> {
  const { rows } = await owner.query<Omit<WaitingDevice, 'since'>>(
    `select ${PLACED}, null as told from device d
     left join (select distinct c.device_id from device_connection c join server_process p on p.id = c.process_id
       where not c.is_silent and p.lease_until > now()) online on online.device_id = d.id
     left join device_now n on n.device_id = d.id
     where d.deleted_at is null and d.status_id = any($1::smallint[]) and online.device_id is null
       and n.light is distinct from 'planned'`,
    [RAISING_STATUS_IDS],
  )
  return rows
}

/** Reads devices whose displays are dark against their plan. Those with an unknown beginning are left out. */
export async function darkDevices(owner: pg.Client): Promise<readonly WaitingDevice[]> {
  const { rows } = await owner.query<WaitingDevice>(
    `select ${PLACED}, n.light_since as since, n.cause ->> 'sentence' as told
     from device_now n join device d on d.id = n.device_id
     where n.light = 'unplanned' and n.light_since is not null and d.deleted_at is null
       and d.status_id = any($1::smallint[])`,
    [RAISING_STATUS_IDS],
  )
  return rows
}

export interface StandingState {
  readonly deviceId: DeviceId
  readonly conditionId: number
  readonly revision: number
  readonly version: number
  readonly lastAt: Date | null
  readonly trueSince: Date | null
  readonly alert: number
  readonly isSuppressed: boolean
  readonly openAlertId: string | null
  readonly createdAt: Date | null
}

/** Reads the states of conditions on devices. States that never changed do not exist. */
export async function standingStates(
  owner: pg.Client,
  conditionIds: readonly number[],
): Promise<readonly StandingState[]> {
  const { rows } = await owner.query<StandingState>(
    `select s.device_id as "deviceId", s.condition_id as "conditionId", s.revision, s.version, s.last_at as "lastAt",
       s.true_since as "trueSince", s.alert, s.is_suppressed as "isSuppressed", s.open_alert_id::text as "openAlertId",
       a.created_at as "createdAt"
     from alert_state s left join alert a on a.device_id = s.device_id and a.id = s.open_alert_id
     where s.condition_id = any($1::int[])`,
    [conditionIds],
  )
  return rows
}

export interface LightNow {
  readonly light: LightKind | null
  readonly lightSince: Date | null
}

export async function lightOf(
  owner: pg.Client,
  deviceIds: readonly DeviceId[],
): Promise<ReadonlyMap<DeviceId, LightNow>> {
  const { rows } = await owner.query<LightNow & { id: DeviceId }>(
    `select device_id as id, light, light_since as "lightSince" from device_now where device_id = any($1::int[])`,
    [deviceIds],
  )
  return new Map(rows.map((row) => [row.id, row]))
}

export async function takeAlertIds(owner: pg.Client, count: number): Promise<AlertId[]> {
  const { rows } = await owner.query<{ id: string }>(
    `select nextval('alert_id')::text as id from generate_series(1, $1::int)`,
    [count],
  )
  return rows.map(({ id }) => Number(id) as AlertId)
}
