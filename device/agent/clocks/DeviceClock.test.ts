import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Hardware } from '#device/hardware/hardware.ts'
import { startTestAgent, type TestAgent, temporaryFolder } from '#device/testing/testAgent.ts'
import { startTestBroker, type TestBroker, until } from '#device/testing/testBroker.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/units/time.ts'
import { passTime } from '#testing/passTime.ts'

/** A computer whose clock begins in 1970 and that has run for three minutes has this offset. */
const IN_1970 = -(Date.now() - 3 * MINUTE_MS)
const NEAR_MS = 2_000
/** The steady clock and the other one are not read in the same moment, and a busy computer lets time pass between them. */
const READ_APART_MS = 250

/** The server's clock has advanced by this much relative to the computer's steady clock. */
let serverAheadMs = 0
let broker: TestBroker
let agents: TestAgent[]
beforeEach(async () => {
  serverAheadMs = 0
  broker = await startTestBroker({ now: () => new Date(Date.now() + serverAheadMs) })
  agents = []
})
afterEach(async () => {
  for (const { stop } of agents) await stop().catch(() => undefined)
  await broker.stop().catch(() => undefined)
})

/** A device at rest reports hardly anything, so each look at this computer finds another load. */
function aroundHardware(hardware: Hardware): Hardware {
  let looks = 0
  const read = async () => {
    looks += 1
    return { ...(await hardware.computer.read()), cpu_load: looks % 2 === 0 ? 10 : 90 }
  }
  return { ...hardware, computer: { ...hardware.computer, read } }
}

function start(options: Partial<Parameters<typeof startTestAgent>[0]>): TestAgent {
  const started = startTestAgent({ url: broker.url, aroundHardware, ...options })
  agents.push(started)
  return started
}

const times = () => broker.reports.map(({ at }) => Date.parse(at))
/** No two reports of a component may have the same time; a report that MQTT delivers twice is still one. */
const isUnique = () => {
  const different = new Set(broker.reports.map(({ topic, at, values }) => JSON.stringify([topic, at, values])))
  return new Set(broker.reports.map(({ topic, at }) => `${topic} ${at}`)).size === different.size
}

test.each([
  ['56 years behind', IN_1970],
  ['2 h 0 min behind', -2 * HOUR_MS],
  ['1 h 0 min ahead', HOUR_MS],
  ['400 d 0 h ahead', 400 * DAY_MS],
])('a computer whose clock is %s reports by the clock of the server, and says so', async (words, aheadMs) => {
  const beganMs = Date.now()
  const { log } = start({ nowAhead: () => aheadMs })
  await until(() => broker.reports.length > 10, 'reports')
  const wrong = times().filter((atMs) => atMs < beganMs - NEAR_MS || atMs > Date.now() + NEAR_MS)
  expect(wrong).toEqual([])
  expect(isUnique()).toBe(true)
  const size = words.startsWith('56 years') ? / d \d+ h behind \(1970-01-01T00:03/ : words
  expect(log.join('\n')).toMatch(size)
  await until(() => broker.messages.some(({ msg }) => msg.includes('The clock of the server is used.')), 'the message')
})

test('what was measured before the server was known keeps its distances, over a restart too', async () => {
  const folder = temporaryFolder()
  await broker.stop()
  const beganMs = Date.now()
  const first = start({ folder, nowAhead: () => IN_1970 })
  await passTime(400, 'without a server nothing tells that it was recorded')
  await first.stop()
  const stoppedMs = Date.now()
  await passTime(4 * READ_APART_MS, 'the program is not there for a while')
  const againMs = Date.now()
  start({ folder, nowAhead: () => IN_1970 })
  await passTime(300, 'without a server nothing tells that it was recorded')
  await broker.start()
  await until(() => times().some((atMs) => atMs > againMs + 400), 'reports of the present')
  await until(() => times().some((atMs) => atMs < stoppedMs), 'reports of the first start')
  const wrong = times().filter((atMs) => atMs < beganMs - READ_APART_MS || atMs > Date.now() + NEAR_MS)
  expect(wrong).toEqual([])
  // Nothing was measured while the program did not run.
  expect(times().filter((atMs) => atMs > stoppedMs + READ_APART_MS && atMs < againMs - READ_APART_MS)).toEqual([])
  expect(isUnique()).toBe(true)
})

test('a clock that is nearly right is left alone, and one that is set right is followed again', async () => {
  let aheadMs = 20_000
  const { log } = start({ nowAhead: () => aheadMs })
  await until(() => broker.reports.length > 5, 'reports')
  expect(times().every((atMs) => atMs > Date.now() + 10_000)).toBe(true)
  expect(log.join()).not.toContain('The clock of this computer')
  aheadMs = -DAY_MS
  const before = broker.reports.length
  await broker.stop()
  await broker.start()
  await until(() => broker.reports.length > before + 5, 'reports of another connection')
  expect(times().filter((atMs) => Math.abs(atMs - Date.now()) > 60_000)).toEqual([])
  expect(log.join()).toContain('The clock of this computer is 1 d 0 h behind')
  aheadMs = 0
  await broker.stop()
  await broker.start()
  await until(() => log.join().includes('The clock of this computer is right again.'), 'the clock is right')
})

test('while a connection lasts, the time of the server is heard anew', async () => {
  const { log } = start({ nowAhead: () => IN_1970, askTimeEveryMs: 100 })
  await until(() => broker.reports.length > 5, 'reports')
  serverAheadMs = 20 * MINUTE_MS
  const isByServer = ({ at }: { at: string }) => Math.abs(Date.parse(at) - Date.now() - serverAheadMs) < NEAR_MS
  await until(() => broker.reports.some(isByServer), 'reports by what the clock of the server is now')
  expect(log.join()).not.toContain('Disconnected')
  expect(isUnique()).toBe(true)
})
