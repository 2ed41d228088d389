import type pg from 'pg'
import { type ConditionState, foldReading, UNTOUCHED } from '#domain/alerts/fold/conditionFold.ts'
import { dueAtMs, quietUntilMs } from '#domain/alerts/fold/waiting.ts'
import { DEVICE_STATUS } from '#domain/devices/status.ts'
import type { DeviceId } from '#domain/ids.ts'
import { SECOND_MS } from '#domain/units/time.ts'
import { transactionOn } from '#server/db/transaction.ts'
import { newestPresence } from '#server/fleet/newestPresence.ts'
import type { Job } from '#server/jobs/JobRunner.ts'
import { type AlertRule, AlertRules } from '#server/telemetry/alerts/alertRules.ts'
import { type AlertMove, LATE_AFTER_MS, moveSteps } from '#server/telemetry/alerts/evaluate/alertRows.ts'
import { alertOfCode } from '#server/telemetry/alerts/evaluate/readWatchedConditions.ts'
import { beat, type Watched } from './outages.ts'
import { SilentSince } from './SilentSince.ts'
import { darknessEnd, silenceEnd, withdrawWaited } from './waitingEnds.ts'
import {
  darkDevices,
  lightOf,
  type StandingState,
  standingStates,
  takeAlertIds,
  type WaitingDevice,
} from './waitingRows.ts'

const LOOK_EVERY_MS = 5 * SECOND_MS

/**
 * Judges the conditions that no reading meets: a device is silent, or dark against its plan, for some time. All state
 * is in the database, so the next leader continues where this one ended. Each change is stored by the function that
 * batches of readings use, which lets only one of two win.
 *
 * @param onAlerts is called with the devices whose alerts changed
 */
export function waitingJob(onAlerts: (devices: ReadonlySet<DeviceId>) => void): Job {
  const silentSince = new SilentSince()
  let rules: AlertRules | undefined
  return {
    name: 'waiting conditions',
    everyMs: LOOK_EVERY_MS,
    async run(owner) {
      const watched = await transactionOn(owner, () => beat(owner))
      if (watched === undefined) return
      rules = await AlertRules.read(owner, rules)
      if (rules.ofClock.length === 0) return
      onAlerts(await judgeWaiting(owner, { rules, watched, silentSince }))
    },
  }
}

interface Judging {
  readonly rules: AlertRules
  readonly watched: Watched
  readonly silentSince: SilentSince
}

/** @returns the devices whose alerts changed */
async function judgeWaiting(owner: pg.Client, { silentSince, ...known }: Judging): Promise<ReadonlySet<DeviceId>> {
  const moved = new Set<DeviceId>()
  for (const kind of ['silent', 'dark'] as const) {
    const own = known.rules.ofClock.filter((rule) => rule.kind === kind)
    if (own.length === 0) continue
    const devices = await (kind === 'silent' ? silentSince.look(owner) : darkDevices(owner))
    const conditionIds = own.map(({ id }) => id)
    const round: Round = { ...known, kind, devices, states: await standingStates(owner, conditionIds) }
    let raised = raisedBy(round)
    if (kind === 'silent' && raised.length > 0) {
      const due = await silentSince.exactly(owner, new Set(raised.map(({ deviceId }) => deviceId)))
      raised = raisedBy({ ...round, devices: due })
    }
    const { moves: ends, withdrawn } = await endedBy(owner, round)
    // A state that just ended may begin again at the next check, because one check makes only one change of a state.
    const ended = new Set(ends.map(({ deviceId, rule }) => keyOf(deviceId, rule.id)))
    raised = raised.filter(({ deviceId, rule }) => !ended.has(keyOf(deviceId, rule.id)))
    const ids = await takeAlertIds(owner, raised.filter(({ opened }) => opened).length)
    const moves = [...raised.map((move) => (move.opened ? { ...move, openAlertId: ids.pop() } : move)), ...ends]
    await transactionOn(owner, async () => {
      if (moves.length > 0) for (const { sql } of moveSteps(moves)) await owner.query(sql)
      await withdrawWaited(owner, withdrawn, known.watched.now)
    })
    for (const { deviceId } of [...moves, ...withdrawn]) moved.add(deviceId)
  }
  return moved
}

interface Round extends Omit<Judging, 'silentSince'> {
  readonly kind: 'silent' | 'dark'
  readonly devices: readonly WaitingDevice[]
  readonly states: readonly StandingState[]
}

const keyOf = (deviceId: DeviceId, conditionId: number) => `${deviceId} ${conditionId}`

