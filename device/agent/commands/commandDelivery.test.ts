import { afterEach, beforeEach, expect, test } from 'vitest'
import type { FaultKind } from '#contract/fleet.ts'
import { GUID, startTestAgent, type TestAgent, temporaryFolder } from '#device/testing/testAgent.ts'
import { startTestBroker, type TestBroker, until } from '#device/testing/testBroker.ts'

const OTHER_GUID = GUID.replace(/6$/, '7')
const SWITCH_OFF = { name: 'relay.set', args: { number: 1, port: 1, on: false } }
const SWITCH_ON = { name: 'relay.set', args: { number: 1, port: 1, on: true } }

let broker: TestBroker
const agents: TestAgent[] = []

async function start(fault?: FaultKind, folder = temporaryFolder()): Promise<TestAgent> {
  const greetings = () => broker.messages.filter(({ msg }) => msg === 'Connected.').length
  const before = greetings()
  const faults = fault ? [{ kind: fault, everyMinutes: 60, forMinutes: 60, phaseMinutes: 0 }] : []
  const started = startTestAgent({ url: broker.url, modelId: 22, faults, folder })
  agents.push(started)
  await until(() => greetings() > before, 'connected')
  return started
}
const issued = (command: object, atMs = Date.now()) => ({
  ...command,
  issuedAt: new Date(atMs),
  expiresAt: new Date(atMs + 60_000),
})
const topicOf = (id: string, guid: string = GUID) => `v1/devices/${guid}/commands/${id}`
const replyTo = (id: string) => broker.replies.find(({ commandId }) => commandId === id)?.reply
const answered = (id: string) => until(() => replyTo(id) !== undefined, `an answer to ${id}`)
const isOff = ({ hardware }: TestAgent) => hardware.world().registers.off['relay/1/1'] !== undefined

beforeEach(async () => {
  broker = await startTestBroker()
})
afterEach(async () => {
  for (const { stop } of agents.splice(0)) await stop().catch(() => undefined)
  await broker.stop()
})

test('a command for another device is neither carried out nor answered, even if a broker delivers it', async () => {
  const agent = await start()
  broker.deliver(topicOf('foreign', OTHER_GUID), issued(SWITCH_OFF), false)
  broker.deliver(`${topicOf('a')}/b`, issued(SWITCH_OFF), false)
  broker.deliver(topicOf('not an id!'), issued(SWITCH_OFF), false)
  await broker.send(topicOf('own'), issued({ ...SWITCH_OFF, args: { number: 1, port: 2, on: false } }))
  await answered('own')
  expect(isOff(agent)).toBe(false)
  expect(broker.replies.map(({ commandId }) => commandId)).toEqual(['own'])
})

test('a retained command is refused: nobody meant it for this moment', async () => {
  const agent = await start()
  broker.deliver(topicOf('kept'), issued(SWITCH_OFF), true)
  await answered('kept')
  expect(replyTo('kept')).toMatchObject({
    ok: false,
    text: 'This command was kept on its way; it was not carried out.',
  })
  expect(isOff(agent)).toBe(false)
})

test('of two commands for one outlet the one issued later stays, in whatever order they come, also over a restart', async () => {
  const folder = temporaryFolder()
  const first = await start(undefined, folder)
  const nowMs = Date.now()
  await broker.send(topicOf('later'), issued(SWITCH_OFF, nowMs))
  await answered('later')
  await broker.send(topicOf('earlier'), issued(SWITCH_ON, nowMs - 50))
  await answered('earlier')
  const overtaken = { ok: false, text: 'A newer command came before this one; it was not carried out.' }
  expect(replyTo('earlier')).toMatchObject(overtaken)
  expect(isOff(first)).toBe(true)
  // A command for another outlet is independent of these.
  await broker.send(topicOf('port-2'), issued({ ...SWITCH_OFF, args: { number: 1, port: 2, on: false } }, nowMs - 40))
  await answered('port-2')
  expect(replyTo('port-2')).toMatchObject({ ok: true })
  await first.stop()
  await start(undefined, folder)
  await broker.send(topicOf('still-earlier'), issued(SWITCH_ON, nowMs - 20))
  await answered('still-earlier')
  expect(replyTo('still-earlier')).toMatchObject(overtaken)
})

