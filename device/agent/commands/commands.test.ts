import { expect, test } from 'vitest'
import { COMMANDS, type CommandName, type CommandReply } from '#contract/mqtt/command.ts'
import type { Display, Hardware } from '#device/hardware/hardware.ts'
import { GUID, openTestStore, startTestAgent, type TestAgent, temporaryFolder } from '#device/testing/testAgent.ts'
import { startTestBroker, type TestBroker, until } from '#device/testing/testBroker.ts'
import { passTime } from '#testing/passTime.ts'
import { createServerClock } from '../clocks/serverClock.ts'
import { createCommandExecutor } from './commands.ts'

const NOON = new Date('2026-11-20T12:00:00.000Z')
const RELAY_OFF = {
  name: 'relay.set',
  args: { number: 1, port: 1, on: false },
  issuedAt: NOON.toISOString(),
  expiresAt: '2026-11-20T12:01:00.000Z',
}

function setup(folder = temporaryFolder()) {
  const store = openTestStore(folder)
  const executed: string[] = []
  const serverClock = createServerClock(() => 0)
  serverClock.learn(NOON)
  const desk = createCommandExecutor({
    store: store.device(GUID),
    serverClock,
    onUnexpected: () => undefined,
    execute: async ({ name }): Promise<CommandReply> => {
      executed.push(name)
      return { ok: true, text: 'Done.', errors: [] }
    },
  })
  const receive = (id: string, content: unknown) =>
    desk(id, Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)))
  return { receive, executed, store, folder, serverClock }
}

test('a command is carried out once; a repetition gets the first answer', async () => {
  const { receive, executed } = setup()
  const first = await receive('a', RELAY_OFF)
  const second = await receive('a', RELAY_OFF)
  expect(first).toMatchObject({ reply: { ok: true }, carriedOut: { name: 'relay.set' } })
  expect(second).toEqual({ reply: first.reply })
  expect(executed).toEqual(['relay.set'])
})

test('two equal commands at once are carried out once', async () => {
  const { receive, executed } = setup()
  await Promise.all([receive('a', RELAY_OFF), receive('a', RELAY_OFF)])
  expect(executed).toHaveLength(1)
})

test('a command whose carrying out was cut off by a kill is never begun again', async () => {
  const folder = temporaryFolder()
  const before = openTestStore(folder)
  before.device(GUID).isFirst('a', new Date('2026-11-21T12:00:00Z'), NOON)
  before.close()
  const { receive, executed } = setup(folder)
  const { reply } = await receive('a', RELAY_OFF)
  expect(reply).toMatchObject({ ok: false, errors: ['This command came before; it is not carried out twice.'] })
  expect(executed).toEqual([])
})

test('expiry is judged by the time of the server, not of the device', async () => {
  const { receive, executed, serverClock } = setup()
  serverClock.learn(new Date('2026-11-20T12:01:00.000Z'))
  const { reply } = await receive('a', RELAY_OFF)
  expect(reply).toMatchObject({ ok: false, text: 'This command came too late; it was not carried out.' })
  expect(executed).toEqual([])
})

test('before the server has told its time, and from the future, nothing is carried out', async () => {
  const { receive, executed, store, serverClock } = setup()
  const clockless = createCommandExecutor({
    store: store.device(GUID),
    serverClock: createServerClock(),
    onUnexpected: () => undefined,
    execute: () => Promise.reject(new Error('carried out')),
  })
  expect((await clockless('a', Buffer.from(JSON.stringify(RELAY_OFF)))).reply?.ok).toBe(false)
  serverClock.learn(new Date('2026-11-20T11:50:00.000Z'))
  expect((await receive('a', RELAY_OFF)).reply?.ok).toBe(false)
  expect(executed).toEqual([])
})

test.each([
  ['not JSON', '{', 'The command is not JSON.'],
  ['an unknown name', { ...RELAY_OFF, name: 'format.disk' }, /^name: /],
  ['a missing argument', { ...RELAY_OFF, args: { number: 1, port: 1 } }, /^on: /],
  ['an argument out of range', { ...RELAY_OFF, args: { number: 1, port: 3, on: true } }, /^port: /],
  ['an argument too many', { ...RELAY_OFF, args: { ...RELAY_OFF.args, force: true } }, /force/],
  ['no expiry', { ...RELAY_OFF, expiresAt: undefined }, /^expiresAt: /],
])('a command with %s is refused with the reason', async (_, content, reason) => {
  const { receive, executed } = setup()
  const { reply } = await receive('a', content)
  expect(reply?.ok).toBe(false)
  expect(reply?.errors.join()).toMatch(reason)
  expect(executed).toEqual([])
})

interface Effect {
  readonly args: Record<string, unknown>
  /** A command to carry out first, because otherwise automation would change the same value. */
  readonly after?: { readonly name: CommandName; readonly args: Record<string, unknown> }
  readonly modelId: number
  readonly topic: string
  readonly values?: Record<string, number | string>
  /** The component does not report for a while. */
  readonly isSilent?: boolean
}