function raisedBy({ rules, kind, watched, devices, states }: Round): AlertMove[] {
  const stateOf = new Map(states.map((state) => [keyOf(state.deviceId, state.conditionId), state]))
  return devices.flatMap((device) =>
    rules
      .of(device)
      .filter((rule) => rule.kind === kind)
      .flatMap((rule) => raisedOn(device, rule, watched, stateOf.get(keyOf(device.id, rule.id))) ?? []),
  )
}

function raisedOn(
  device: WaitingDevice,
  rule: AlertRule,
  { now, outages }: Watched,
  stored: StandingState | undefined,
): AlertMove | undefined {
  const [inForceMs, countsFromMs] = [rule.effectiveAt.getTime(), device.alertsFrom.getTime()]
  const sinceMs = device.since?.getTime() ?? inForceMs
  // A condition that came into force late judges how long the state has lasted, but raises nothing from before.
  const atMs = Math.max(inForceMs, dueAtMs({ sinceMs, countsFromMs, waitMs: rule.waitMs, outages }))
  if (Math.max(atMs, quietUntilMs(outages)) > now.getTime()) return undefined
  const before = standing(stored, rule)
  // The state already holds, or its alert was closed while it did.
  if (before.trueSinceMs !== undefined) return undefined
  const { state, change } = foldReading(before, 0, atMs, true)
  const opened =
    change === 'opened'
      ? {
          atMs,
          foundAtMs: now.getTime(),
          value: device.told ?? undefined,
          isLate: now.getTime() - atMs > LATE_AFTER_MS,
          isMailed: device.statusId === DEVICE_STATUS.active && rule.isNotified,
        }
      : undefined
  return moveOf({ deviceId: device.id, rule, stored, state, opened, change, atMs })
}

/** A changed condition starts again. Its open alert stays and is judged by the new revision. */
function standing(stored: StandingState | undefined, rule: AlertRule): ConditionState {
  if (stored === undefined) return UNTOUCHED
  const isSame = stored.revision === rule.revision
  return {
    lastAtMs: stored.lastAt?.getTime(),
    trueSinceMs: isSame ? stored.trueSince?.getTime() : undefined,
    alert: alertOfCode(stored.alert),
    isSuppressed: isSame && stored.isSuppressed,
  }
}

interface Moved {
  readonly deviceId: DeviceId
  readonly rule: AlertRule
  readonly stored: StandingState | undefined
  readonly state: ConditionState
  readonly opened: AlertMove['opened']
  readonly change: string | undefined
  readonly atMs: number
}

function moveOf({ deviceId, rule, stored, state, opened, change, atMs }: Moved): AlertMove {
  return {
    deviceId,
    rule,
    version: (stored?.version ?? 0) + 1,
    state,
    openAlertId: stored?.openAlertId == null ? undefined : (Number(stored.openAlertId) as AlertMove['openAlertId']),
    opened,
    timesActive: change === 'opened' || change === 'active' ? 1 : 0,
    stateSinceMs: change === undefined ? undefined : atMs,
    events: change === undefined ? [] : [{ kind: change, at: new Date(atMs).toISOString() }],
  }
}

/** Finds the states that have ended, or that never lasted long enough, as is known now. */
async function endedBy(owner: pg.Client, { rules, kind, watched, devices, states }: Round) {
  const waiting = new Set(devices.map(({ id }) => id))
  const met = states.filter(({ trueSince }) => trueSince !== null)
  // A device that is silent again was online between two checks.
  const rest = kind === 'silent' ? met : met.filter(({ deviceId }) => !waiting.has(deviceId))
  const ids = [...new Set(rest.map(({ deviceId }) => deviceId))]
  const [presence, light] =
    kind === 'silent' ? [await newestPresence(owner, ids)] : [undefined, await lightOf(owner, ids)]
  const moves: AlertMove[] = []
  const withdrawn: StandingState[] = []
  for (const stored of rest) {
    const rule = rules.ofClock.find(({ id }) => id === stored.conditionId)
    const end = light
      ? darknessEnd(light.get(stored.deviceId), stored, watched.now)
      : silenceEnd(presence?.get(stored.deviceId), stored)
    if (rule === undefined || end === undefined) continue
    if (end.neverWas) {
      withdrawn.push(stored)
      continue
    }
    const { state, change } = foldReading(standing(stored, rule), 0, end.atMs, false)
    moves.push(moveOf({ deviceId: stored.deviceId, rule, stored, state, opened: undefined, change, atMs: end.atMs }))
  }
  return { moves, withdrawn }
}
