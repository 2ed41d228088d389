import type { AnswerOf, ReadBodyOf } from '#contract/call/call.ts'
import type { ErrorCode } from '#contract/errors.ts'
import type {
  ClientUpdateDetails,
  checkClientUpdate,
  createClientUpdate,
  previewClientUpdate,
  UpdatePreview,
} from '#contract/http/software/rollouts.ts'
import type { CustomerId, DeviceId } from '#domain/ids.ts'
import { compareVersions } from '#domain/releases/version.ts'
import { refusalText, type Verdict, verdictOn } from '#domain/rollouts/candidate.ts'
import { USUAL_OBSERVE_MINUTES } from '#domain/rollouts/deviceUpdate.ts'
import { OPEN_STATES, type RolloutState } from '#domain/rollouts/states.ts'
import { arePercentsOfAll, planWaves } from '#domain/rollouts/wavePlan.ts'
import { notValid } from '#domain/validation/messages.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import type { CandidateStore, Choice, ChosenDevice } from './candidates.store.ts'
import type { ProgressStore } from './progress.store.ts'
import type { LockedRollout, RolloutStore, TargetRelease } from './rollouts.store.ts'

type Plan = ReadBodyOf<typeof previewClientUpdate>
type Request = ReadBodyOf<typeof createClientUpdate>
type Act = (id: number, caller: Caller, change: ChangeRecord) => Promise<ClientUpdateDetails>

export interface ClientUpdateService {
  /** @returns a sentence for each device that is not updated, in the order in which they were given */
  readonly updateToNewest: (deviceIds: readonly DeviceId[], caller: Caller, change: ChangeRecord) => Promise<string[]>
  /** Checks what `updateToNewest` would answer, and which version it would assign. */
  readonly checkNewest: (deviceIds: readonly DeviceId[], caller: Caller) => Promise<AnswerOf<typeof checkClientUpdate>>
  readonly preview: (plan: Plan, caller: Caller) => Promise<UpdatePreview>
  readonly create: (asked: Request, caller: Caller, change: ChangeRecord) => Promise<ClientUpdateDetails>
  readonly pause: Act
  readonly resume: Act
  readonly stop: Act
  readonly retryFailed: Act
  readonly leaveOut: (
    id: number,
    deviceId: DeviceId,
    caller: Caller,
    change: ChangeRecord,
  ) => Promise<ClientUpdateDetails>
}

export interface ClientUpdateDeps {
  readonly candidates: CandidateStore
  readonly rollouts: RolloutStore
  readonly progress: Pick<ProgressStore, 'find'>
}

interface Judged {
  readonly device: ChosenDevice
  readonly verdict: Verdict
}

const NO_RELEASE = 'No release has been uploaded yet.'

const refusalsOf = (judged: readonly Judged[], { version }: TargetRelease): string[] =>
  judged.flatMap(({ device, verdict }) => refusalText(device, verdict, version) ?? [])