test('a command that was begun is refused after a restart, and a late one at any time', async () => {
  const folder = temporaryFolder()
  const first = await start(undefined, folder)
  const nowMs = Date.now()
  await broker.send(topicOf('one'), issued(SWITCH_OFF, nowMs))
  await answered('one')
  await first.stop()
  broker.replies.length = 0
  const second = await start(undefined, folder)
  await broker.send(topicOf('one'), issued(SWITCH_OFF, nowMs))
  await answered('one')
  // The new process has new hardware that has switched nothing, so this reply is the one that was kept.
  expect(replyTo('one')).toEqual({ ok: true, text: 'Port 1 of relay 1 turned off.', errors: [] })
  expect(isOff(second)).toBe(false)
  await broker.send(topicOf('late'), issued(SWITCH_OFF, nowMs - 90_000))
  await answered('late')
  expect(replyTo('late')).toMatchObject({ ok: false, text: 'This command came too late; it was not carried out.' })
  await broker.send(topicOf('early'), issued(SWITCH_OFF, nowMs + 90_000))
  await answered('early')
  expect(replyTo('early')).toMatchObject({ ok: false, text: 'This command was issued in the future.' })
  expect(isOff(second)).toBe(false)
})

test('an answer that the connection cut off comes with the next one, also after a restart, and only once', async () => {
  const folder = temporaryFolder()
  const first = await start(undefined, folder)
  broker.isDeaf = true
  await broker.send(topicOf('cut-off'), issued(SWITCH_OFF))
  await until(() => isOff(first), 'switched')
  await until(() => first.log.some((line) => line.startsWith('Command relay.set')), 'answered')
  await first.stop()
  broker.isDeaf = false
  expect(replyTo('cut-off')).toBeUndefined()
  const second = await start(undefined, folder)
  await answered('cut-off')
  expect(replyTo('cut-off')).toEqual({ ok: true, text: 'Port 1 of relay 1 turned off.', errors: [] })
  expect(isOff(second)).toBe(false)
  await until(() => second.store.device(GUID).remembered('unanswered') === '[]', 'acknowledged')
  await second.stop()
  broker.replies.length = 0
  await start(undefined, folder)
  await broker.send(topicOf('next'), issued(SWITCH_ON))
  await answered('next')
  expect(replyTo('cut-off')).toBeUndefined()
})

test.each([
  [SWITCH_OFF, 'Port 1 of relay 1 does not switch: it is stuck.'],
  [{ name: 'relay.reset', args: { number: 1, port: 2 } }, 'Port 2 of relay 1 does not switch: it is stuck.'],
  [{ name: 'routerRelay.set', args: { number: 1, on: false } }, 'Router 1 does not switch: it is stuck.'],
  [{ name: 'routerRelay.portReset', args: { number: 1 } }, 'Router 1 does not switch: it is stuck.'],
])('a stuck relay refuses %o', async (command, sentence) => {
  const agent = await start('relayStuck')
  await broker.send(topicOf('stuck'), issued(command))
  await answered('stuck')
  expect(replyTo('stuck')).toEqual({ ok: false, text: sentence, errors: [sentence] })
  expect(agent.hardware.world().registers).toMatchObject({ off: {}, away: {} })
})

test('a device that answers late, or never, has carried out the command all the same', async () => {
  for (const fault of ['answersNever', 'answersLate'] as const) {
    const agent = await start(fault)
    await broker.send(topicOf(fault), issued(SWITCH_OFF))
    await until(() => isOff(agent), 'switched')
    await until(() => broker.messages.some(({ msg }) => msg.startsWith('Command relay.set')), 'said')
    expect(replyTo(fault)).toBeUndefined()
    await agent.stop()
    broker.messages.length = 0
  }
})
