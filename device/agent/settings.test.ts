import { afterEach, beforeEach, expect, test } from 'vitest'
import { DRIVERS_REPLY_ID, driversTold } from '#contract/mqtt/drivers.ts'
import type { SettingsReply } from '#contract/mqtt/settings.ts'
import { readOwnComponents } from '#device/hardware/composed/chosenDrivers.ts'
import { composeHardware } from '#device/hardware/composed/composedHardware.ts'
import type { Hardware } from '#device/hardware/hardware.ts'
import { GUID, startTestAgent, type TestAgent, temporaryFolder } from '#device/testing/testAgent.ts'
import { startTestBroker, type TestBroker, until } from '#device/testing/testBroker.ts'

const DISPLAY = {
  displayNumber: 1,
  brightness: 33,
  backlightLevel: 44,
  gammaValue: 2.4,
  redColorBalance: 21,
  greenColorBalance: 22,
  blueColorBalance: 23,
}
const NEVER = {
  wdTimeOffFrom: null,
  wdTimeOffTo: null,
  wkndTimeOffFrom: null,
  wkndTimeOffTo: null,
  holTimeOffFrom: null,
  holTimeOffTo: null,
}
const displaySection = (change: Partial<typeof DISPLAY> = {}) => {
  const args = { ...DISPLAY, ...change }
  return { section: 'display', number: args.displayNumber, args }
}
const turnOffSection = (change: object = {}) => ({ section: 'turnOff', number: 1, args: { ...NEVER, ...change } })
const documentOf = (version: number, ...sections: object[]) => ({
  version,
  modelId: 1,
  timeZone: 'UTC',
  components: [{ componentModelId: 7, number: 1, label: 'Display' }],
  sections,
})

let broker: TestBroker
/** What the server says that the time is. */
let serverNow: () => Date
let settings: unknown
const agents: TestAgent[] = []

function start(options: Partial<Parameters<typeof startTestAgent>[0]> = {}): TestAgent {
  const started = startTestAgent({ url: broker.url, ...options })
  agents.push(started)
  return started
}
const sendSettings = (document: object) => broker.send(`v1/devices/${GUID}/settings`, document)
const answersTo = (version: number) =>
  broker.replies
    .filter(({ commandId }) => commandId === `settings-${version}`)
    .map(({ reply }) => reply as unknown as SettingsReply)
const answered = (version: number, count = 1) =>
  until(() => answersTo(version).length >= count, `${count} answers to settings ${version}`)
const brightness = async ({ hardware }: TestAgent) => (await hardware.display(1)?.read())?.brightness
/** As if somebody had turned a knob on the display: whoever carries the settings out again undoes it. */
const turnKnob = async ({ hardware }: TestAgent) => {
  const { displayNumber: _, ...others } = DISPLAY
  await hardware.display(1)?.apply({ ...others, brightness: 99 })
}

beforeEach(async () => {
  settings = undefined
  serverNow = () => new Date()
  broker = await startTestBroker({ settings: () => settings, now: () => serverNow() })
})
afterEach(async () => {
  for (const { stop } of agents.splice(0)) await stop().catch(() => undefined)
  await broker.stop()
})

test('every section is carried out and answered; what is refused says why, and the old one stays', async () => {
  settings = documentOf(5, displaySection(), displaySection({ displayNumber: 2 }), turnOffSection())
  const agent = start()
  await answered(5)
  expect(answersTo(5)).toEqual([
    {
      version: 5,
      results: [
        { section: 'display', number: 1, ok: true, errors: [] },
        { section: 'display', number: 2, ok: false, errors: ['This device has no display 2.'] },
        { section: 'turnOff', number: 1, ok: true, errors: [] },
      ],
    },
  ])
  expect(await brightness(agent)).toBe(33)
  await sendSettings(documentOf(6, displaySection(), turnOffSection({ wdTimeOffFrom: '10:00' })))
  await answered(6)
  const halfDone = 'Turn-off times for workdays need both a start and an end.'
  expect(answersTo(6)[0]?.results).toMatchObject([{ ok: true }, { ok: false, errors: [halfDone] }])
  await until(() => broker.messages.some(({ msg }) => msg === `Settings 6 refused: ${halfDone}`), 'said so')
})

test('a document that comes again is answered again, but only what differs is carried out', async () => {
  settings = documentOf(5, displaySection())
  const agent = start()
  await answered(5)
  await turnKnob(agent)
  await sendSettings(documentOf(5, displaySection()))
  await answered(5, 2)
  expect(answersTo(5)[1]).toEqual(answersTo(5)[0])
  expect(await brightness(agent)).toBe(99)
  await sendSettings(documentOf(6, displaySection({ brightness: 34 })))
  await answered(6)
  expect(await brightness(agent)).toBe(34)
})

test('settings of a display that are left out stay as they are, and make no difference', async () => {
  const agent = start()
  settings = documentOf(1, displaySection())
  await answered(1)
  await turnKnob(agent)
  await sendSettings(documentOf(2, { section: 'display', number: 1, args: { displayNumber: 1, gammaValue: 2 } }))
  await answered(2)
  expect(answersTo(2)[0]?.results).toMatchObject([{ ok: true }])
  expect(await agent.hardware.display(1)?.read()).toMatchObject({
    brightness: 99,
    gamma_value: 2,
    red_color_balance: 21,
  })
  await turnKnob(agent)
  await sendSettings(documentOf(3, { section: 'display', number: 1, args: { displayNumber: 1, gammaValue: 2 } }))
  await answered(3)
  expect(await agent.hardware.display(1)?.read()).toMatchObject({ gamma_value: 2.4 })
})