export function createClientUpdates({ candidates, rollouts, progress }: ClientUpdateDeps): ClientUpdateService {
  /** @throws CallError `not_found` unless the caller may see every named device */
  async function chosen(caller: Caller, choice: Choice, transaction: Tx): Promise<readonly ChosenDevice[]> {
    if (choice.customerId !== undefined && !(await candidates.hasCustomer(choice.customerId))) throw notFound()
    if (choice.deviceIds !== undefined) {
      const named = await candidates.chosen(scopeOf(caller), { deviceIds: choice.deviceIds }, transaction)
      if (named.length !== new Set(choice.deviceIds).size) throw notFound()
    }
    return candidates.chosen(scopeOf(caller), choice, transaction)
  }

  async function planned(plan: Plan, caller: Caller, transaction: Tx) {
    if (!arePercentsOfAll(plan.wavePercents)) throw new CallError('invalid_request', notValid('wavePercents'))
    const release = await rollouts.findRelease(plan.releaseId, transaction)
    if (!release) throw notFound()
    const judged = judge(await chosen(caller, plan.choice, transaction), release)
    requireFirstGroup(plan.firstGroup, judged)
    const updated = judged.filter(isUpdated).map(({ device }) => device)
    const waves = planWaves(
      updated.map(({ id }) => id),
      plan,
    )
    const byId = new Map(updated.map((device) => [device.id, device]))
    return { release, judged, waves: waves.map((wave) => wave.flatMap((id) => byId.get(id) ?? [])) }
  }

  const details = async (id: number, transaction: Tx) => (await progress.find(id, transaction)) as ClientUpdateDetails

  /** Makes one change of a rollout, which is locked so that nobody else changes it meanwhile. */
  const act =
    (refusal: (state: RolloutState) => ErrorCode | undefined, work: ActWork): Act =>
    (id, _caller, change) => {
      change.about({ id })
      return rollouts.transaction(async (transaction) => {
        const found = await rollouts.lock(id, transaction)
        if (!found) throw notFound()
        change.about({ name: found.version })
        const code = refusal(found.state)
        if (code) throw new CallError(code)
        const said = await work(id, found, transaction)
        await change.done(transaction, { id, name: found.version, details: said, before: { state: found.state } })
        return details(id, transaction)
      })
    }

  return {
    updateToNewest: (deviceIds, caller, change) =>
      rollouts.transaction(async (transaction) => {
        const devices = await chosen(caller, { deviceIds }, transaction)
        const release = await rollouts.newestRelease(transaction)
        const about = ofOneCustomer(devices)
        if (!release) {
          await change.done(transaction, { ...about, details: NO_RELEASE })
          return [NO_RELEASE]
        }
        change.about({ name: release.version })
        const judged = judge(inOrderOf(deviceIds, devices), release)
        const updated = judged.filter(({ verdict }) => verdict === 'update').map(({ device }) => device)
        const errors = refusalsOf(judged, release)
        const rollout = {
          release,
          isDowngrade: false,
          haltFailurePercent: undefined,
          waitMinutes: 0,
          observeMinutes: USUAL_OBSERVE_MINUTES,
          waves: [updated],
        }
        const added = updated.length === 0 ? undefined : await rollouts.add(rollout, caller, transaction)
        const id = added && { id: added.id }
        const counts = `${counted(updated.length)} to ${release.version}, ${errors.length} refused.`
        const after = { deviceIds: updated.map((device) => device.id) }
        await change.done(transaction, { ...about, ...id, name: release.version, details: counts, after })
        return errors
      }),

    checkNewest: (deviceIds, caller) =>
      rollouts.transaction(async (transaction) => {
        const devices = await chosen(caller, { deviceIds }, transaction)
        const release = await rollouts.newestRelease(transaction)
        if (!release) return { version: null, refusals: [NO_RELEASE], waiting: [] }
        const judged = judge(inOrderOf(deviceIds, devices), release)
        const isStaff = scopeOf(caller).kind === 'everything'
        return {
          version: release.version,
          refusals: refusalsOf(judged, release),
          waiting: isStaff ? judged.flatMap(waitingIn) : [],
        }
      }),

    preview: (plan, caller) =>
      rollouts.transaction(async (transaction) => {
        const { judged, waves } = await planned(plan, caller, transaction)
        const count = (of: (one: Judged) => boolean) => judged.filter(of).length
        return {
          chosenCount: judged.length,
          updateCount: count(isUpdated),
          offlineCount: count((one) => isUpdated(one) && !one.device.isOnline),
          downgradeCount: count(({ verdict }) => verdict === 'downgrade'),
          unknownVersionCount: count((one) => isUpdated(one) && one.device.version === null),
          alreadyThereCount: count(({ verdict }) => verdict === 'alreadyThere'),
          deactivatedCount: count(({ verdict }) => verdict === 'deactivated'),
          beingUpdatedCount: count(({ verdict }) => verdict === 'beingUpdated'),
          waves: waves.map((wave) => wave.length),
        }
      }),

    create: (asked, caller, change) =>
      rollouts.transaction(async (transaction) => {
        const { release, judged, waves } = await planned(asked, caller, transaction)
        change.about({ name: release.version })
        if (waves.length === 0) throw new CallError('nothing_to_update')
        const goesBack = judged.some(({ verdict }) => verdict === 'downgrade')
        // An older release than the newest brings back faults that were mended, even for devices that run something
        // still older.
        const newest = await rollouts.newestRelease(transaction)
        const isDowngrade = goesBack || (newest !== undefined && compareVersions(release.version, newest.version) < 0)
        if (isDowngrade && !asked.downgradeMeant) {
          const olderThan = `${newest?.version} is newer than ${release.version}. Confirm that this downgrade is meant.`
          throw new CallError('downgrade_not_meant', goesBack ? undefined : olderThan)
        }
        const { haltFailurePercent, waitMinutes, observeMinutes } = asked
        const rollout = { release, isDowngrade, haltFailurePercent, waitMinutes, observeMinutes, waves }
        const { id, deviceCount } = await rollouts.add(rollout, caller, transaction)
        if (deviceCount === 0) throw new CallError('nothing_to_update')
        const after = { ...asked, waves: waves.map((wave) => wave.map((device) => device.id)) }
        await change.done(transaction, {
          ...ofOneCustomer(judged.map(({ device }) => device)),
          id,
          name: release.version,
          details: `${counted(deviceCount)} to ${release.version}${goesBack ? ', some of them back' : ''}.`,
          after,
        })
        return details(id, transaction)
      }),

    pause: act(
      (state) => (state === 'running' ? undefined : 'update_not_running'),
      async (id, _found, transaction) => {
        await rollouts.pause(id, transaction)
        return 'Paused.'
      },
    ),

    resume: act(
      (state) => (state === 'paused' || state === 'halted' ? undefined : 'update_not_waiting'),
      async (id, { state }, transaction) => {
        await rollouts.resume(id, state === 'halted', transaction)
        return state === 'halted' ? 'Resumed after a halt.' : 'Resumed.'
      },
    ),

    stop: act(
      (state) => (state === 'stopped' || state === 'finished' ? 'update_ended' : undefined),
      async (id, _found, transaction) => {
        await rollouts.stop(id, transaction)
        return 'Stopped.'
      },
    ),

    leaveOut: (id, deviceId, caller, change) =>
      act(
        () => undefined,
        async (_id, _found, transaction) => {
          const device = await rollouts.lockDevice(id, deviceId, transaction)
          if (!device) throw notFound()
          if (device.state === 'restarting') throw new CallError('device_restarting')
          if (!OPEN_STATES.includes(device.state)) throw new CallError('device_update_over')
          await rollouts.leaveOut(id, device, caller.username, transaction)
          return `Left out: ${device.name}.`
        },
      )(id, caller, change),

    retryFailed: act(
      (state) => (state === 'stopped' ? 'update_stopped' : undefined),
      async (id, { isReleasePresent }, transaction) => {
        if (!isReleasePresent) throw new CallError('release_removed')
        const { failedCount, retriedCount } = await rollouts.retryFailed(id, transaction)
        if (failedCount === 0) throw new CallError('nothing_failed')
        if (retriedCount === 0) throw new CallError('update_open_elsewhere')
        return `${counted(retriedCount)} tried again.`
      },
    ),
  }
}

