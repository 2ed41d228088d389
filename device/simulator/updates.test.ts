import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Fleet } from '#contract/fleet.ts'
import type { AssignedRelease, ClientProgress } from '#contract/mqtt/client.ts'
import { type ReleaseServer, startReleaseServer } from '#device/testing/releaseServer.ts'
import { offerOf } from '#device/testing/releases.ts'
import { temporaryFolder } from '#device/testing/testAgent.ts'
import { startTestBroker, type TestBroker, until } from '#device/testing/testBroker.ts'
import { updateFleet } from '#device/testing/updateFleet.ts'
import type { DeviceGuid } from '#domain/ids.ts'
import { makeRelease, newReleaseKey, publicReleaseKey } from '#tools/releaseFile.ts'
import { type Simulator, startSimulator } from './simulator.ts'

const COUNT = 20
const indexes = Array.from({ length: COUNT }, (_, index) => index)
const LONG_MS = 60_000
const [OLD, NEW] = ['1.0.0', '1.1.0']
const { key } = newReleaseKey()
const guidOf = (index: number) => `00000000-0000-4000-8000-0000000000${String(index).padStart(2, '0')}` as DeviceGuid
/** The new client fails to start on every tenth device. */
const fails = (index: number) => index % 10 === 3

let broker: TestBroker
let server: ReleaseServer
let offers: Map<string, AssignedRelease>
const simulators: Simulator[] = []

beforeEach(async () => {
  offers = new Map()
  let version = 0
  broker = await startTestBroker({
    settings: (guid) => ({
      version: ++version,
      modelId: 1,
      timeZone: 'UTC',
      components: [],
      client: offers.get(guid) ?? null,
    }),
  })
  server = await startReleaseServer()
})
afterEach(async () => {
  for (const simulator of simulators.splice(0)) await simulator.stop().catch(() => undefined)
  await Promise.all([broker.stop(), server.stop()])
})

const fleetWith = (trust: Parameters<typeof updateFleet>[0]['trust']) =>
  updateFleet({
    mqttUrl: broker.url,
    httpUrl: server.url,
    trust,
    devices: indexes.map((index) => ({ guid: guidOf(index), key: 'key' })),
    startsNew: (index) => !fails(index),
  })

function start(of: Fleet, dataFolder: string, clientVersion = OLD): Simulator {
  const simulator = startSimulator({
    fleet: of,
    dataFolder,
    clientVersion,
    trialMs: 20_000,
    lookEveryMs: 500,
    switchingMs: 5,
    log: () => undefined,
  })
  simulators.push(simulator)
  return simulator
}

const releaseOf = (version: string) => makeRelease(Buffer.from(`// ${'x'.repeat(200_000)}`), version, key)
function offerToAll(release: Uint8Array): void {
  for (let index = 0; index < COUNT; index++) offers.set(guidOf(index), offerOf(release))
  server.add(offerOf(release).sha256, release)
}
const endOf = (index: number) => {
  const id = `client-${offers.get(guidOf(index))?.updateId}`
  const said = broker.replies.filter(({ commandId }) => commandId === id)
  return said
    .map(({ reply }) => reply as unknown as ClientProgress)
    .find(({ step }) => step === 'done' || step === 'failed')
}
const allEnded = () => until(() => indexes.every((index) => endOf(index)), 'every device says how it ended', LONG_MS)
/** Returns the versions of the newest reports after this number of reports. */
const reported = (since: number) =>
  indexes.map((index) => {
    const of = broker.reports
      .slice(since)
      .filter(({ guid, values }) => guid === guidOf(index) && 'client_version' in values)
    return of.at(-1)?.values.client_version
  })
const versions = indexes.map((index) => (fails(index) ? OLD : NEW))

test('a fleet is updated; the tenth on which nothing new starts keeps the old client and says why', async () => {
  const folder = temporaryFolder()
  const of = fleetWith({ releaseKeys: [publicReleaseKey(key)] })
  offerToAll(await releaseOf(NEW))
  const first = start(of, folder)
  await allEnded()
  for (const index of indexes) {
    const reason = `Version ${NEW} ended with code 1 before it was connected.`
    expect(endOf(index)).toMatchObject(
      fails(index) ? { step: 'failed', version: OLD, reason } : { step: 'done', version: NEW, reason: null },
    )
  }
  const isReported = (since: number) =>
    until(() => reported(since).every((version, index) => version === versions[index]), 'the versions', LONG_MS)
  await isReported(0)
  expect(first.agents.every((agent) => agent.isUp())).toBe(true)
  expect(server.asked).toHaveLength(COUNT)
  expect(server.asked.every(({ sentBytes }) => sentBytes > 200_000)).toBe(true)
  // Nothing runs the files, so none of them stays.
  for (const name of readdirSync(join(folder, 'downloads'))) {
    expect(readdirSync(join(folder, 'downloads', name))).toEqual([])
  }

  const before = broker.reports.length
  await first.stop()
  const second = start(of, folder)
  await isReported(before)
  await second.stop()
  // A simulator with another version is another program.
  const later = broker.reports.length
  start(of, folder, '2.0.0')
  await until(() => reported(later).every((version) => version === '2.0.0'), 'the version of the simulator', LONG_MS)
})

test('without a release key pretend devices refuse, as real ones do, until there is one', async () => {
  const folder = temporaryFolder()
  offerToAll(await releaseOf(NEW))
  const releaseKeyFile = join(folder, 'release-key.pub')
  const of = fleetWith({ releaseKeyFile })
  start(of, folder)
  await allEnded()
  expect(endOf(0)?.reason).toMatch(/holds no release key/)
  expect(server.asked).toEqual([])
  expect(existsSync(join(folder, 'downloads'))).toBe(false)

  writeFileSync(releaseKeyFile, `${publicReleaseKey(key)}\n`)
  offerToAll(await releaseOf('1.2.0'))
  // The newest assignments come with the next connect.
  await broker.stop()
  await broker.start()
  await allEnded()
  expect(endOf(0)).toMatchObject({ step: 'done', version: '1.2.0' })
})
