import type { AnswerOf, ReadBodyOf } from '#contract/call/call.ts'
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
import { arePercentsOfAll, planWaves } from '#domain/rollouts/wavePlan.ts'
import { notValid } from '#domain/validation/messages.ts'
import type { Db } from '#server/db/database.ts'
import { requireCustomer } from '#server/fleet/customerLookup.ts'
import type { Tx } from '#server/http/call/audit.store.ts'
import { CallError, notFound } from '#server/http/call/callError.ts'
import { type Caller, scopeOf } from '#server/http/call/caller.ts'
import { foundRow } from '#server/http/call/changeSteps.store.ts'
import type { ChangeRecord } from '#server/http/call/route.ts'
import { type Choice, type ChosenDevice, listChosen } from './candidates.store.ts'
import { findRollout } from './progress.store.ts'
import { addRollout, findRelease, newestRelease, type TargetRelease } from './rollouts.store.ts'

type Plan = ReadBodyOf<typeof previewClientUpdate>

interface Judged {
  readonly device: ChosenDevice
  readonly verdict: Verdict
}

const NO_RELEASE = 'No release has been uploaded yet.'

const refusalsOf = (judged: readonly Judged[], { version }: TargetRelease): string[] =>
  judged.flatMap(({ device, verdict }) => refusalText(device, verdict, version) ?? [])

/** @returns a sentence for each device that is not updated, in the order in which they were given */
export const updateToNewest = (
  db: Db,
  deviceIds: readonly DeviceId[],
  caller: Caller,
  change: ChangeRecord,
): Promise<string[]> =>
  db.transaction().execute(async (transaction) => {
    const devices = await chosen(transaction, caller, { deviceIds })
    const release = await newestRelease(transaction)
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
    const added = updated.length === 0 ? undefined : await addRollout(transaction, rollout, caller)
    const id = added && { id: added.id }
    const counts = `${counted(updated.length)} to ${release.version}, ${errors.length} refused.`
    const after = { deviceIds: updated.map((device) => device.id) }
    await change.done(transaction, { ...about, ...id, name: release.version, details: counts, after })
    return errors
  })

/** Checks what `updateToNewest` would answer, and which version it would assign. */
export const checkNewest = (
  db: Db,
  deviceIds: readonly DeviceId[],
  caller: Caller,
): Promise<AnswerOf<typeof checkClientUpdate>> =>
  db.transaction().execute(async (transaction) => {
    const devices = await chosen(transaction, caller, { deviceIds })
    const release = await newestRelease(transaction)
    if (!release) return { version: null, refusals: [NO_RELEASE], waiting: [] }
    const judged = judge(inOrderOf(deviceIds, devices), release)
    const isStaff = scopeOf(caller).kind === 'everything'
    return {
      version: release.version,
      refusals: refusalsOf(judged, release),
      waiting: isStaff ? judged.flatMap(waitingIn) : [],
    }
  })

export const previewRollout = (db: Db, plan: Plan, caller: Caller): Promise<UpdatePreview> =>
  db.transaction().execute(async (transaction) => {
    const { judged, waves } = await planned(transaction, plan, caller)
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
  })