function waitingIn({ device: { id, name, openUpdate }, verdict }: Judged) {
  if (verdict !== 'beingUpdated' || !openUpdate?.waitsAs) return []
  return [{ deviceId: id, deviceName: name, updateId: openUpdate.updateId, state: openUpdate.waitsAs }]
}

type ActWork = (id: number, found: LockedRollout, transaction: Tx) => Promise<string>

const judge = (devices: readonly ChosenDevice[], { version }: TargetRelease): readonly Judged[] =>
  devices.map((device) => ({ device, verdict: verdictOn(device, version) }))

const isUpdated = ({ verdict }: Judged) => verdict === 'update' || verdict === 'downgrade'

/** Refuses a first group with devices outside the choice, because something else was meant then. */
function requireFirstGroup(firstGroup: Plan['firstGroup'], judged: readonly Judged[]): void {
  if (typeof firstGroup === 'number') return
  const chosen = new Set(judged.map(({ device }) => device.id))
  if (!firstGroup.every((id) => chosen.has(id))) throw new CallError('invalid_request', notValid('firstGroup'))
}

const counted = (devices: number) => `${devices} ${devices === 1 ? 'device' : 'devices'}`

function inOrderOf(ids: readonly DeviceId[], devices: readonly ChosenDevice[]): readonly ChosenDevice[] {
  const byId = new Map(devices.map((device) => [device.id, device]))
  return [...new Set(ids)].flatMap((id) => byId.get(id) ?? [])
}

/** When all devices belong to one customer, its people may read the audit row. */
function ofOneCustomer(devices: readonly ChosenDevice[]): { readonly customerId?: CustomerId } {
  const [first, ...others] = new Set(devices.map(({ customerId }) => customerId))
  return first === undefined || others.length > 0 ? {} : { customerId: first }
}