const DISPLAY = {
  brightness: 33,
  touchScreenStatus: 'OFF',
  backlightLevel: 44,
  gammaValue: 2.4,
  redColorBalance: 21,
  greenColorBalance: 22,
  blueColorBalance: 23,
}
const APPLIED = { brightness: 33, backlight_level: 44, gamma_value: 2.4, blue_color_balance: 23 }
const ALWAYS_OFF = { wdTimeOffFrom: '00:00', wdTimeOffTo: '23:59', wkndTimeOffFrom: '00:00', wkndTimeOffTo: '23:59' }
const ALL_DAY_17 = [{ from: '00:00', backlightPercent: 17 }]
const TODAY = (new Date().getUTCDay() + 6) % 7
const ALL_TIME = { every: 'week', weekday: TODAY, from: '00:00', to: '00:00' }
const AMBIENT = { minBacklight: 12, maxBacklight: 13, minAmbientLight: 100, maxAmbientLight: 200 }

/** Lists every command except the one that only asks. */
const EFFECTS: { readonly [Name in Exclude<CommandName, 'driver.test'>]: Effect } = {
  'display.apply': {
    args: { displayNumber: 2, ...DISPLAY },
    // Otherwise the agent would return the backlight to the curve of the sensor, maybe before the test sees it.
    after: { name: 'ambientSensor.apply', args: { number: 1, backlightAutomaticStatus: false, ...AMBIENT } },
    modelId: 15,
    topic: 'events/display/2',
    values: APPLIED,
  },
  'ambientSensor.apply': {
    args: { number: 1, backlightAutomaticStatus: true, ...AMBIENT },
    modelId: 1,
    topic: 'events/display',
    values: { min_backlight: 12, max_backlight: 13, min_ambient_light: 100, max_ambient_light: 200 },
  },
  'turnOff.apply': {
    args: { ...ALWAYS_OFF, holTimeOffFrom: null, holTimeOffTo: null },
    modelId: 1,
    topic: 'events/display',
    values: { backlight_level: 0 },
  },
  'dayPlan.apply': {
    args: { workdays: ALL_DAY_17, weekends: ALL_DAY_17, holidays: ALL_DAY_17 },
    modelId: 1,
    topic: 'events/display',
    values: { backlight_level: 17 },
  },
  'batteryTest.apply': {
    // The window is the whole day.
    args: { schedule: ALL_TIME },
    modelId: 1,
    topic: 'events/ups',
    values: { battery_test_result: 'running' },
  },
  'dataBudget.apply': {
    args: { budget: { megabytes: 1000, billingDay: 15 } },
    modelId: 1,
    topic: 'events/router',
    values: { data_used: 0, data_used_percent: 0 },
  },
  'ups.batteryTest': { args: {}, modelId: 1, topic: 'events/ups', values: { battery_test_result: 'running' } },
  'ups.reboot': { args: {}, modelId: 1, topic: 'events/device', isSilent: true },
  'ups.shutdown': { args: {}, modelId: 1, topic: 'events/device', isSilent: true },
  'ups.groupReset': { args: { group: 1 }, modelId: 1, topic: 'events/display', isSilent: true },
  'router.reset': { args: { number: 2 }, modelId: 1, topic: 'events/router', values: { port3_status: 0 } },
  'powerSwitch.set': {
    args: { number: 2, on: false },
    modelId: 1,
    topic: 'events/power-switch',
    values: { port2_status: 0 },
  },
  'powerSwitch.reset': { args: { number: 1 }, modelId: 1, topic: 'events/power-switch', values: { port1_status: 0 } },
  'routerRelay.set': {
    args: { number: 1, on: false },
    modelId: 22,
    topic: 'events/router-relay',
    values: { relay_status: 1, port1_status: 0 },
  },
  'routerRelay.reset': { args: { number: 1 }, modelId: 22, topic: 'events/router-relay', values: { relay_status: 1 } },
  'routerRelay.portReset': {
    args: { number: 1 },
    modelId: 22,
    topic: 'events/router-relay',
    values: { port1_status: 0, port2_status: 0 },
  },
  'relay.set': {
    args: { number: 1, port: 2, on: false },
    modelId: 22,
    topic: 'events/relay',
    values: { port2_status: 0 },
  },
  'relay.reset': { args: { number: 1, port: 1 }, modelId: 22, topic: 'events/relay', values: { port1_status: 0 } },
  'computer.reboot': { args: {}, modelId: 22, topic: 'events/device', isSilent: true },
}

async function command(broker: TestBroker, id: string, name: string, args: object) {
  const issuedAt = new Date()
  const expiresAt = new Date(issuedAt.getTime() + 60_000)
  await broker.send(`v1/devices/${GUID}/commands/${id}`, { name, args, issuedAt, expiresAt })
  await until(() => broker.replies.some(({ commandId }) => commandId === id), `a reply to ${name}`)
  return broker.replies.find(({ commandId }) => commandId === id)?.reply
}

