import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AssignedRelease } from '#contract/mqtt/client.ts'
import { buildReleases, type Releases } from '#device/testing/releases.ts'
import { until } from '#device/testing/testBroker.ts'
import { type RigDevice, startUpdateRig, type UpdateRig } from '#device/testing/updateRig.ts'

const LONG_MS = 30_000
/** Runs the agent itself, with a configuration whose server does not exist. */
const WITHOUT_SERVER = `
const at = process.argv.indexOf('--config') + 1
const fs = process.getBuiltinModule('node:fs')
const lost = process.argv[at] + '.lost'
fs.writeFileSync(lost, JSON.stringify({ ...JSON.parse(fs.readFileSync(process.argv[at], 'utf8')), mqttUrl: 'mqtt://127.0.0.1:9' }))
process.argv[at] = lost
`

let releases: Releases
let rig: UpdateRig
beforeAll(async () => {
  releases = await buildReleases()
  rig = await startUpdateRig(releases)
}, 60_000)
afterAll(() => rig.stop())

async function startWith(release: Uint8Array, options: Parameters<UpdateRig['addDevice']>[0] = {}) {
  const device = await rig.addDevice(options)
  const update = rig.publish(release)
  await device.offer(update)
  device.start()
  return { device, update }
}

/** The old version runs and reports, and the tried one has left nothing that could be started. */
async function expectOldOne(device: RigDevice, update: AssignedRelease): Promise<void> {
  const { version } = update
  const greetings = () => rig.broker.messages.filter(({ guid, msg }) => guid === device.guid && msg === 'Connected.')
  const isBack = () => greetings().length >= 2 && device.reportedVersion() === '1.0.0'
  await until(isBack, `reports of the old one:\n${device.output()}`, LONG_MS)
  expect(device.state('current')).toMatchObject({ version: '1.0.0' })
  expect(device.state('failed')).toMatchObject({ version, updateId: update.updateId })
  expect(device.state('trial')).toBeUndefined()
  expect(device.programs()).toEqual(['1.0.0.mjs'])
}

test.concurrent.each<[string, () => Promise<Uint8Array>, RegExp]>([
  [
    'has a mistake in its syntax',
    () => releases.ofProgram('this is no program', '1.0.1'),
    /^Version 1\.0\.1 ended with code 1 before it was connected\. It last said: SyntaxError: /,
  ],
  [
    'ends by itself',
    () => releases.ofProgram(`console.error('No display is here.'); process.exit(3)`, '1.0.1'),
    /^Version 1\.0\.1 ended with code 3 before it was connected\. It last said: No display is here\.$/,
  ],
  [
    'is killed',
    () => releases.ofProgram(`process.kill(process.pid, 'SIGSEGV'); setInterval(() => {}, 1000)`, '1.0.1'),
    /^Version 1\.0\.1 was ended by SIGSEGV before it was connected\.$/,
  ],
  [
    'starts, but cannot connect',
    () => releases.agentAfter(WITHOUT_SERVER, '1.0.1'),
    // The output before depends on how far a slow computer has come: lastOutput.test.ts.
    /^Version 1\.0\.1 was not connected and healthy within 8 seconds\./,
  ],
  [
    'hangs, and hears no signal',
    () => releases.ofProgram(`process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)`, '1.0.1'),
    /^Version 1\.0\.1 was not connected and healthy within 8 seconds\.$/,
  ],
])('the old one comes back when the new one %s, and says why', { timeout: 90_000 }, async (_, made, reason) => {
  const { device, update } = await startWith(await made(), { trialSeconds: 8 })
  const end = await device.ended(update.updateId)
  expect(end).toMatchObject({ step: 'failed', version: '1.0.0', receivedBytes: null })
  expect(end.reason).toMatch(reason)
  expect(end.reason).not.toContain('secret-key')
  await expectOldOne(device, update)
  await device.kill()
})

test('a pretend device on which no new client starts falls back, too', async () => {
  const { device, update } = await startWith(await releases.agent('1.0.1'), {
    agentArguments: ['--fault', 'clientUpdateFails'],
  })
  expect((await device.ended(update.updateId)).reason).toBe(
    'Version 1.0.1 ended with code 1 before it was connected. It last said: This pretend device starts no new client.',
  )
  await expectOldOne(device, update)
  await device.kill()
})

test('updates follow one another, also back; only the last one that has proven itself is kept beside', async () => {
  const { device, update } = await startWith(await releases.agent('1.0.1'))
  await device.ended(update.updateId)
  const next = rig.publish(await releases.agent('1.10.0'))
  await device.offer(next)
  expect(await device.ended(next.updateId)).toMatchObject({ step: 'done', version: '1.10.0' })
  await until(() => device.state('current')?.version === '1.10.0', 'the launcher keeps it', LONG_MS)
  await until(() => device.programs().length === 2, 'the other is gone', LONG_MS)
  expect([...device.programs()].sort()).toEqual(['1.0.0.mjs', '1.10.0.mjs'])
  const back = rig.publish(await releases.agent('1.0.0'))
  await device.offer(back)
  expect(await device.ended(back.updateId)).toMatchObject({ step: 'done', version: '1.0.0' })
  await until(() => device.reportedVersion() === '1.0.0', 'a report of the older one', LONG_MS)
  // The file was on the device already.
  expect(device.progress(back.updateId).map(({ step }) => step)).toEqual(['restarting', 'done'])

  await device.stop()
  expect(await device.gone()).toEqual({ code: 0, signal: null })
  expect(device.output().match(/Disconnected: stopped\./g)).toHaveLength(4)
})

