import { afterEach, beforeEach, expect, test } from 'vitest'
import { DRIVERS_REPLY_ID, driverReport } from '#contract/mqtt/drivers.ts'
import { LARGEST_SETTINGS_VERSION, type SettingsReply } from '#contract/mqtt/settings.ts'
import { readOwnComponents } from '#device/hardware/composed/chosenDrivers.ts'
import { composeHardware } from '#device/hardware/composed/composedHardware.ts'
import type { Hardware } from '#device/hardware/hardware.ts'
import { GUID, openTestStore, startTestAgent, type TestAgent, temporaryFolder } from '#device/testing/testAgent.ts'
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
/** Changes the display as somebody with a knob would; carrying out the settings again would undo it. */
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

test('the newest document wins: an older one is answered with the version that the device holds, also after a restart', async () => {
  const folder = temporaryFolder()
  const first = start({ folder })
  await until(() => first.agent.isUp(), 'connected')
  await sendSettings(documentOf(7, displaySection({ brightness: 70 })))
  await answered(7)
  await sendSettings(documentOf(6, displaySection({ brightness: 60 })))
  await answered(7, 2)
  await first.stop()
  settings = documentOf(5, displaySection({ brightness: 50 }))
  const second = start({ folder })
  await answered(7, 3)
  expect([...answersTo(6), ...answersTo(5)]).toEqual([])
  expect(answersTo(7).slice(1)).toEqual([
    { version: 7, results: [] },
    { version: 7, results: [] },
  ])
  expect(await brightness(first)).toBe(70)
  expect(await brightness(second)).not.toBe(50)
  await until(() => broker.messages.filter(({ msg }) => /^Settings [56] are older than/.test(msg)).length === 2, 'said')
})

test('with another key the device takes settings of any version, and by that key the newest wins again', async () => {
  const folder = temporaryFolder()
  settings = documentOf(LARGEST_SETTINGS_VERSION, displaySection({ brightness: 66 }))
  const poisoned = start({ folder })
  await answered(LARGEST_SETTINGS_VERSION)
  await poisoned.stop()
  settings = documentOf(4, displaySection({ brightness: 50 }))
  const renewed = start({ folder, key: 'another key' })
  await answered(4)
  expect(await brightness(renewed)).toBe(50)
  await sendSettings(documentOf(3, displaySection({ brightness: 30 })))
  await answered(4, 2)
  expect(await brightness(renewed)).toBe(50)
})

test('a version beyond all that a server can count to is refused, also one that an older client has kept', async () => {
  const folder = temporaryFolder()
  const store = openTestStore(folder)
  store.device(GUID).remember('settings', JSON.stringify(documentOf(2 ** 53 - 1, displaySection())))
  store.close()
  settings = documentOf(2 ** 53 - 1, displaySection({ brightness: 66 }))
  const agent = start({ folder })
  await until(() => broker.messages.some(({ msg }) => msg.includes('are not understood')), 'refused')
  await sendSettings(documentOf(4, displaySection()))
  await answered(4)
  expect(await brightness(agent)).toBe(33)
})

test('a document that is too large is not read and said so, also one that an older client has kept', async () => {
  const folder = temporaryFolder()
  const huge = { ...documentOf(9, displaySection({ brightness: 66 })), padding: 'x'.repeat(50_000_000) }
  const store = openTestStore(folder)
  store.device(GUID).remember('settings', JSON.stringify(huge))
  store.close()
  settings = documentOf(4, displaySection())
  const agent = start({ folder })
  await answered(4)
  await sendSettings({ ...huge, version: 10 })
  await until(
    () => broker.messages.some(({ msg }) => /^The server sent 50\d{6} bytes in one message;/.test(msg)),
    'refused',
  )
  expect(agent.agent.isUp()).toBe(true)
  expect(await brightness(agent)).toBe(33)
  await sendSettings(documentOf(5, displaySection({ brightness: 55 })))
  await answered(5)
  await agent.stop()
  const kept = openTestStore(folder)
  expect(kept.device(GUID).remembered('settings')?.length).toBeLessThan(10_000)
  kept.close()
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
  const heard = driverReport.parse(told()[0])
  expect(heard.parts.map(({ part, setBy, drivers: used, refusal }) => [part, setBy, used, refusal])).toEqual([
    ['ups', 'console', [], expect.stringContaining('lies in no network that the totem')],
    ['ecu', 'console', [], 'field "driver" is chosen in the totem\'s own file alone'],
    ['display', 'file', ['exec'], null],
  ])
  expect(JSON.stringify(heard)).not.toContain('canary')
})