async function withAgent(modelId: number, work: (broker: TestBroker, agent: TestAgent) => Promise<void>) {
  const broker = await startTestBroker()
  const started = startTestAgent({ url: broker.url, modelId, nowAhead: () => aheadMs })
  try {
    await until(() => broker.reports.length > 5, 'the first reports')
    await work(broker, started)
  } finally {
    aheadMs = 0
    await started.stop()
    await broker.stop()
  }
}
let aheadMs = 0

const SWITCHING = (Object.keys(COMMANDS) as CommandName[]).filter((name) => name !== 'driver.test')

test.each(SWITCHING)('%s is carried out and seen in the next report', async (name) => {
  const { args, modelId, topic, values, isSilent, after } = EFFECTS[name]
  await withAgent(modelId, async (broker, { agent }) => {
    if (after) await command(broker, 'before', after.name, after.args)
    const reply = await command(broker, 'one', name, args)
    expect(reply).toMatchObject({ ok: true, errors: [] })
    expect(reply?.text).not.toBe('')
    if (values) {
      const has = (received: Record<string, unknown>) =>
        Object.entries(values).every(([field, value]) => received[field] === value || !(field in received))
      const merged = () =>
        Object.assign({}, ...broker.reports.filter((one) => one.topic === topic).map((one) => one.values))
      await until(() => Object.entries(values).every(([field, value]) => merged()[field] === value), `${name} seen`)
      expect(has(merged())).toBe(true)
    }
    if (isSilent && topic === 'events/device') {
      aheadMs += 6000
      await until(() => !agent.isUp(), 'without power')
      aheadMs += 240_000
      await until(() => agent.isUp(), 'power is back')
      const uptimes = () => broker.reports.filter((one) => one.topic === topic).map((one) => Number(one.values.uptime))
      await until(() => (uptimes().at(-1) ?? 1e9) < 300, 'a new uptime')
    } else if (isSilent) {
      const before = broker.reports.filter((one) => one.topic === topic).length
      aheadMs += 5_000
      await passTime(150, 'a report would come meanwhile')
      expect(broker.reports.filter((one) => one.topic === topic).length).toBe(before)
      aheadMs += 60_000
      await until(() => broker.reports.filter((one) => one.topic === topic).length > before, 'it is back')
    }
  })
})

test('what a command changed is in a report before its answer, however little, also beside a look that began before it', async () => {
  const broker = await startTestBroker()
  let isHeld = false
  let release = () => {}
  let isReading = false
  const aroundHardware = (hardware: Hardware): Hardware => ({
    ...hardware,
    display: (number) => {
      const display = hardware.display(number)
      return display && { ...display, read: () => heldRead(display) }
    },
  })
  /** Reads now, and answers later. */
  const heldRead = async (display: Display) => {
    const reading = await display.read()
    if (isHeld) {
      isReading = true
      await new Promise<void>((resolve) => {
        release = resolve
      })
    }
    return reading
  }
  const { agent, stop } = startTestAgent({ url: broker.url, modelId: 1, aroundHardware })
  const limits = () =>
    broker.reports.flatMap(({ topic, values }) =>
      topic === 'events/display' && values.max_backlight !== undefined ? [Number(values.max_backlight)] : [],
    )
  try {
    await until(() => limits().length > 0, 'the first report of the display')
    isHeld = true
    await until(() => isReading, 'a look that began before')
    isHeld = false
    // The difference is within the sensor's noise, so it is not worth a report.
    const maxBacklight = (limits().at(-1) ?? 0) - 1
    const args = { number: 1, backlightAutomaticStatus: true, ...AMBIENT, maxBacklight }
    const answered = command(broker, 'a', 'ambientSensor.apply', args)
    await until(() => agent.store.keptReply('a') !== undefined, 'carried out')
    release()
    expect(await answered).toMatchObject({ ok: true })
    expect(limits().at(-1)).toBe(maxBacklight)
  } finally {
    release()
    await stop()
    await broker.stop()
  }
})

test('what is not fitted, or does not answer, is said in the words of the device', async () => {
  await withAgent(1, async (broker) => {
    expect(await command(broker, 'a', 'relay.set', { number: 1, port: 1, on: true })).toEqual({
      ok: false,
      text: 'This device has no relay 1.',
      errors: ['This device has no relay 1.'],
    })
    await command(broker, 'b', 'powerSwitch.set', { number: 1, on: false })
    expect(await command(broker, 'c', 'display.apply', { displayNumber: 1, ...DISPLAY })).toMatchObject({
      ok: false,
      errors: ['Display 1 does not answer.'],
    })
    expect(await command(broker, 'd', 'powerSwitch.reset', { number: 3 })).toMatchObject({ ok: false })
    const half = { ...ALWAYS_OFF, wdTimeOffTo: null, holTimeOffFrom: null, holTimeOffTo: null }
    expect(await command(broker, 'e', 'turnOff.apply', half)).toMatchObject({
      errors: ['Turn-off times for workdays need both a start and an end.'],
    })
  })
})
