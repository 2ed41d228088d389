import type { ConditionState } from '#domain/alerts/conditionFold.ts'
import { DEVICE_STATUS } from '#domain/devices/status.ts'
import type { AlertId, DeviceId, DeviceModelId } from '#domain/ids.ts'
import type { Queryable } from '#server/db/transaction.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { SLOTS } from '#server/telemetry/door/eventLayout.ts'
import { readComponentStates } from '#server/telemetry/state/currentState.ts'
import type { AlertRule, AlertRules } from './alertRules.ts'

/** One condition on one device, as this process knows it to be stored. */
export interface WatchedCondition {
  readonly deviceId: DeviceId
  readonly rule: AlertRule
  /** Mails go out for Paired devices only. */
  readonly isMailed: boolean
  /** 0: not stored yet. */
  version: number
  state: ConditionState
  openAlertId: AlertId | undefined
}

/** Conditions of one device by the slot of their component; empty for a device that raises nothing. */
export type DeviceConditions = readonly (readonly WatchedCondition[] | undefined)[]

const NO_CONDITIONS: DeviceConditions = []

const { active, maintenance, outOfOrder, updating } = DEVICE_STATUS
/** Pending and Deactivated devices raise nothing (decisions: Words and ids). */
export const RAISING_STATUS_IDS: readonly number[] = [active, maintenance, outOfOrder, updating]

const ALERT_OF_CODE = ['none', 'active', 'notActive'] as const
const alertOfCode = (code: number): ConditionState['alert'] => ALERT_OF_CODE[code] ?? 'none'
export const codeOfAlert = (alert: ConditionState['alert']): number => ALERT_OF_CODE.indexOf(alert)

interface DeviceRow {
  readonly id: DeviceId
  readonly model_id: DeviceModelId
  readonly status_id: number
}

interface StateRow {
  readonly device_id: DeviceId
  readonly condition_id: number
  readonly revision: number
  readonly version: number
  readonly last_at: Date | null
  readonly true_since: Date | null
  readonly alert: number
  readonly is_suppressed: boolean
  readonly open_alert_id: string | null
}

const STATES_SQL = `
  select device_id, condition_id, revision, version, last_at, true_since, alert, is_suppressed, open_alert_id::text
  from alert_state where device_id = any($1::integer[])`

const EVERYTHING: Scope = { kind: 'everything' }

/** What stands in the database about the conditions of these devices. */
export async function readWatchedConditions(
  queryable: Queryable,
  rules: AlertRules,
  deviceIds: readonly DeviceId[],
): Promise<ReadonlyMap<DeviceId, DeviceConditions>> {
  const conditions = new Map<DeviceId, DeviceConditions>(deviceIds.map((id) => [id, NO_CONDITIONS]))
  const { rows: devices } = await queryable.query<DeviceRow>(
    `select id, model_id, status_id from device where id = any($1::integer[]) and deleted_at is null`,
    [deviceIds],
  )
  const watched = devices.filter(
    ({ id, model_id, status_id }) => RAISING_STATUS_IDS.includes(status_id) && rules.of(id, model_id).length > 0,
  )
  if (watched.length === 0) return conditions
  const watchedIds = watched.map(({ id }) => id)
  const states = new Map<string, StateRow>()
  for (const row of (await queryable.query<StateRow>(STATES_SQL, [watchedIds])).rows) {
    states.set(`${row.device_id} ${row.condition_id}`, row)
  }
  // Readings up to the newest of each field were looked at, by whichever process.
  const current = await readComponentStates(queryable, EVERYTHING, watchedIds, rules.watchedFields)
  for (const { id, model_id, status_id } of watched) {
    const bySlot = new Array<WatchedCondition[] | undefined>(SLOTS).fill(undefined)
    for (const rule of rules.of(id, model_id)) {
      const component = current
        .get(id)
        ?.find(({ eventTypeId, number }) => eventTypeId === rule.layout.type.id && number === rule.number)
      const fieldName = rule.layout.fields[rule.fieldIndex]?.name ?? ''
      const lookedAtMs = component?.fields[fieldName]?.[1]
      const condition = watchedCondition(id, rule, status_id === active, states.get(`${id} ${rule.id}`), lookedAtMs)
      const slot = rule.layout.firstSlot + rule.number - 1
      const list = bySlot[slot]
      if (list === undefined) bySlot[slot] = [condition]
      else list.push(condition)
    }
    conditions.set(id, bySlot)
  }
  return conditions
}

function watchedCondition(
  deviceId: DeviceId,
  rule: AlertRule,
  isMailed: boolean,
  row: StateRow | undefined,
  reportedMs: number | undefined,
): WatchedCondition {
  const storedMs = row?.last_at?.getTime()
  const lastAtMs =
    reportedMs === undefined || storedMs === undefined ? (reportedMs ?? storedMs) : Math.max(reportedMs, storedMs)
  // A condition that was changed counts from the next reading; its open alert stays and is judged by the new one.
  const isSameRevision = row?.revision === rule.revision
  return {
    deviceId,
    rule,
    isMailed,
    version: row?.version ?? 0,
    state: {
      lastAtMs,
      trueSinceMs: isSameRevision ? row?.true_since?.getTime() : undefined,
      alert: alertOfCode(row?.alert ?? 0),
      isSuppressed: isSameRevision ? row.is_suppressed : false,
    },
    openAlertId: row?.open_alert_id == null ? undefined : (Number(row.open_alert_id) as AlertId),
  }
}
