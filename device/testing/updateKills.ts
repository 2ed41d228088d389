import { deepStrictEqual } from 'node:assert/strict'
import { until } from './testBroker.ts'
import type { RigDevice, UpdateRig } from './updateRig.ts'

export const [OLD, NEW] = ['1.0.0', '1.0.1']
const SETTLED_WITHIN_MS = 30_000
/** The download writes so often that two of its writes stand for all. */
const WRITES_OF_DOWNLOAD = ['agent writeSync sha256.part#1', 'agent writeSync sha256.part#7']

/** A step of an update after which the power of the device goes. */
export interface UpdateKill {
  readonly step: string
  /** The assigned release either runs, or ends at once. */
  readonly offers: 'good' | 'bad'
}

/** Lists every step of an update that succeeds, and of one that fails, from the start of its trial on. */
export async function listUpdateKills(rig: UpdateRig): Promise<readonly UpdateKill[]> {
  const good = numbered(await recordSteps(rig)).filter(
    (step) => !step.includes('writeSync sha256.part') || WRITES_OF_DOWNLOAD.includes(step),
  )
  const { device, updateId } = await startBad(rig)
  await mustBeGivenUp(device, updateId)
  const bad = numbered(device.ledger())
  return [
    ...good.map((step) => ({ step, offers: 'good' as const })),
    ...bad.slice(bad.indexOf('trial starts#1')).map((step) => ({ step, offers: 'bad' as const })),
  ]
}

export async function recordSteps(rig: UpdateRig): Promise<readonly string[]> {
  const device = await rig.addDevice()
  const { updateId } = await offerNew(rig, device)
  device.start()
  await mustBeUpdated(device, updateId)
  await device.kill()
  return device.ledger()
}

/** Adds to each step its count, as `killAtOperation.mjs` counts. */
function numbered(ledger: readonly string[]): readonly string[] {
  const counts = new Map<string, number>()
  return ledger.map((step) => {
    counts.set(step, (counts.get(step) ?? 0) + 1)
    return `${step}#${counts.get(step)}`
  })
}

export async function offerNew(rig: UpdateRig, device: RigDevice) {
  const offer = rig.publish(await rig.releases.agent(NEW))
  await device.offer(offer)
  return offer
}

async function startBad(rig: UpdateRig, killAt?: string) {
  const device = await rig.addDevice()
  const offer = rig.publish(await rig.releases.ofProgram('process.exit(3)', NEW))
  await device.offer(offer)
  device.start(killAt === undefined ? {} : { killAt })
  return { device, updateId: offer.updateId }
}

/** @throws when something is not as it must be after the power has gone at this step and come back */
export async function killDuringUpdate(rig: UpdateRig, { step, offers }: UpdateKill): Promise<void> {
  if (offers === 'bad') {
    const { device, updateId } = await startBad(rig, step)
    await mustBeKilled(device)
    device.start()
    await mustBeGivenUp(device, updateId)
    deepStrictEqual(device.programs(), [`${OLD}.mjs`])
    return
  }
  const device = await rig.addDevice()
  const { updateId } = await offerNew(rig, device)
  device.start({ killAt: step })
  await mustBeKilled(device)
  await mustEndUpdated(device, updateId)
}

async function mustBeKilled(device: RigDevice): Promise<void> {
  const { signal } = await device.gone()
  if (signal !== 'SIGKILL') throw new Error(`It was not killed, and said:\n${device.output()}`)
}

/** The device must start, run the new version and complete the update after every kill. */
export async function mustEndUpdated(device: RigDevice, updateId: string): Promise<void> {
  device.start()
  await mustBeUpdated(device, updateId)
  await until(() => device.reportedVersion() === NEW, 'a report of the new version', SETTLED_WITHIN_MS)
  const programs = device.programs().filter((file) => !file.endsWith('.new'))
  deepStrictEqual(programs.toSorted(), [`${OLD}.mjs`, `${NEW}.mjs`])
  deepStrictEqual(device.downloads(), [])
  const steps = device.progress(updateId).map(({ step }) => step)
  const fromDone = steps.slice(steps.indexOf('done'))
  deepStrictEqual(new Set(fromDone), new Set(['done']))
  await device.kill()
}

async function mustBeUpdated(device: RigDevice, updateId: string): Promise<void> {
  const { step, version, reason } = await device.ended(updateId)
  deepStrictEqual({ step, version, reason }, { step: 'done', version: NEW, reason: null })
  const isSettled = () =>
    device.state('current')?.version === NEW &&
    device.state('trial') === undefined &&
    device.state('confirmed') === undefined
  await until(isSettled, `the launcher has settled it; it said:\n${device.output()}`, SETTLED_WITHIN_MS)
}

async function mustBeGivenUp(device: RigDevice, updateId: string): Promise<void> {
  const { step, version, reason } = await device.ended(updateId)
  const expected = {
    step: 'failed',
    version: OLD,
    reason: `Version ${NEW} ended with code 3 before it was connected.`,
  }
  deepStrictEqual({ step, version, reason }, expected)
  deepStrictEqual(device.state('current')?.version, OLD)
  deepStrictEqual(device.state('trial'), undefined)
  await until(() => device.reportedVersion() === OLD, 'a report of the old version', SETTLED_WITHIN_MS)
  await device.kill()
}
