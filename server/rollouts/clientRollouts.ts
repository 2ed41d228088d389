import type pg from 'pg'
import { SILENT_AFTER_RESTART_MS, whyGivenUp } from '#domain/rollouts/deviceUpdate.ts'
import { nextStep, type RolloutStep } from '#domain/rollouts/nextStep.ts'
import type { Statements } from '#server/db/statements.ts'
import { transactionOn } from '#server/db/transaction.ts'
import { type Job, TOLD_EVERY_MS } from '#server/jobs/JobRunner.ts'
import { giveStatusBack, publishAssignedReleases, withdrawAssignedReleases } from './assignedReleases.ts'
import {
  failSilent,
  lockRollout,
  offer,
  openRollouts,
  type ReadRollout,
  readRollout,
  silentUpdates,
  waitingDevices,
  withdrawDeactivated,
} from './clientRolloutRows.ts'
import { failLost, noteAway, noteProven } from './observedUpdates.ts'

/** While a rollout is open, devices and the clock move it on, so the job runs often. */
const OPEN_EVERY_MS = 1_000
/** A whole fleet that downloads at once would take all of the server's bandwidth. */
const MOST_IN_FLIGHT = 500
const OFFERS_AT_ONCE = 1_000
const GIVEN_UP_AT_ONCE = 200
/** A rollout takes few steps in one run, such as to begin a wave or to halt. */
const MOST_STEPS = 5

/**
 * Moves rollouts on: assigns releases wave by wave, gives up stuck devices, and halts. Every step is one transaction on
 * a locked rollout, so that a killed process leaves nothing half done and two processes never assign twice.
 */
export function clientRolloutsJob(): Job {
  return {
    name: 'client rollouts',
    everyMs: TOLD_EVERY_MS,
    retryMs: OPEN_EVERY_MS,
    async run(owner, _now, stopped) {
      const open = await openRollouts(owner)
      for (const id of open) {
        if (stopped.aborted) return undefined
        await moveRollout(owner, id)
      }
      return open.length > 0 ? { againInMs: OPEN_EVERY_MS } : undefined
    },
  }
}

async function moveRollout(owner: pg.Client, id: number): Promise<void> {
  await transactionOn(owner, () => giveUpSilent(owner, id))
  await transactionOn(owner, () => observe(owner, id))
  await transactionOn(owner, async () => {
    const rollout = await lockRollout(owner, id)
    if (rollout === undefined) return
    await publishAssignedReleases(owner, await withdrawDeactivated(owner, id))
    await assignReleases(owner, id, await takeSteps(owner, id))
  })
}

async function giveUpSilent(owner: Statements, id: number): Promise<void> {
  const rollout = await lockRollout(owner, id)
  if (rollout === undefined) return
  for (const silent of await silentUpdates(owner, id, SILENT_AFTER_RESTART_MS, GIVEN_UP_AT_ONCE)) {
    const reason = whyGivenUp(
      {
        state: silent.state,
        changedAtMs: silent.changedAt.getTime(),
        connectedSinceMs: silent.connectedSince?.getTime(),
      },
      rollout.now.getTime(),
    )
    if (reason === undefined || !(await failSilent(owner, silent, reason))) continue
    await giveStatusBack(owner, silent.deviceId, silent.updateId)
    await publishAssignedReleases(owner, [silent.deviceId])
  }
}

/** Devices whose new version has run long enough are proven, and those that lost it have failed. */
async function observe(owner: Statements, id: number): Promise<void> {
  if ((await lockRollout(owner, id)) === undefined) return
  await noteAway(owner, id)
  await noteProven(owner, id)
  await failLost(owner, id)
}

/** @returns the state of the rollout after the steps; undefined when more steps may follow */
async function takeSteps(owner: Statements, id: number): Promise<ReadRollout | undefined> {
  for (let taken = 0; taken < MOST_STEPS; taken++) {
    const rollout = await readRollout(owner, id)
    const step = rollout && nextStep(rollout.facts, rollout.nowMs)
    if (step === undefined) return rollout
    await take(owner, id, step)
  }
  return undefined
}

async function take(owner: Statements, id: number, step: RolloutStep): Promise<void> {
  const update = (assignments: string, ...values: unknown[]) =>
    owner.query(`update client_rollout set ${assignments} where id = $1`, [id, ...values])
  if (step.kind === 'halt') {
    await update(`state = 'halted', state_reason = $2, settled_at = null`, step.reason)
    await withdrawAssignedReleases(owner, id, 'waiting')
  } else if (step.kind === 'beginWave') {
    await update('begun_wave = $2, settled_at = null, waves_begun_at = waves_begun_at || now()', step.wave)
  } else if (step.kind === 'finish') await update(`state = 'finished', state_reason = '', ended_at = now()`)
  else if (step.kind === 'settle') await update('settled_at = now()')
  else await update('settled_at = null')
}

async function assignReleases(owner: Statements, id: number, rollout: ReadRollout | undefined): Promise<void> {
  if (rollout?.facts.state !== 'running') return
  const waiting = await waitingDevices(owner, id, rollout.facts.begunWave, OFFERS_AT_ONCE)
  let room = Math.max(0, MOST_IN_FLIGHT - rollout.inFlight)
  const now = waiting.filter(({ isConnected }) => !isConnected || room-- > 0)
  if (now.length === 0) return
  const offered = await offer(
    owner,
    id,
    now.map(({ deviceId }) => deviceId),
  )
  await publishAssignedReleases(owner, offered)
}
