import type { ConditionState } from '#domain/alerts/fold/conditionFold.ts'
import { NO_MEMORY } from '#domain/alerts/fold/conditionJudge.ts'
import { DEVICE_STATUS } from '#domain/devices/status.ts'
import type { AlertId, DeviceId } from '#domain/ids.ts'
import type { Queryable } from '#server/db/transaction.ts'
import type { Scope } from '#server/http/call/caller.ts'
import { layoutByTypeId, SLOTS } from '#server/telemetry/ingress/eventLayout.ts'
import { type ComponentState, readComponentStates } from '#server/telemetry/state/currentState.ts'
import { type AlertRule, type AlertRules, type FieldPlace, slotBit } from '../alertRules.ts'
import type { PlacedDevice } from '../conditionPlaces.ts'
import { ruleBesideUnused, SWITCHES_SQL, type SwitchesColumn, unusedFieldsOf } from '../unusedPorts.ts'
import { ComponentConditions } from './ComponentConditions.ts'
import { readMemories } from './conditionMemories.ts'
import type { Heard, WatchedCondition } from './WatchedCondition.ts'

/** The conditions of one device, by what moves them. */
export interface DeviceConditions {
  /** False for a device that has none or may raise nothing. */
  readonly hasAny: boolean
  /** Conditions by the slot of the component. One that two components move is in both. */
  readonly components: readonly (ComponentConditions | undefined)[]
  /** Conditions that any report of the device moves. */
  readonly ofAny: readonly WatchedCondition[]
  /** A bit for each component slot that ever reported. Conditions on other components are not held. */
  readonly reportedSlots: number
}

const noConditions = (reportedSlots: number): DeviceConditions => ({
  ...{ hasAny: false, components: [], ofAny: [], reportedSlots },
})

const { active, maintenance, outOfOrder, updating } = DEVICE_STATUS
/** Pending and Deactivated devices raise nothing (rules/alerts 10). */
export const RAISING_STATUS_IDS: readonly number[] = [active, maintenance, outOfOrder, updating]

const ALERT_OF_CODE = ['none', 'active', 'notActive'] as const
export const alertOfCode = (code: number): ConditionState['alert'] => ALERT_OF_CODE[code] ?? 'none'
export const codeOfAlert = (alert: ConditionState['alert']): number => ALERT_OF_CODE.indexOf(alert)

