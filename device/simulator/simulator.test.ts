import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Fleet, type FleetFile, fleet } from '#contract/fleet.ts'
import { temporaryFolder } from '#device/testing/testAgent.ts'
import { type Received, startTestBroker, type TestBroker, until } from '#device/testing/testBroker.ts'
import { reportedComponents, standardComponents } from '#domain/components/standardComponents.ts'
import type { DeviceGuid, DeviceModelId } from '#domain/ids.ts'
import { readFleet } from './fleetFile.ts'
import { type Simulator, startSimulator } from './simulator.ts'

const MODEL_IDS = [1, 15, 16, 22, 22] as DeviceModelId[]
const guidOf = (index: number) => `00000000-0000-4000-8000-00000000000${index}` as DeviceGuid

function fleetOf(mqttUrl: string, historyDays = 0, faults: FleetFile['devices'][number]['faults'] = []): Fleet {
  return fleet.parse({
    mqttUrl,
    httpUrl: 'http://127.0.0.1',
    historyDays,
    historyReportsPerSecond: 50_000,
    devices: MODEL_IDS.map((modelId, index) => ({
      guid: guidOf(index),
      key: 'key',
      name: `Display ${index}`,
      modelId,
      latitude: 48,
      longitude: 11,
      timeZone: 'Europe/Berlin',
      components: [...standardComponents(modelId)],
      seed: index,
      driver: index === 4 ? ('host' as const) : ('pretend' as const),
      faults,
    })),
  } satisfies FleetFile)
}

const YEAR_MINUTES = 365 * 24 * 60

let broker: TestBroker
const simulators: Simulator[] = []
const children: ChildProcess[] = []
const lines: string[] = []

function start(of: Fleet, dataFolder = temporaryFolder()): Simulator {
  const simulator = startSimulator({
    fleet: of,
    dataFolder,
    clientVersion: '1.2.3',
    trialMs: 60_000,
    lookEveryMs: 100,
    switchingMs: 5,
    log: (line) => lines.push(line),
  })
  simulators.push(simulator)
  return simulator
}

beforeEach(async () => {
  lines.length = 0
  broker = await startTestBroker()
})
afterEach(async () => {
  for (const simulator of simulators.splice(0)) await simulator.stop().catch(() => undefined)
  for (const child of children.splice(0)) child.kill('SIGKILL')
  await broker.stop()
})

test('five devices of four models report every component that they have; the host reports itself alone', async () => {
  start(fleetOf(broker.url))
  const topicsOf = (index: number) =>
    new Set(broker.reports.filter(({ guid }) => guid === guidOf(index)).map(({ topic }) => topic))
  const expected = MODEL_IDS.slice(0, 4).map(
    (modelId) => reportedComponents(modelId, standardComponents(modelId)).length,
  )
  await until(() => expected.every((count, index) => topicsOf(index).size === count), 'all components')
  await until(() => topicsOf(4).has('events/device'), 'the host')
  expect(topicsOf(4)).toEqual(new Set(['events/device']))
  await until(() => lines.includes('agents 5 of 5 connected'), 'said so')
})

test('a fault of the fleet file reaches the broker', async () => {
  start(fleetOf(broker.url, 0, [{ kind: 'sourceLost', everyMinutes: 60, forMinutes: 60 }]))
  await until(() => broker.reports.some(({ values }) => values.out_of_order_status === 'ARGB'), 'source lost')
})

const minuteKeys = (reports: readonly Received[]) =>
  reports.filter(({ at }) => at.endsWith(':00.000Z')).map(({ guid, topic, at }) => `${guid} ${topic} ${at}`)

test('the past is told once, complete, newest first, over a stop in the middle', { timeout: 60_000 }, async () => {
  const folder = temporaryFolder()
  const of = fleetOf(broker.url, 1)
  const first = start({ ...of, historyReportsPerSecond: 20_000 }, folder)
  // The first piece of ten-minute steps reaches eight hours back, minutes follow newest first.
  await until(() => lines.includes('history 50 %'), 'the first half', 20_000)
  await first.stop()
  const told = minuteKeys(broker.reports).length
  lines.length = 0
  await start(of, folder).history
  expect(lines).toContain('history 100 %')

  const keys = minuteKeys(broker.reports)
  const expected = MODEL_IDS.slice(0, 4)
    .map((modelId) => reportedComponents(modelId, standardComponents(modelId)).length * 1440)
    .reduce((sum, count) => sum + count)
  // The minute that began during the test may belong to either side.
  expect(Math.abs(new Set(keys).size - expected)).toBeLessThan(100)
  expect(keys.length - new Set(keys).size).toBeLessThan(4 * 10 * 50)
  const times = keys.slice(0, told).map((key) => Date.parse(key.split(' ')[2] ?? ''))
  expect(Math.min(...times.slice(0, 200))).toBeGreaterThan(Math.min(...times.slice(-200)))

  lines.length = 0
  await simulators.at(-1)?.stop()
  await start(of, folder).history
  expect(lines.filter((line) => line.startsWith('history'))).toEqual([])
})

test('a device that is away for good has told what came before, and nothing since', { timeout: 30_000 }, async () => {
  const away = { kind: 'offline' as const, everyMinutes: YEAR_MINUTES, forMinutes: YEAR_MINUTES / 2 }
  const beganMs = Math.floor(Date.now() / 60_000) * 60_000 - 90 * 60_000
  const of = fleetOf(broker.url, 1)
  const phaseMinutes = (beganMs / 60_000) % YEAR_MINUTES
  const devices = of.devices
    .slice(0, 2)
    .map((device, index) => (index === 0 ? { ...device, faults: [{ ...away, phaseMinutes }] } : device))
  await start({ ...of, devices }).history
  const times = broker.reports.filter(({ guid }) => guid === guidOf(0)).map(({ at }) => Date.parse(at))
  expect(Math.max(...times)).toBeLessThan(beganMs)
  expect(Math.max(...times)).toBeGreaterThan(beganMs - 2 * 60_000)
  expect(simulators.at(-1)?.agents.map((agent) => agent.isUp())).toEqual([false, true])
  expect(lines).toContain('history: the last day is told')
})

function spawnSimulator(stdin: 'pipe' | 'ignore'): ChildProcess {
  const folder = temporaryFolder()
  const file = join(folder, 'fleet.json')
  writeFileSync(file, JSON.stringify(fleetOf(broker.url, 30)))
  const main = new URL('./main.ts', import.meta.url).pathname
  const child = spawn(process.execPath, [main, '--fleet', file], { stdio: [stdin, 'pipe', 'inherit'] })
  children.push(child)
  if (child.stdout) createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  return child
}

test('SIGTERM ends it at once, in the middle of telling the past', async () => {
  const child = spawnSimulator('ignore')
  await until(() => lines.includes('agents 5 of 5 connected'), 'connected')
  child.kill('SIGTERM')
  const [code] = await once(child, 'exit')
  expect(code).toBe(0)
})

test('it ends when its parent closes the pipe', async () => {
  const child = spawnSimulator('pipe')
  await until(() => lines.includes('agents 5 of 5 connected'), 'connected')
  child.stdin?.end()
  const [code] = await once(child, 'exit')
  expect(code).toBe(0)
})

test('a wrong fleet file is refused in one sentence that names the field', () => {
  const file = join(temporaryFolder(), 'fleet.json')
  const content = JSON.parse(JSON.stringify(fleetOf(broker.url)))
  content.devices[2].latitude = 'north'
  writeFileSync(file, JSON.stringify(content))
  expect(() => readFleet(file)).toThrow(/field "devices\.2\.latitude" is wrong/)
})
