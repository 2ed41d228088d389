import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { afterEach, expect, test } from 'vitest'
import { MAXIMUM_REPORTS } from '#contract/mqtt/report.ts'
import { GUID, openTestStore, startTestAgent, temporaryFolder } from '#device/testing/testAgent.ts'
import { type Received, startTestBroker, until } from '#device/testing/testBroker.ts'
import { passTime } from '#testing/passTime.ts'

const children: ChildProcess[] = []
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

const keyOf = ({ topic, at }: Pick<Received, 'topic' | 'at'>) => `${topic} ${at}`
const report = (values: object) => (at: Date) => ({ at: at.toISOString(), values })

test('what was said to be on disk is there after a kill -9, six times, and no time is used twice', {
  timeout: 60_000,
}, async () => {
  const folder = temporaryFolder()
  const kept: string[] = []
  for (let round = 0; round < 6; round++) {
    const child = spawn(process.execPath, [new URL('../../testing/storeWriter.ts', import.meta.url).pathname, folder])
    children.push(child)
    createInterface({ input: child.stdout }).on('line', (line) => kept.push(line))
    const before = kept.length
    await until(() => kept.length > before + 20 + 15 * round, 'entries written')
    child.kill('SIGKILL')
    await once(child, 'close')
  }
  const store = openTestStore(folder)
  const found = store
    .device(GUID)
    .unsent('events/device', 0, { count: 1_000_000, bytes: 1e9, except: new Set() })
    .map(({ payload }) => JSON.parse(payload).at)
  store.close()
  expect(kept.filter((at) => !found.includes(at))).toEqual([])
  expect(new Set(found).size).toBe(found.length)
  expect(kept.length).toBeGreaterThan(250)
  console.log(`${kept.length} entries said to be kept, ${found.length} found, 0 lost`)
})

test('nothing is lost over outages and a restart, and nothing comes that was not recorded', async () => {
  const folder = temporaryFolder()
  const broker = await startTestBroker()
  const said: string[] = []
  const sayLines = async (say: (msg: string) => void, lines: number) => {
    for (let line = 0; line < lines; line++) {
      said.push(`line ${said.length}`)
      say(said.at(-1) ?? '')
      await passTime(2, 'lines come one after the other')
    }
  }
  const first = startTestAgent({ url: broker.url, folder, lookEveryMs: 100_000 })
  await until(() => first.agent.isUp(), 'connected')
  await sayLines(first.agent.say, 40)
  // The broker acknowledges nothing any more, and then goes away with everything in flight.
  broker.isDeaf = true
  await sayLines(first.agent.say, 40)
  await broker.stop()
  await sayLines(first.agent.say, 60)
  broker.isDeaf = false
  await broker.start()
  await until(() => first.agent.isUp(), 'connected again')
  await sayLines(first.agent.say, 20)
  await first.stop()
  const second = startTestAgent({ url: broker.url, folder, lookEveryMs: 100_000 })
  await sayLines(second.agent.say, 20)
  const heard = () => new Set(broker.messages.map(({ msg }) => msg).filter((msg) => msg.startsWith('line ')))
  await until(() => heard().size >= said.length, 'everything said')
  await second.stop()
  await broker.stop()
  expect([...heard()].sort()).toEqual([...said].sort())
  console.log(`${said.length} messages said, ${broker.messages.length} acknowledged, 0 lost`)
})

test('a day of reports kept without a network arrives complete, each component oldest first, in bounded arrays', {
  timeout: 60_000,
}, async () => {
  const folder = temporaryFolder()
  const store = openTestStore(folder)
  const device = store.device(GUID)
  const topics = ['events/device', 'events/display', 'events/display/2', 'events/ups']
  const dayAgoMs = Date.now() - 86_400_000
  const filler = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`fan${index}_speed`, 1000 + index]))
  const appended = Array.from({ length: 1440 }, (_, minute) =>
    topics.map((topic) => device.append(topic, dayAgoMs + minute * 60_000, report({ ...filler, uptime: minute }))),
  )
  const recorded = (await Promise.all(appended.flat())).map(({ topic, payload }) =>
    keyOf({ topic, ...JSON.parse(payload) }),
  )
  store.close()

  const broker = await startTestBroker({ ackDelayMs: 10 })
  const { stop } = startTestAgent({ url: broker.url, folder, lookEveryMs: 500 })
  await until(() => new Set(broker.reports.map(keyOf)).size >= recorded.length, 'the whole day', 20_000)
  await stop()
  await broker.stop()

  const arrived = broker.reports.map(keyOf)
  expect(recorded.filter((key) => !arrived.includes(key))).toEqual([])
  for (const topic of topics) {
    const uptimes = broker.reports
      .filter((received) => received.topic === topic && 'fan0_speed' in received.values)
      .map(({ values }) => Number(values.uptime))
    expect(uptimes).toEqual([...uptimes].sort((a, b) => a - b))
  }
  expect(Math.max(...broker.packets.map(({ reportCount }) => reportCount))).toBeLessThanOrEqual(MAXIMUM_REPORTS)
  expect(Math.max(...broker.packets.map(({ bytes }) => bytes))).toBeLessThanOrEqual(48 * 1024)
  // Components come together: each array is beside one of every other topic.
  const arrays = broker.packets.filter(({ reportCount }) => reportCount > 1).map(({ topic }) => topic)
  expect(arrays.length).toBeGreaterThan(4 * topics.length)
  for (let index = 0; index < arrays.length; index += topics.length) {
    expect(arrays.slice(index, index + topics.length).toSorted()).toEqual(topics)
  }
  const firstLive = broker.reports.findIndex(({ values }) => 'client_version' in values)
  expect(firstLive).toBeGreaterThanOrEqual(0)
  expect(firstLive).toBeLessThan(recorded.length / 4)
})

test('a full store gives up the oldest entries, counts them and tells the server', async () => {
  const folder = temporaryFolder()
  const broker = await startTestBroker()
  const { agent, store, stop } = startTestAgent({ url: 'mqtt://127.0.0.1:9', folder, maximumBytes: 60_000 })
  const device = store.device(GUID)
  for (let n = 0; n < 600; n += 20) {
    const some = Array.from({ length: 20 }, (_, index) => report({ load: n + index }))
    await Promise.all(some.map((values) => device.append('events/ups', Date.now(), values)))
  }
  const left = device.unsent('events/ups', 0, { count: 1e6, bytes: 1e9, except: new Set() })
  expect(JSON.parse(left.at(-1)?.payload ?? '').values.load).toBe(599)
  expect(left.length).toBeLessThan(600)
  expect(agent.isUp()).toBe(false)
  await stop()
  const again = startTestAgent({ url: broker.url, folder })
  await until(
    () => broker.messages.some(({ msg }) => /^The store is full: the \d+ oldest entries/.test(msg)),
    'said so',
  )
  await again.stop()
  await broker.stop()
})
