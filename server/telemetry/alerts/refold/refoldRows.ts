import type { FoldedAlert } from '#domain/alerts/fold/alertFold.ts'
import type { ConditionState } from '#domain/alerts/fold/conditionFold.ts'
import type { AlertId, DeviceId } from '#domain/ids.ts'
import type { Queryable } from '#server/db/transaction.ts'
import { noteDueSql } from '#server/incidents/dueRows.ts'
import type { AlertRule } from '../alertRules.ts'
import { LATE_AFTER_MS, openedColumns } from '../evaluate/alertRows.ts'
import { codeOfAlert } from '../evaluate/readWatchedConditions.ts'

export interface RefoldDeps {
  readonly deviceId: DeviceId
  readonly rule: AlertRule
  readonly fromAt: Date
  /** Readings that arrived earlier count for nothing. */
  readonly countsFrom: Date
  readonly isMailed: boolean
  readonly now: Date
  /** The time up to which an unreported value is known to be unchanged; undefined when the device is offline. */
  readonly clockAt: Date | undefined
}

/** An alert that is stored, one that was folded, or both. The write turns the first into the second. */
export interface AlertPair {
  readonly stored: StoredAlert | undefined
  readonly folded: FoldedAlert | undefined
}

export interface Refolded {
  readonly pairs: readonly AlertPair[]
  readonly state: ConditionState
  /** The fold began here, and nothing earlier changed. */
  readonly startAt: Date
}

export interface StoredAlert {
  readonly id: AlertId
  readonly createdAt: Date
  /** The device time after which a person or the system closed it; null while it is open. */
  readonly closedAfter: Date | null
  readonly conditionStateId: number
  readonly activeCount: number
  readonly stateSince: Date
}

interface AlertRow {
  readonly id: string
  readonly created_at: Date
  readonly closed_after: Date | null
  readonly condition_state_id: number
  readonly active_count: number
  readonly state_since: Date
}

/** Reads alerts that were open at a device time or opened later, oldest first, without those of an earlier customer. */
export async function storedAlertsFrom(
  queryable: Queryable,
  deviceId: DeviceId,
  conditionId: number,
  startAt: Date,
): Promise<readonly StoredAlert[]> {
  const { rows } = await queryable.query<AlertRow>(
    `select id::text, created_at, closed_after, condition_state_id, active_count, state_since from alert
     where device_id = $1 and condition_id = $2 and withdrawn_at is null and (closed_after is null or closed_after >= $3)
       and customer_id = (select d.customer_id from device d where d.id = $1)
     order by created_at, id`,
    [deviceId, conditionId, startAt],
  )
  return rows.map((row) => ({
    id: Number(row.id) as AlertId,
    createdAt: row.created_at,
    closedAfter: row.closed_after,
    conditionStateId: row.condition_state_id,
    activeCount: row.active_count,
    stateSince: row.state_since,
  }))
}

/** @returns whether any alert changed */
export async function writeRefold(
  queryable: Queryable,
  deps: RefoldDeps,
  { pairs, state, startAt }: Refolded,
): Promise<boolean> {
  let isChanged = false
  let openAlertId: AlertId | undefined
  const refolded: AlertId[] = []
  for (const { stored, folded } of pairs) {
    if (folded === undefined) {
      if (stored !== undefined && stored.closedAfter === null)
        isChanged = (await withdraw(queryable, deps, stored)) || isChanged
      if (stored !== undefined) refolded.push(stored.id)
      continue
    }
    const id = stored?.id ?? (await insertFound(queryable, deps, folded))
    await writeStretches(queryable, deps.deviceId, id, folded, startAt)
    refolded.push(id)
    if (stored === undefined) isChanged = true
    else isChanged = (await correct(queryable, deps, stored, folded)) || isChanged
    if (folded.closedAfterMs === undefined) openAlertId = id
  }
  await queryable.query(
    `update alert_state set version = version + 1, revision = $3, last_at = $4, true_since = $5, alert = $6,
       is_suppressed = $7, open_alert_id = $8
     where device_id = $1 and condition_id = $2`,
    [
      deps.deviceId,
      deps.rule.id,
      deps.rule.revision,
      momentOf(state.lastAtMs),
      momentOf(state.trueSinceMs),
      codeOfAlert(state.alert),
      state.isSuppressed,
      openAlertId ?? null,
    ],
  )
  await queryable.query(noteDueSql('$1::int[]', '$2::bigint[]'), [refolded.map(() => deps.deviceId), refolded])
  return isChanged
}

const momentOf = (ms: number | undefined) => (ms === undefined ? null : new Date(ms))

async function withdraw(queryable: Queryable, { deviceId, now }: RefoldDeps, stored: StoredAlert): Promise<boolean> {
  await queryable.query('update alert set withdrawn_at = $3 where device_id = $1 and id = $2', [
    deviceId,
    stored.id,
    now,
  ])
  // A notification that was not sent yet would be about nothing.
  await queryable.query('delete from alert_notice where device_id = $1 and alert_id = $2', [deviceId, stored.id])
  await noteEvent(queryable, deviceId, stored.id, 'withdrawn', now)
  return true
}