test('the newest document wins: an older one is neither carried out nor answered, also after a restart', async () => {
  const folder = temporaryFolder()
  const first = start({ folder })
  await until(() => first.agent.isUp(), 'connected')
  await sendSettings(documentOf(7, displaySection({ brightness: 70 })))
  await answered(7)
  await sendSettings(documentOf(6, displaySection({ brightness: 60 })))
  await first.stop()
  settings = documentOf(5, displaySection({ brightness: 50 }))
  const second = start({ folder })
  await until(() => second.agent.isUp(), 'connected again')
  await sendSettings(documentOf(8))
  await answered(8)
  expect([...answersTo(6), ...answersTo(5)]).toEqual([])
  expect(await brightness(first)).toBe(70)
  expect(await brightness(second)).not.toBe(50)
})

test('what a command carried out counts as carried out', async () => {
  const agent = start()
  await until(() => agent.agent.isUp(), 'connected')
  const [issuedAt, expiresAt] = [new Date(), new Date(Date.now() + 60_000)]
  const command = { name: 'display.apply', args: DISPLAY, issuedAt, expiresAt }
  await broker.send(`v1/devices/${GUID}/commands/one`, command)
  await until(() => broker.replies.some(({ commandId, reply }) => commandId === 'one' && reply.ok), 'done')
  await turnKnob(agent)
  await sendSettings(documentOf(5, displaySection()))
  await answered(5)
  expect(answersTo(5)[0]?.results).toMatchObject([{ ok: true }])
  expect(await brightness(agent)).toBe(99)
})

test('a command that comes while a document is being carried out has the last word', async () => {
  const agent = start({ switchingMs: 60 })
  await until(() => agent.agent.isUp(), 'connected')
  const displays = [1, 2, 3].map((number) => ({ componentModelId: 17, number, label: 'Display' }))
  const sections = [1, 2, 3].map((displayNumber) => displaySection({ displayNumber, brightness: 10 }))
  const sent = sendSettings({ ...documentOf(5, ...sections), components: displays })
  const [issuedAt, expiresAt] = [new Date(), new Date(Date.now() + 60_000)]
  const args = { ...DISPLAY, displayNumber: 3, brightness: 90 }
  await broker.send(`v1/devices/${GUID}/commands/last`, { name: 'display.apply', args, issuedAt, expiresAt })
  await Promise.all([sent, answered(5)])
  await until(() => broker.replies.some(({ commandId }) => commandId === 'last'), 'an answer to the command')
  expect((await agent.hardware.display(3)?.read())?.brightness).toBe(90)
  expect((await agent.hardware.display(2)?.read())?.brightness).toBe(10)
})

test('a document that cannot be read, or stands in a zone that does not exist, changes nothing', async () => {
  const agent = start()
  await until(() => agent.agent.isUp(), 'connected')
  await sendSettings({ ...documentOf(5, displaySection()), timeZone: 'Europe/Atlantis' })
  await sendSettings(documentOf(6, { ...displaySection(), args: {} }))
  const refusals = () => broker.messages.filter(({ msg }) => msg.startsWith('The settings from the server'))
  await until(() => refusals().length === 2, 'said twice')
  expect(broker.replies).toEqual([])
  expect(await brightness(agent)).not.toBe(33)
})

test('a display that refuses says so, and has the settings once it takes them', async () => {
  let nowMs = Date.UTC(2026, 10, 20, 12)
  serverNow = () => new Date(nowMs)
  settings = documentOf(5, displaySection())
  const agent = start({
    now: () => nowMs,
    faults: [{ kind: 'displayRefuses', everyMinutes: 60, forMinutes: 10, phaseMinutes: 0 }],
  })
  await answered(5)
  expect(answersTo(5)[0]?.results[0]).toMatchObject({ ok: false, errors: ['Display 1 refuses these settings.'] })
  expect(await brightness(agent)).not.toBe(33)
  nowMs += 11 * 60_000
  await sendSettings(documentOf(5, displaySection()))
  await answered(5, 2)
  expect(answersTo(5)[1]?.results[0]).toMatchObject({ ok: true })
  expect(await brightness(agent)).toBe(33)
})

test('a server that names drivers hears whose choice holds and why not; one that names none hears nothing', async () => {
  const aroundHardware = (base: Hardware) =>
    composeHardware({
      base,
      own: readOwnComponents({ display: { driver: 'exec', program: '/opt/canary' } }),
      allowedNetworks: ['10.0.0.0/8'],
      steadyMs: () => performance.now(),
      log: () => undefined,
    })
  settings = documentOf(5)
  start({ aroundHardware })
  await answered(5)
  const told = () => broker.replies.filter(({ commandId }) => commandId === DRIVERS_REPLY_ID).map(({ reply }) => reply)
  expect(told()).toEqual([])
  const wish = (part: string, driver: string, options: object) => ({ part, driver, options })
  const drivers = [wish('ups', 'nut', { host: '8.8.8.8' }), wish('ecu', 'exec', { program: '/bin/sh' })]
  await sendSettings({ ...documentOf(6), drivers })
  await until(() => told().length === 1, 'what it says of its drivers')
  const heard = driversTold.parse(told()[0])
  expect(heard.parts.map(({ part, setBy, drivers: used, refusal }) => [part, setBy, used, refusal])).toEqual([
    ['ups', 'console', [], expect.stringContaining('lies in no network that the totem')],
    ['ecu', 'console', [], 'field "driver" is chosen in the totem\'s own file alone'],
    ['display', 'file', ['exec'], null],
  ])
  expect(JSON.stringify(heard)).not.toContain('canary')
})