export const createRollout = (
  db: Db,
  asked: ReadBodyOf<typeof createClientUpdate>,
  caller: Caller,
  change: ChangeRecord,
): Promise<ClientUpdateDetails> =>
  db.transaction().execute(async (transaction) => {
    const { release, judged, waves } = await planned(transaction, asked, caller)
    change.about({ name: release.version })
    if (waves.length === 0) throw new CallError('nothing_to_update')
    const goesBack = judged.some(({ verdict }) => verdict === 'downgrade')
    // An older release than the newest brings back faults that were mended, even for devices that run something
    // still older.
    const newest = await newestRelease(transaction)
    const isDowngrade = goesBack || (newest !== undefined && compareVersions(release.version, newest.version) < 0)
    if (isDowngrade && !asked.downgradeMeant) {
      const olderThan = `${newest?.version} is newer than ${release.version}. Confirm that this downgrade is meant.`
      throw new CallError('downgrade_not_meant', goesBack ? undefined : olderThan)
    }
    const { haltFailurePercent, waitMinutes, observeMinutes } = asked
    const rollout = { release, isDowngrade, haltFailurePercent, waitMinutes, observeMinutes, waves }
    const { id, deviceCount } = await addRollout(transaction, rollout, caller)
    if (deviceCount === 0) throw new CallError('nothing_to_update')
    const after = { ...asked, waves: waves.map((wave) => wave.map((device) => device.id)) }
    await change.done(transaction, {
      ...ofOneCustomer(judged.map(({ device }) => device)),
      id,
      name: release.version,
      details: `${counted(deviceCount)} to ${release.version}${goesBack ? ', some of them back' : ''}.`,
      after,
    })
    return foundRow(findRollout(transaction, id))
  })

/** @throws CallError `not_found` unless the caller may see every named device */
async function chosen(transaction: Tx, caller: Caller, choice: Choice): Promise<readonly ChosenDevice[]> {
  const scope = scopeOf(caller)
  if (choice.customerId !== undefined) await requireCustomer(transaction, choice.customerId, scope)
  if (choice.deviceIds !== undefined) {
    const named = await listChosen(transaction, scope, { deviceIds: choice.deviceIds })
    if (named.length !== new Set(choice.deviceIds).size) throw notFound()
  }
  return listChosen(transaction, scope, choice)
}

async function planned(transaction: Tx, plan: Plan, caller: Caller) {
  if (!arePercentsOfAll(plan.wavePercents)) throw new CallError('invalid_request', notValid('wavePercents'))
  const release = await foundRow(findRelease(transaction, plan.releaseId))
  const judged = judge(await chosen(transaction, caller, plan.choice), release)
  requireFirstGroup(plan.firstGroup, judged)
  const updated = judged.filter(isUpdated).map(({ device }) => device)
  const waves = planWaves(
    updated.map(({ id }) => id),
    plan,
  )
  const byId = new Map(updated.map((device) => [device.id, device]))
  return { release, judged, waves: waves.map((wave) => wave.flatMap((id) => byId.get(id) ?? [])) }
}

function waitingIn({ device: { id, name, openUpdate }, verdict }: Judged) {
  if (verdict !== 'beingUpdated' || !openUpdate?.waitsAs) return []
  return [{ deviceId: id, deviceName: name, updateId: openUpdate.updateId, state: openUpdate.waitsAs }]
}

const judge = (devices: readonly ChosenDevice[], { version }: TargetRelease): readonly Judged[] =>
  devices.map((device) => ({ device, verdict: verdictOn(device, version) }))

const isUpdated = ({ verdict }: Judged) => verdict === 'update' || verdict === 'downgrade'

/** Refuses a first group with devices outside the choice, because something else was meant then. */
function requireFirstGroup(firstGroup: Plan['firstGroup'], judged: readonly Judged[]): void {
  if (typeof firstGroup === 'number') return
  const chosen = new Set(judged.map(({ device }) => device.id))
  if (!firstGroup.every((id) => chosen.has(id))) throw new CallError('invalid_request', notValid('firstGroup'))
}

export const counted = (devices: number) => `${devices} ${devices === 1 ? 'device' : 'devices'}`

function inOrderOf(ids: readonly DeviceId[], devices: readonly ChosenDevice[]): readonly ChosenDevice[] {
  const byId = new Map(devices.map((device) => [device.id, device]))
  return [...new Set(ids)].flatMap((id) => byId.get(id) ?? [])
}

/** When all devices belong to one customer, its people may read the audit row. */
function ofOneCustomer(devices: readonly ChosenDevice[]): { readonly customerId?: CustomerId } {
  const [first, ...others] = new Set(devices.map(({ customerId }) => customerId))
  return first === undefined || others.length > 0 ? {} : { customerId: first }
}
