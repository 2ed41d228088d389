import type { ConditionState } from '#domain/alerts/fold/conditionFold.ts'
import type { AlertId, DeviceId } from '#domain/ids.ts'
import { FOUND_LATE_AFTER_MS } from '#domain/notifications/mailRules.ts'
import { shortestReal } from '#domain/units/numbers.ts'
import { literal, type Step } from '#server/db/copying/pipelinedTransaction.ts'
import type { AlertRule } from '../alertRules.ts'
import { codeOfAlert, RAISING_STATUS_IDS } from './readWatchedConditions.ts'

/** The SQLSTATE of the database's checks when a state, a condition or a device's status changed meanwhile. */
export const STALE_ALERTS = 'WA001'

/** An alert found this much later than it happened goes into a summary instead of its own e-mail. */
export const LATE_AFTER_MS = FOUND_LATE_AFTER_MS

export interface Opening {
  readonly atMs: number
  readonly foundAtMs: number
  readonly value: number | string | undefined
  readonly isLate: boolean
  readonly isMailed: boolean
}

export interface AlertMove {
  readonly deviceId: DeviceId
  readonly rule: AlertRule
  readonly version: number
  readonly state: ConditionState
  readonly openAlertId: AlertId | undefined
  readonly opened: Opening | undefined
  readonly timesActive: number
  /** The device time of the last change; undefined when nothing changed that an operator sees. */
  readonly stateSinceMs: number | undefined
  readonly events: readonly { readonly kind: string; readonly at: string }[]
}

const momentOf = (ms: number | undefined) => (ms === undefined ? null : new Date(ms).toISOString())

export function openedColumns(rule: AlertRule, id: AlertId | undefined, opened: Opening) {
  return {
    id,
    created_at: momentOf(opened.atMs),
    found_at: momentOf(opened.foundAtMs),
    field_id: rule.fieldId,
    operator_code: rule.operator,
    value_dec: typeof rule.threshold === 'number' ? rule.threshold : null,
    value_text: typeof rule.threshold === 'string' ? rule.threshold : null,
    period_id: rule.periodId,
    action_type_id: rule.actionTypeId,
    condition_text: rule.text,
    metric_value_dec: typeof opened.value === 'number' ? shortestReal(opened.value) : null,
    metric_value_text: typeof opened.value === 'string' ? opened.value : null,
    severity_id: rule.severityId,
    is_late: opened.isLate,
    notifies: opened.isMailed,
  }
}

/** The order is the same in every process, so that two never wait for each other in a circle. */
const moveRows = (moves: readonly AlertMove[]) =>
  [...moves]
    .sort((a, b) => a.deviceId - b.deviceId || a.rule.id - b.rule.id)
    .map(({ deviceId, rule, version, state, openAlertId, opened, timesActive, stateSinceMs, events }) => ({
      device_id: deviceId,
      condition_id: rule.id,
      revision: rule.revision,
      version,
      last_at: momentOf(state.lastAtMs),
      true_since: momentOf(state.trueSinceMs),
      alert: codeOfAlert(state.alert),
      is_suppressed: state.isSuppressed,
      open_alert_id: openAlertId ?? null,
      times_active: timesActive,
      state_since: momentOf(stateSinceMs),
      events,
      // The property is left out when there is none, because JSON's null is not SQL's.
      ...(opened ? { opened: openedColumns(rule, openAlertId, opened) } : {}),
    }))

/** Returns the statements that store moves, at least one. */
export function moveSteps(moves: readonly AlertMove[]): readonly Step[] {
  const move = { sql: `select move_alerts(${literal(JSON.stringify(moveRows(moves)))}::jsonb)` }
  // `move_alerts` writes the kind "level", which nearly all alerts have, so the others are corrected after it.
  const others = moves.flatMap(({ deviceId, rule, openAlertId, opened }) =>
    opened && openAlertId !== undefined && rule.kind !== 'level'
      ? [`(${deviceId},${openAlertId}::bigint,${literal(rule.kind)})`]
      : [],
  )
  if (others.length === 0) return [move]
  const named = `(values ${others.sort().join(',')}) as named (device_id, id, kind)`
  return [
    move,
    {
      sql: `update alert a set kind = named.kind from ${named} where a.device_id = named.device_id and a.id = named.id`,
    },
  ]
}

export function expectedRulesStep(version: string): Step {
  return { sql: `select expect_alert_rules(${version})` }
}

/** Fails the batch when one of these devices no longer raises alerts and this process has not been notified yet. */
export function expectedDevicesStep(deviceIds: readonly DeviceId[]): Step {
  return {
    sql: `select expect_raising_devices('{${deviceIds.join(',')}}', '{${RAISING_STATUS_IDS.join(',')}}')`,
  }
}

/** The readings of a condition must be folded again from this device time on. */
export interface RefoldMark {
  readonly deviceId: DeviceId
  readonly conditionId: number
  readonly fromMs: number
}

export function refoldMarkStep(marks: readonly RefoldMark[]): Step {
  const rows = [...marks]
    .sort((a, b) => a.deviceId - b.deviceId || a.conditionId - b.conditionId)
    .map(({ deviceId, conditionId, fromMs }) => `(${deviceId},${conditionId},'${momentOf(fromMs)}')`)
  return {
    sql: `insert into alert_refold as r (device_id, condition_id, from_at) values ${rows.join(',')}
      on conflict (device_id, condition_id) do update set
        from_at = least(r.from_at, excluded.from_at), marks = r.marks + 1`,
  }
}
