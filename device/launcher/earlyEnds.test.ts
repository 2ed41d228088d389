import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildReleases, type Releases } from '#device/testing/releases.ts'
import { until } from '#device/testing/testBroker.ts'
import { type RigDevice, startUpdateRig, type UpdateRig } from '#device/testing/updateRig.ts'

const LONG_MS = 60_000
/** Runs these lines at each start, as soon as the launcher has kept this version. */
const afterTrial = (version: string, lines: string) => `
const folder = process.argv[process.argv.indexOf('--client') + 1]
const look = setInterval(() => {
  try {
    const current = process.getBuiltinModule('node:fs').readFileSync(folder + '/current.json', 'utf8')
    if (JSON.parse(current).version !== '${version}') return
  } catch { return }
  clearInterval(look)
  ${lines}
}, 50)
`
const ON_COMMAND = `{
const { Socket } = process.getBuiltinModule('node:net')
const push = Socket.prototype.push
Socket.prototype.push = function (chunk, ...rest) {
  if (String(chunk).includes('commands/')) throw new Error('No such command.')
  return push.call(this, chunk, ...rest)
}}
`
const ON_REPORT = `{
const { Socket } = process.getBuiltinModule('node:net')
const write = Socket.prototype.write
Socket.prototype.write = function (chunk, ...rest) {
  if (String(chunk).includes('events/')) {
    console.error('No such report.')
    process.exit(9)
  }
  return write.call(this, chunk, ...rest)
}}
`

let releases: Releases
let rig: UpdateRig
beforeAll(async () => {
  releases = await buildReleases()
  rig = await startUpdateRig(releases)
}, 60_000)
afterAll(() => rig.stop())

async function startWith(lines: string) {
  const device = await rig.addDevice({ trialSeconds: 60 })
  const update = rig.publish(await releases.agentAfter(lines, '1.0.1'))
  await device.offer(update)
  device.start()
  const steps = () => device.progress(update.updateId).map(({ step }) => step)
  return { device, steps, progress: () => device.progress(update.updateId) }
}

const connects = ({ guid }: RigDevice) =>
  rig.broker.messages.filter((one) => one.guid === guid && /^(Connected|Reconnected)/.test(one.msg)).length

async function expectTakenBack({ device, steps, progress }: Awaited<ReturnType<typeof startWith>>, words: RegExp) {
  await until(() => steps().includes('failed'), `failed; it said:\n${device.output()}`, LONG_MS)
  const end = progress().find(({ step }) => step === 'failed')
  // The server knew before that it was done, and learns it again at each new start.
  expect(steps().indexOf('done')).toBeGreaterThan(-1)
  expect(steps().indexOf('done')).toBeLessThan(steps().indexOf('failed'))
  expect(end).toMatchObject({ version: '1.0.0' })
  expect(end?.reason).toMatch(words)
  await until(() => device.reportedVersion() === '1.0.0', 'a report of the one before', LONG_MS)
  expect(device.programs()).toEqual(['1.0.0.mjs'])
  expect(device.state('current')).toMatchObject({ version: '1.0.0' })
  await device.kill()
}

test('a release that dies a second after its trial is taken back, and the server hears why', {
  timeout: 180_000,
}, async () => {
  const started = await startWith(
    afterTrial('1.0.1', `setTimeout(() => { throw new Error('The cache is full.') }, 1000)`),
  )
  await expectTakenBack(
    started,
    /^Version 1\.0\.1 ended 3 times before it had run for 30 min in one piece\. The last time it ended with code 1\. It last said: Error: The cache is full\.$/,
  )
})

test('a release that dies of each command is taken back after the third', { timeout: 180_000 }, async () => {
  const started = await startWith(ON_COMMAND)
  const { device, steps } = started
  await until(() => steps().includes('done'), 'done', LONG_MS)
  for (let sent = 0; sent < 3; sent++) {
    const before = connects(device)
    const now = Date.now()
    await rig.broker.send(`v1/devices/${device.guid}/commands/${randomUUID()}`, {
      ...{ name: 'device.reportNow', args: {} },
      issuedAt: new Date(now).toISOString(),
      expiresAt: new Date(now + 60_000).toISOString(),
    })
    await until(() => connects(device) > before, 'connected again', LONG_MS)
  }
  await expectTakenBack(started, /It last said: Error: No such command\.$/)
})

test('a release that dies of its first report never passes its trial', { timeout: 180_000 }, async () => {
  const { device, steps, progress } = await startWith(ON_REPORT)
  await until(() => steps().includes('failed'), `failed; it said:\n${device.output()}`, LONG_MS)
  expect(steps()).not.toContain('done')
  expect(progress().at(-1)?.reason).toMatch(/before it was connected\. It last said: No such report\.$/)
  await device.kill()
})
