import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildReleases } from './releases.ts'
import { until } from './testBroker.ts'
import { type RigDevice, startUpdateRig, type UpdateRig } from './updateRig.ts'

const [OLD, NEW] = ['1.0.0', '1.0.1']
/** Devices that are killed side by side. */
const LANES = 3
/** Of the many writes of the download. */
const WRITES_OF_DOWNLOAD = ['agent writeSync sha256.part#1', 'agent writeSync sha256.part#7']

let rig: UpdateRig
beforeAll(async () => {
  rig = await startUpdateRig(await buildReleases())
}, 60_000)
afterAll(() => rig.stop())

/** Every step of the list by name and count, as `killAtOperation.mjs` counts. */
function numbered(ledger: readonly string[]): readonly string[] {
  const counts = new Map<string, number>()
  return ledger.map((step) => {
    counts.set(step, (counts.get(step) ?? 0) + 1)
    return `${step}#${counts.get(step)}`
  })
}

const isSettled = (device: RigDevice) =>
  device.state('current')?.version === NEW &&
  device.state('trial') === undefined &&
  device.state('confirmed') === undefined

async function offerNew(device: RigDevice) {
  const offer = rig.publish(await rig.releases.agent(NEW))
  await device.offer(offer)
  return offer
}

/** The steps of an update that nothing disturbs. */
async function recordSteps(): Promise<readonly string[]> {
  const device = await rig.addDevice()
  const { updateId } = await offerNew(device)
  device.start()
  expect(await device.ended(updateId)).toMatchObject({ step: 'done', version: NEW, reason: null })
  await until(() => isSettled(device), 'the launcher has settled it', 30_000)
  await device.kill()
  return device.ledger()
}

/** What must hold after every kill: the device starts, runs one of the two versions, and the update comes to its end. */
async function expectEnd(device: RigDevice, updateId: string, about: string): Promise<void> {
  device.start()
  expect(await device.ended(updateId), about).toMatchObject({ step: 'done', version: NEW, reason: null })
  await until(() => isSettled(device), `settled after ${about}:\n${device.output()}`, 30_000)
  await until(() => device.reportedVersion() === NEW, `a report of the new version after ${about}`, 30_000)
  expect(
    device
      .programs()
      .filter((file) => !file.endsWith('.new'))
      .sort(),
    about,
  ).toEqual([`${OLD}.mjs`, `${NEW}.mjs`])
  expect(device.downloads(), about).toEqual([])
  const steps = device.progress(updateId).map(({ step }) => step)
  expect(
    steps.slice(steps.indexOf('done')).every((step) => step === 'done'),
    `${about}: ${steps}`,
  ).toBe(true)
  await device.kill()
}

/** Resolves when every lane has ended, also after a failure: nothing may be started when the test is over. */
async function inLanes<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const waiting = [...items]
  const failures: unknown[] = []
  const lane = async () => {
    for (let item = waiting.shift(); item !== undefined && failures.length === 0; item = waiting.shift()) {
      await work(item).catch((error: unknown) => failures.push(error))
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  if (failures.length > 0) throw failures[0]
}

test('wherever the power goes during an update, the device starts again and the update comes to its end', {
  timeout: 300_000,
}, async () => {
  const ledger = await recordSteps()
  for (const [index, step] of ledger.entries()) {
    if (!step.includes(' renameSync ')) continue
    // A name may only appear when the content is on the disk, and stays only when its folder is.
    expect(ledger[index - 1], step).toMatch(/ fsyncSync /)
    expect(ledger[index + 1], step).toMatch(/ fsyncSync (client|files)$/)
  }
  const steps = numbered(ledger).filter(
    (step) => !step.includes('writeSync sha256.part') || WRITES_OF_DOWNLOAD.includes(step),
  )
  console.log(`${steps.length} steps`)
  expect(steps.length).toBeGreaterThan(40)
  await inLanes(steps, async (step) => {
    const device = await rig.addDevice()
    const { updateId } = await offerNew(device)
    device.start({ killAt: step })
    expect(await device.gone(), `${step}\n${device.output()}`).toMatchObject({ signal: 'SIGKILL' })
    await expectEnd(device, updateId, step)
  })
})

test('the same while a release that does not start is given up', { timeout: 200_000 }, async () => {
  const bad = await rig.releases.ofProgram('process.exit(3)', NEW)
  const expectFailed = async (device: RigDevice, updateId: string, about: string) => {
    const reason = `Version ${NEW} ended with code 3 before it was connected.`
    expect(await device.ended(updateId), about).toMatchObject({ step: 'failed', version: OLD, reason })
    expect(device.state('current'), about).toMatchObject({ version: OLD })
    expect(device.state('trial'), about).toBeUndefined()
    await until(() => device.reportedVersion() === OLD, `a report of the old version after ${about}`, 30_000)
    await device.kill()
  }
  const startBad = async (killAt?: string) => {
    const device = await rig.addDevice()
    const offer = rig.publish(bad)
    await device.offer(offer)
    device.start(killAt === undefined ? {} : { killAt })
    return { device, updateId: offer.updateId }
  }
  const { device: undisturbed, updateId: first } = await startBad()
  await expectFailed(undisturbed, first, 'nothing')
  const steps = numbered(undisturbed.ledger())
  const ending = steps.slice(steps.indexOf('trial starts#1'))
  expect(ending).toContain('launcher renameSync failed.json#1')
  await inLanes(ending, async (step) => {
    const { device, updateId } = await startBad(step)
    expect(await device.gone(), `${step}\n${device.output()}`).toMatchObject({ signal: 'SIGKILL' })
    device.start()
    await expectFailed(device, updateId, step)
    expect(device.programs(), step).toEqual([`${OLD}.mjs`])
  })
})

test('the same when it goes in the moment in which the server hears something', { timeout: 120_000 }, async () => {
  const heard: readonly ((device: RigDevice, updateId: string) => boolean)[] = [
    (device, updateId) => device.progress(updateId).some(({ step }) => step === 'restarting'),
    (device) => rig.broker.messages.some(({ guid, msg }) => guid === device.guid && msg === `Started, client ${NEW}.`),
    (device) => device.reportedVersion() === NEW,
    (device, updateId) => device.progress(updateId).some(({ step }) => step === 'done'),
  ]
  await inLanes(heard, async (isHeard) => {
    const device = await rig.addDevice()
    const { updateId } = await offerNew(device)
    device.start()
    await until(() => isHeard(device, updateId), 'what the server waits for', 30_000)
    await device.kill()
    await expectEnd(device, updateId, String(isHeard))
  })
})

test('a release in whose trial the power goes three times is given up, and the old one says so', async () => {
  const device = await rig.addDevice()
  const { updateId } = await offerNew(device)
  for (let cut = 1; cut <= 3; cut++) {
    device.start({ killAt: 'trial starts' })
    expect(await device.gone(), device.output()).toMatchObject({ signal: 'SIGKILL' })
  }
  device.start()
  expect(await device.ended(updateId)).toMatchObject({
    step: 'failed',
    version: OLD,
    reason: 'Version 1.0.1 was started 3 times, and each time the device stopped before it was connected.',
  })
  expect(device.state('trial')).toBeUndefined()
  expect(device.programs()).toEqual([`${OLD}.mjs`])
  // The same offer comes with every connect, and is over; a new one is another chance.
  const again = await offerNew(device)
  expect(await device.ended(again.updateId)).toMatchObject({ step: 'done', version: NEW })
  expect(device.progress(updateId).at(-1)?.step).toBe('failed')
})
