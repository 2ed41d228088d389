import { afterEach, beforeEach, expect, test } from 'vitest'
import { eventsTopic } from '#contract/mqtt/topics.ts'
import { GUID, startTestAgent, type TestAgent, temporaryFolder } from '#device/testing/testAgent.ts'
import { startTestBroker, type TestBroker, until } from '#device/testing/testBroker.ts'
import { eventTypeByTopic } from '#domain/catalogue/eventTypes.ts'
import { reportedComponents, standardComponents } from '#domain/components/standardComponents.ts'
import type { DeviceModelId } from '#domain/ids.ts'
import { passTime } from '#testing/passTime.ts'
import type { DeviceStore } from './store/deviceStore.ts'

let broker: TestBroker
const agents: TestAgent[] = []
let settings: unknown
let serverNow: () => Date

function start(options: Partial<Parameters<typeof startTestAgent>[0]> = {}): TestAgent {
  const started = startTestAgent({ url: broker.url, ...options })
  agents.push(started)
  return started
}

beforeEach(async () => {
  settings = undefined
  serverNow = () => new Date()
  broker = await startTestBroker({
    settings: () => settings,
    now: () => serverNow(),
    isAllowed: (_, key) => key === 'key',
  })
})
afterEach(async () => {
  for (const { stop } of agents.splice(0)) await stop().catch(() => undefined)
  await broker.stop()
})

test('every component of the model is reported whole, in words of the catalogue', async () => {
  start({ modelId: 16 })
  const topics = reportedComponents(16 as DeviceModelId, standardComponents(16 as DeviceModelId)).map(
    ({ topic, number }) => eventsTopic(GUID, topic, number).slice(`v1/devices/${GUID}/`.length),
  )
  await until(() => topics.every((topic) => broker.reports.some((report) => report.topic === topic)), topics.join())
  expect(new Set(broker.reports.map(({ topic }) => topic))).toEqual(new Set(topics))
  for (const { topic, values } of broker.reports) {
    const names = eventTypeByTopic(topic.split('/')[1] ?? '')?.fields.map(({ name }) => name) ?? []
    expect(Object.keys(values).filter((name) => !names.includes(name))).toEqual([])
  }
})

test('after the full report only what changed is sent, and a full one follows every minute', async () => {
  let nowMs = Date.UTC(2026, 6, 1, 3, 19, 50)
  serverNow = () => new Date(nowMs)
  start({ now: () => nowMs, faults: [{ kind: 'onBattery', everyMinutes: 60, forMinutes: 10, phaseMinutes: 20 }] })
  const fullReports = () =>
    broker.reports.filter(({ topic, values }) => topic === 'events/device' && 'client_version' in values).length
  const partialReports = () => broker.reports.length - fullReports()
  await until(() => fullReports() > 0, 'the first full report')
  await passTime(200, 'what belongs to the full report has come')
  const [full, partial] = [fullReports(), partialReports()]
  nowMs += 20_000
  await until(() => partialReports() > partial, 'a change')
  expect(fullReports()).toBe(full)
  nowMs += 40_000
  await until(() => fullReports() === full + 1, 'the next full report')
})

test('the settings of the server decide what is reported, and are kept over a restart without a network', async () => {
  const folder = temporaryFolder()
  settings = {
    version: 3,
    modelId: 22,
    timeZone: 'UTC',
    components: [{ componentModelId: 17, number: 2, label: 'Rear' }],
  }
  const first = start({ folder, modelId: 1 })
  await until(() => broker.reports.some(({ topic }) => topic === 'events/display/2'), 'display 2 reports')
  await first.stop()
  const second = start({ folder, modelId: 1, url: 'mqtt://127.0.0.1:9' })
  expect(second.agent.settings()).toMatchObject({ modelId: 22, components: [{ number: 2 }] })
})

test('a wrong key is said so and tried again, without a storm', async () => {
  const { log } = start({ key: 'wrong' })
  await until(() => log.some((line) => line.startsWith('No connection')), 'the refusal')
  expect(log.join()).toMatch(/Not authorized|Bad (user ?name|username) or password/i)
  expect(log.filter((line) => line.startsWith('No connection'))).toHaveLength(1)
})

test('the server hears when the agent started and came back', async () => {
  start()
  await until(() => broker.messages.length >= 2, 'the first messages')
  // Each message carries its own time, because their order of arrival is not guaranteed.
  expect(broker.messages.map(({ msg }) => msg).toSorted()).toEqual(['Connected.', 'Started, client 1.2.3.'])
  await broker.stop()
  await broker.start()
  await until(() => broker.messages.some(({ msg }) => msg.startsWith('Reconnected after')), 'the return')
})

test('a device without network goes on recording and sends it all afterwards', async () => {
  let nowMs = Date.UTC(2026, 10, 20, 12)
  serverNow = () => new Date(nowMs)
  const { agent } = start({
    now: () => nowMs,
    // The device is offline from minute 10 to minute 20 of every hour.
    faults: [{ kind: 'offline', everyMinutes: 60, forMinutes: 10, phaseMinutes: 10 }],
  })
  // The device must have the server's time by then: later, it would take the jump for a clock that was set.
  await until(() => broker.connectedCount() === 1 && broker.reports.length > 0, 'connected')
  nowMs += 11 * 60_000
  await until(() => broker.connectedCount() === 0, 'gone')
  const heard = broker.reports.length
  for (let minute = 11; minute < 20; minute++) {
    await passTime(120, 'without network nothing tells that it was recorded')
    nowMs += 60_000
  }
  expect(broker.reports.length).toBe(heard)
  await until(() => agent.isUp(), 'back')
  const minutes = () =>
    new Set(broker.reports.filter(({ topic }) => topic === 'events/device').map(({ at }) => at.slice(11, 16)))
  await until(
    () => ['12:12', '12:13', '12:14', '12:15', '12:16', '12:17', '12:18'].every((m) => minutes().has(m)),
    'all',
  )
})

test('a change that could not be kept is told as soon as it can be', async () => {
  let isRefusing = false
  let refused = 0
  const aroundStore = (store: DeviceStore): DeviceStore => ({
    ...store,
    append: (topic, ...entry) => {
      if (!isRefusing || topic !== 'events/power-switch') return store.append(topic, ...entry)
      refused++
      return Promise.reject(new Error('the disk is full'))
    },
  })
  const { hardware } = start({ aroundStore })
  const ports = () =>
    broker.reports.flatMap(({ topic, values }) => (topic === 'events/power-switch' ? [values.port1_status] : []))
  await until(() => ports().length > 0, 'the first report of the outlets')
  isRefusing = true
  await hardware.powerSwitch()?.set(1, false)
  await until(() => refused > 0, 'the disk refuses')
  isRefusing = false
  await until(() => ports().at(-1) === 0, 'the outlet is reported off')
})