test('whatever is damaged in its folder, a whole client is started: the one before, else the first', async () => {
  const { device, update } = await startWith(await releases.agent('1.0.1'))
  await device.ended(update.updateId)
  await until(() => device.state('confirmed') === undefined && device.state('trial') === undefined, 'settled', LONG_MS)
  await device.kill()
  const client = join(device.folder, 'data', 'client')
  const startsAgain = async (version: string) => {
    const before = rig.broker.reports.length
    const isUp = () =>
      rig.broker.reports
        .slice(before)
        .some(({ guid, values }) => guid === device.guid && values.client_version === version)
    device.start()
    await until(isUp, `version ${version}:\n${device.output()}`, LONG_MS)
    await device.kill()
  }
  await device.offer(null)
  writeFileSync(join(client, 'current.json'), '{"version":')
  await startsAgain('1.0.1')
  expect(device.state('current')).toMatchObject({ version: '1.0.1' })

  const file = join(client, 'files', '1.0.1.mjs')
  writeFileSync(file, readFileSync(file).subarray(0, 1000))
  await startsAgain('1.0.0')

  for (const name of readdirSync(join(client, 'files'))) rmSync(join(client, 'files', name))
  writeFileSync(join(client, 'trial.json'), 'null')
  await startsAgain('1.0.0')
  expect(device.programs()).toEqual(['1.0.0.mjs'])
})

test('a trial whose file is damaged is not started', async () => {
  const device = await rig.addDevice()
  const update = rig.publish(await releases.agent('1.0.1'))
  await device.offer(update)
  device.start({ killAt: 'agent fsyncSync client' })
  await device.gone()
  const file = join(device.folder, 'data', 'client', 'files', '1.0.1.untried.mjs')
  expect(device.state('trial')).toMatchObject({ attempts: 0, version: '1.0.1' })
  writeFileSync(file, Buffer.concat([readFileSync(file), Buffer.from('//')]))
  device.start()
  const end = await device.ended(update.updateId)
  expect(end.reason).toBe('The file of version 1.0.1 is missing or damaged on the disk of the device.')
  await expectOldOne(device, update)
  await device.kill()
})

test.each([
  ['the client', 'agent .*', 'The device cannot write the new client to its disk: it is full.'],
  ['launcher and client', '.*', 'The device cannot write the new client to its disk: it is full.'],
  ['the launcher', 'launcher .*', 'The new client was put in place 3 times, but the launcher has not tried it.'],
])(
  'a disk that takes nothing of %s ends the update with the reason; the old client runs',
  async (_, failAt, reason) => {
    const device = await rig.addDevice()
    const update = rig.publish(await releases.agent('1.0.1'))
    await device.offer(update)
    device.start({ failAt })
    expect(await device.ended(update.updateId)).toMatchObject({ step: 'failed', version: '1.0.0', reason })
    await until(() => device.reportedVersion() === '1.0.0', 'a report', LONG_MS)
    expect(device.output()).not.toContain('Starting version 1.0.1')
    await device.kill()
    // Another attempt works once there is free space again.
    const again = rig.publish(await releases.agent('1.0.1'))
    await device.offer(again)
    device.start()
    expect(await device.ended(again.updateId)).toMatchObject({ step: 'done', version: '1.0.1' })
    await device.kill()
  },
)

const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)

test.skipIf(!existsSync('/proc/self/task'))(
  'a client that dies is started again; one whose launcher dies ends',
  async () => {
    const device = await rig.addDevice()
    device.start()
    // A client that is killed before its greeting is acknowledged sends it again beside the next.
    const greetings = () =>
      rig.broker.messages.filter(({ guid, msg }) => guid === device.guid && msg === 'Connected.').length
    await until(() => greetings() >= 1, 'connected', LONG_MS)
    const [launcher, second] = [device.pid(), spawnSync(process.execPath, device.command(), { encoding: 'utf8' })]
    expect(second.stderr).toMatch(/^Another launcher is already running on .*\n$/)
    expect(second.status).toBe(1)

    const before = greetings()
    process.kill(childrenOf(launcher)[0] ?? 0, 'SIGKILL')
    await until(() => greetings() > before, 'connected again', LONG_MS)
    expect(device.output()).toMatch(/Launcher: Version 1\.0\.0 was ended by SIGKILL; it is started again in 1 s\./)

    const [client = 0] = childrenOf(launcher)
    process.kill(launcher, 'SIGKILL')
    await until(() => !existsSync(`/proc/${client}`), 'the client has ended', LONG_MS)
    const ofFirst = greetings()
    device.start()
    await until(() => greetings() > ofFirst, 'connected under the next launcher', LONG_MS)
    await device.kill()
  },
)

test('what is wrong with the command line is said in words', async () => {
  const launch = (...words: string[]) => {
    const { stderr, status } = spawnSync(process.execPath, [rig.launcher, ...words], { encoding: 'utf8' })
    return { stderr, status }
  }
  expect(launch()).toMatchObject({ status: 1, stderr: expect.stringMatching(/^Usage: node wayside-launcher\.mjs/) })
  const config = join((await rig.addDevice()).folder, 'device.json')
  expect(launch('--config', config, '--trial-seconds', 'soon')).toEqual({
    status: 1,
    stderr: '--trial-seconds must be a number above 0.\n',
  })
  expect(launch(`--config=${config}`)).toEqual({
    status: 1,
    stderr: 'The launcher cannot go on: There is no client to start: --first names none.\n',
  })
  expect(launch('--config', config, '--first', config)).toEqual({
    status: 1,
    stderr: `The launcher cannot go on: ${config} cannot be used: This file is no release of the client: its first line does not say so.\n`,
  })
})