async function insertFound(queryable: Queryable, deps: RefoldDeps, folded: FoldedAlert): Promise<AlertId> {
  const { deviceId, rule, now, isMailed } = deps
  const atMs = folded.openedAtMs ?? 0
  const isLate = now.getTime() - atMs > LATE_AFTER_MS
  const opened = openedColumns(rule, undefined, {
    atMs,
    foundAtMs: now.getTime(),
    value: folded.value,
    isLate,
    isMailed: isMailed && rule.isNotified,
  })
  const { stateId, since } = stateOf(folded)
  const { rows } = await queryable.query<{ id: string }>(
    `insert into alert (device_id, condition_id, condition_state_id, created_at, found_at, field_id, operator_code,
       value_dec, value_text, period_id, action_type_id, condition_text, metric_value_dec, metric_value_text,
       active_count, state_since, severity_id, kind)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18) returning id::text`,
    [
      deviceId,
      rule.id,
      stateId,
      opened.created_at,
      opened.found_at,
      opened.field_id,
      opened.operator_code,
      opened.value_dec,
      opened.value_text,
      opened.period_id,
      opened.action_type_id,
      opened.condition_text,
      opened.metric_value_dec,
      opened.metric_value_text,
      folded.stretches.length,
      since ?? opened.created_at,
      opened.severity_id,
      rule.kind,
    ],
  )
  const id = Number(rows[0]?.id) as AlertId
  if (opened.notifies) {
    await queryable.query('insert into alert_notice (device_id, alert_id, found_at, is_late) values ($1, $2, $3, $4)', [
      deviceId,
      id,
      now,
      isLate,
    ])
  }
  return id
}

async function correct(
  queryable: Queryable,
  { deviceId, now, rule }: RefoldDeps,
  stored: StoredAlert,
  folded: FoldedAlert,
): Promise<boolean> {
  const createdAt = folded.openedAtMs === undefined ? stored.createdAt : new Date(folded.openedAtMs)
  const { stateId, since } = stateOf(folded)
  const stateSince = since ?? stored.stateSince
  const activeCount = await timesActive(queryable, deviceId, stored.id)
  const isSame =
    createdAt.getTime() === stored.createdAt.getTime() &&
    stateId === stored.conditionStateId &&
    activeCount === stored.activeCount &&
    stateSince.getTime() === stored.stateSince.getTime()
  if (isSame) return false
  const value = folded.value
  await queryable.query(
    `update alert set created_at = $3, condition_state_id = $4, active_count = $5, state_since = $6,
       metric_value_dec = case when $7::boolean then $8 else metric_value_dec end,
       metric_value_text = case when $7::boolean then $9 else metric_value_text end
     where device_id = $1 and id = $2`,
    [
      deviceId,
      stored.id,
      createdAt,
      stateId,
      activeCount,
      stateSince,
      value !== undefined,
      typeof value === 'number' ? value : null,
      typeof value === 'string' ? value : null,
    ],
  )
  if (stateId !== stored.conditionStateId && rule.isNotified) await noteTurn(queryable, deviceId, stored.id, now)
  if (createdAt.getTime() !== stored.createdAt.getTime()) await noteEvent(queryable, deviceId, stored.id, 'moved', now)
  return true
}

/** Replaces the history that readings wrote since the start of the fold. */
async function writeStretches(
  queryable: Queryable,
  deviceId: DeviceId,
  alertId: AlertId,
  { openedAtMs, stretches }: FoldedAlert,
  startAt: Date,
): Promise<void> {
  const events = stretches.flatMap(({ fromMs, toMs }) => [
    { kind: fromMs === openedAtMs ? 'opened' : 'active', at: new Date(fromMs) },
    ...(toMs === undefined ? [] : [{ kind: 'notActive', at: new Date(toMs) }]),
  ])
  await queryable.query(
    `delete from alert_event
     where device_id = $1 and alert_id = $2 and kind in ('opened', 'active', 'notActive') and at > $3`,
    [deviceId, alertId, startAt],
  )
  await queryable.query(
    `insert into alert_event (device_id, alert_id, kind, at)
     select $1, $2, kind, at from unnest($3::text[], $4::timestamptz[]) as events (kind, at)`,
    [deviceId, alertId, events.map(({ kind }) => kind), events.map(({ at }) => at)],
  )
}

async function timesActive(queryable: Queryable, deviceId: DeviceId, alertId: AlertId): Promise<number> {
  const { rows } = await queryable.query<{ count: number }>(
    `select count(*)::integer as count from alert_event
     where device_id = $1 and alert_id = $2 and kind in ('opened', 'active')`,
    [deviceId, alertId],
  )
  return rows[0]?.count ?? 0
}

function stateOf(folded: FoldedAlert): { readonly stateId: number; readonly since: Date | undefined } {
  const last = folded.stretches.at(-1)
  if (last === undefined) return { stateId: 2, since: undefined }
  return { stateId: last.toMs === undefined ? 1 : 2, since: new Date(last.toMs ?? last.fromMs) }
}

/** Notes that the alert's state changed, because those who were notified of it may need to know. */
async function noteTurn(queryable: Queryable, deviceId: DeviceId, alertId: AlertId, now: Date) {
  await queryable.query(
    `insert into alert_turn (device_id, alert_id, turned_at, next_at) values ($1, $2, $3, $3)
     on conflict (device_id, alert_id) do update set turned_at = excluded.turned_at, next_at = excluded.next_at`,
    [deviceId, alertId, now],
  )
}

async function noteEvent(queryable: Queryable, deviceId: DeviceId, alertId: AlertId, kind: string, at: Date) {
  await queryable.query('insert into alert_event (device_id, alert_id, kind, at) values ($1, $2, $3, $4)', [
    deviceId,
    alertId,
    kind,
    at,
  ])
}