interface DeviceRow extends PlacedDevice {
  readonly statusId: number
  readonly alertsFrom: Date
  readonly switches: SwitchesColumn
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

const DEVICES_SQL = `
  select id, model_id as "modelId", customer_id as "customerId", tag_keys as "tagKeys", status_id as "statusId",
    greatest(alerts_from, 'epoch') as "alertsFrom", ${SWITCHES_SQL('device.id')} as switches
  from device where id = any($1::integer[]) and deleted_at is null`

/**
 * Reads what the database holds about the conditions of these devices that readings move. Conditions for all devices
 * watch components that most devices lack, so only those of reporting components are held.
 *
 * @param reporting devices, with a bit for each slot that they report by now
 */
export async function readWatchedConditions(
  queryable: Queryable,
  rules: AlertRules,
  reporting: ReadonlyMap<DeviceId, number>,
): Promise<ReadonlyMap<DeviceId, DeviceConditions>> {
  const deviceIds = [...reporting.keys()]
  // A device that no condition covers gets all slots, so that it is not looked up again.
  const conditions = new Map<DeviceId, DeviceConditions>(deviceIds.map((id) => [id, noConditions(ALL_SLOTS)]))
  const { rows } = await queryable.query<DeviceRow>(DEVICES_SQL, [deviceIds])
  const devices = rows
    .filter(({ statusId }) => RAISING_STATUS_IDS.includes(statusId))
    .map((device) => ({ device, rules: rulesOn(device, rules) }))
    .filter((watched) => watched.rules.length > 0)
  if (devices.length === 0) return conditions
  const watchedIds = devices.map(({ device }) => device.id)
  const states = new Map<string, StateRow>()
  for (const row of (await queryable.query<StateRow>(STATES_SQL, [watchedIds])).rows) {
    states.set(`${row.device_id} ${row.condition_id}`, row)
  }
  // Readings up to the newest of each field have been evaluated, by whichever process stored them.
  const current = await readComponentStates(queryable, EVERYTHING, watchedIds, rules.watchedFields)
  const watched = new Map<DeviceId, WatchedCondition[]>()
  const countsFrom = new Map<WatchedCondition, Date>()
  const slotsOf = new Map<DeviceId, number>()
  for (const { device, rules: own } of devices) {
    // Slots that no condition watches count as reported, so that their first report causes no lookup.
    const slots = ~rules.watchedSlots | reportedSlots(current.get(device.id)) | (reporting.get(device.id) ?? 0)
    slotsOf.set(device.id, slots)
    const all = own
      .filter((rule) => isHeld(rule, slots))
      .map((rule) => {
        const reportedMs = rule.fields.map((field) => newestMs(current.get(device.id), field))
        const from = device.alertsFrom > rule.effectiveAt ? device.alertsFrom : rule.effectiveAt
        const row = states.get(`${device.id} ${rule.id}`)
        const condition = watchedCondition(device, { rule, row, reportedMs, countsFrom: from })
        countsFrom.set(condition, from)
        return condition
      })
    watched.set(device.id, all)
  }
  const remembering = [...countsFrom.keys()].filter(
    ({ rule: { judged } }) => judged.kind === 'pair' || judged.kind === 'change',
  )
  const memories = await readMemories(queryable, remembering, (condition) => countsFrom.get(condition) as Date)
  for (const [condition, memory] of memories) condition.memory = memory
  for (const [deviceId, all] of watched) conditions.set(deviceId, byMover(all, slotsOf.get(deviceId) ?? 0))
  return conditions
}

const ALL_SLOTS = -1

function rulesOn(device: DeviceRow, rules: AlertRules): readonly AlertRule[] {
  const unused = unusedFieldsOf(device.switches)
  return rules
    .of(device)
    .filter(({ fields }) => fields.length > 0)
    .flatMap((rule) => ruleBesideUnused(rule, unused) ?? [])
}

function reportedSlots(components: readonly ComponentState[] | undefined): number {
  let slots = 0
  for (const { eventTypeId, number } of components ?? []) {
    const layout = layoutByTypeId(eventTypeId)
    if (layout) slots |= slotBit({ layout, number })
  }
  return slots
}

/** Reports of other components also move a condition that waits for a value. */
const isHeld = ({ kind, isPart, fields }: AlertRule, slots: number): boolean =>
  (kind === 'absent' && !isPart) || fields.some((field) => (slots & slotBit(field)) !== 0)

function byMover(all: readonly WatchedCondition[], reportedSlots: number): DeviceConditions {
  if (all.length === 0) return noConditions(reportedSlots)
  const bySlot = new Array<WatchedCondition[] | undefined>(SLOTS).fill(undefined)
  for (const condition of all) {
    const { kind, fields } = condition.rule
    const slots = kind === 'absent' ? [] : fields.map(({ layout, number }) => layout.firstSlot + number - 1)
    for (const slot of new Set(slots)) {
      const list = bySlot[slot]
      if (list === undefined) bySlot[slot] = [condition]
      else list.push(condition)
    }
  }
  return {
    hasAny: all.length > 0,
    components: bySlot.map((list) => list && new ComponentConditions(list)),
    ofAny: all.filter(({ rule }) => rule.kind === 'absent'),
    reportedSlots,
  }
}

function newestMs(components: readonly ComponentState[] | undefined, { layout, number, fieldIndex }: FieldPlace) {
  const component = components?.find((one) => one.eventTypeId === layout.type.id && one.number === number)
  return component?.fields[layout.fields[fieldIndex]?.name ?? '']?.[1]
}

/** A display that never reported may not exist, so a condition for every display misses nothing of it. */
function heardFrom({ isPart }: AlertRule, reportedMs: number | undefined, countsFrom: Date): Heard | undefined {
  if (isPart && reportedMs === undefined) return undefined
  return { lastMs: Math.max(reportedMs ?? 0, countsFrom.getTime()), beforeMs: undefined, foundMs: undefined }
}

interface StoredOf {
  readonly rule: AlertRule
  readonly row: StateRow | undefined
  /** The device times of the newest value of each field. */
  readonly reportedMs: readonly (number | undefined)[]
  readonly countsFrom: Date
}

function watchedCondition(device: DeviceRow, { rule, row, reportedMs, countsFrom }: StoredOf): WatchedCondition {
  const known = [row?.last_at?.getTime(), ...reportedMs].filter((ms) => ms !== undefined)
  // A changed condition counts from the next reading. Its open alert stays and is judged by the new revision.
  const isSameRevision = row?.revision === rule.revision
  return {
    deviceId: device.id,
    rule,
    isMailed: device.statusId === active,
    version: row?.version ?? 0,
    state: {
      lastAtMs: known.length > 0 ? Math.max(...known) : undefined,
      trueSinceMs: isSameRevision ? row?.true_since?.getTime() : undefined,
      alert: alertOfCode(row?.alert ?? 0),
      isSuppressed: isSameRevision ? row.is_suppressed : false,
    },
    memory: NO_MEMORY,
    heard: heardFrom(rule, reportedMs[0], countsFrom),
    turnedAtMs: undefined,
    openAlertId: row?.open_alert_id == null ? undefined : (Number(row.open_alert_id) as AlertId),
    room: undefined,
    pendingAt: -1,
  }
}
