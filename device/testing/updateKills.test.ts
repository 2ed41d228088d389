import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildReleases } from './releases.ts'
import { until } from './testBroker.ts'
import { mustEndUpdated, NEW, OLD, offerNew, recordSteps } from './updateKills.ts'
import { type RigDevice, startUpdateRig, type UpdateRig } from './updateRig.ts'

let rig: UpdateRig
beforeAll(async () => {
  rig = await startUpdateRig(await buildReleases())
}, 60_000)
afterAll(() => rig.stop())

test('a name appears only when its content is on the disk, and stays only when its folder is', async () => {
  const ledger = await recordSteps(rig)
  const renames = [...ledger.entries()].filter(([, step]) => step.includes(' renameSync '))
  expect(renames.length).toBeGreaterThan(3)
  for (const [index, step] of renames) {
    expect(ledger[index - 1], step).toMatch(/ fsyncSync /)
    expect(ledger[index + 1], step).toMatch(/ fsyncSync (client|files)$/)
  }
})

const HEARD: Readonly<Record<string, (device: RigDevice, updateId: string) => boolean>> = {
  'it restarts': (device, updateId) => device.progress(updateId).some(({ step }) => step === 'restarting'),
  'the new version has started': (device) =>
    rig.broker.messages.some(({ guid, msg }) => guid === device.guid && msg === `Started, client ${NEW}.`),
  'the new version reports': (device) => device.reportedVersion() === NEW,
  'it is done': (device, updateId) => device.progress(updateId).some(({ step }) => step === 'done'),
}

test.each(Object.entries(HEARD))(
  'the power goes in the moment in which the server hears that %s, and the update comes to its end',
  { timeout: 180_000 },
  async (_what, isHeard) => {
    const device = await rig.addDevice()
    const { updateId } = await offerNew(rig, device)
    device.start()
    await until(() => isHeard(device, updateId), 'what the server waits for', 60_000)
    await device.kill()
    await mustEndUpdated(device, updateId)
  },
)

test('a release in whose trial the power goes three times is given up, and the old one says so', async () => {
  const device = await rig.addDevice()
  const { updateId } = await offerNew(rig, device)
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
  // The same assignment comes with every connect, and is over; a new one is another chance.
  const again = await offerNew(rig, device)
  expect(await device.ended(again.updateId)).toMatchObject({ step: 'done', version: NEW })
  expect(device.progress(updateId).at(-1)?.step).toBe('failed')
})
