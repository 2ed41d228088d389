import type { PastReadings } from '#contract/fleet.ts'
import { ALERT_RESOLUTIONS } from '#domain/alerts/alertLabels.ts'
import { type FoldedAlert, foldAlerts } from '#domain/alerts/fold/alertFold.ts'
import { UNTOUCHED } from '#domain/alerts/fold/conditionFold.ts'
import type { Sample } from '#domain/alerts/fold/conditionJudge.ts'
import type { FieldId } from '#domain/ids.ts'
import { DAY_MS, MINUTE_MS } from '#domain/units/time.ts'
import type { AlertRule, AlertRules } from '#server/telemetry/alerts/alertRules.ts'
import type { PastAlert, PastAlertStore, PastDevice } from './pastAlerts.store.ts'
import { PAST_HOUR_FIELDS } from './pastHours.store.ts'
import type { PastQuestion } from './pastReadings.ts'

export interface PastAlertDeps {
  readonly store: PastAlertStore
  readonly readPast: (question: PastQuestion) => AsyncIterable<PastReadings>
  readonly readRules: () => Promise<AlertRules>
  readonly fleetFile: string
  readonly from: Date
  /** The stored readings begin here: from then on the server itself raises alerts. */
  readonly to: Date
  readonly signal: AbortSignal
}

/** Faults of the demo last for twelve minutes at least; those that begin on the quarter of an hour are all seen. */
const EVERY_MINUTES = 15
/** The demo's operators check open alerts on every working day at about this hour, UTC. */
const LOOKED_AT_HOUR = 8
/** The server would have found an alert as fast. */
const FOUND_AFTER_MS = 2_000

/**
 * Makes the alerts of the demo's past by the fold that live readings go through, over what its devices would have
 * reported before the stored readings; and the hours for their charts. Devices that have such hours are left alone, so
 * that the next start finishes an interrupted one.
 *
 * @returns how many alerts were added
 */
export async function makePastAlerts(deps: PastAlertDeps): Promise<number> {
  const { store, from, to, signal } = deps
  await store.addConditions()
  const devices = new Map((await store.devicesWithoutPast(to)).map((device) => [device.guid, device]))
  const rules = await deps.readRules()
  if (devices.size === 0) return 0
  const watched = [...devices.values()].flatMap((device) => foldedRules(rules, device))
  const fieldIds = [...new Set([...PAST_HOUR_FIELDS, ...watched.map(({ fieldId }) => fieldId)])]
  let added = 0
  let current: { readonly device: PastDevice; readonly alerts: PastAlert[]; readonly told: PastReadings[] } | undefined
  const write = async () => {
    if (current === undefined) return
    await store.addPast(current.device.id, current.alerts, current.told)
    added += current.alerts.length
  }
  const { fleetFile } = deps
  for await (const told of deps.readPast({ fleetFile, from, to, everyMinutes: EVERY_MINUTES, fieldIds, signal })) {
    if (current?.device.guid !== told.guid) {
      await write()
      const device = devices.get(told.guid)
      current = device && { device, alerts: [], told: [] }
    }
    if (current === undefined) continue
    if (PAST_HOUR_FIELDS.some((fieldId) => fieldId === told.fieldId)) current.told.push(told)
    if (current.device.hasAlerts) continue
    for (const rule of foldedRules(rules, current.device)) {
      if (rule.fieldId === (told.fieldId as FieldId)) current.alerts.push(...alertsOf(rule, current.device, told))
    }
  }
  if (signal.aborted) return added
  await write()
  return added
}

/** Returns the conditions on one field: the past is read field by field, and has no clock. */
const foldedRules = (rules: AlertRules, device: PastDevice): readonly AlertRule[] =>
  rules.of(device).filter(({ fields }) => fields.length === 1)

function alertsOf(rule: AlertRule, device: PastDevice, told: PastReadings): PastAlert[] {
  const toMs = told.fromMs + told.everyMs * told.values.length
  const { alerts } = foldAlerts(rule, UNTOUCHED, readingsOf(told), closesOf(device, told.fromMs, toMs))
  return alerts.flatMap((alert) => pastAlert(rule, alert) ?? [])
}

function* readingsOf({ fromMs, everyMs, values }: PastReadings): Generator<Sample> {
  for (const [index, value] of values.entries()) {
    if (value !== null) yield { atMs: fromMs + index * everyMs, values: [value, undefined] }
  }
}

/** Closes whatever is open then; nothing stays open at the end of the period. */
function closesOf({ id }: PastDevice, fromMs: number, toMs: number): readonly number[] {
  const closes: number[] = []
  const minutes = LOOKED_AT_HOUR * 60 + ((id * 7) % 60)
  for (let dayMs = Math.ceil(fromMs / DAY_MS) * DAY_MS; dayMs + DAY_MS < toMs; dayMs += DAY_MS) {
    const weekday = new Date(dayMs).getUTCDay()
    if (weekday !== 0 && weekday !== 6) closes.push(dayMs + minutes * MINUTE_MS)
  }
  return [...closes, toMs]
}

const RESOLVED_REMOTELY = ALERT_RESOLUTIONS[1]
const RESOLVED_BY_ITSELF = ALERT_RESOLUTIONS[2]

function pastAlert(rule: AlertRule, { openedAtMs, value, stretches, closedAfterMs }: FoldedAlert) {
  const last = stretches.at(-1)
  if (openedAtMs === undefined || value === undefined || closedAfterMs === undefined || last === undefined) return
  const isActive = last.toMs === undefined
  const resolution = isActive ? RESOLVED_REMOTELY : RESOLVED_BY_ITSELF
  return {
    rule,
    opening: { atMs: openedAtMs, foundAtMs: openedAtMs + FOUND_AFTER_MS, value, isLate: false, isMailed: false },
    isActive,
    stateSinceMs: last.toMs ?? last.fromMs,
    closedAfterMs,
    resolution,
    stretches,
  }
}
