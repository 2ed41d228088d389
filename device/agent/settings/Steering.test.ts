import { afterEach, beforeEach, expect, test } from 'vitest'
import { deviceSettings } from '#contract/mqtt/settings.ts'
import type { Display, Hardware } from '#device/hardware/hardware.ts'
import { GUID, startTestAgent, type TestAgent, temporaryFolder } from '#device/testing/testAgent.ts'
import { startTestBroker, type TestBroker, until } from '#device/testing/testBroker.ts'
import { NUMBERED_FIELDS } from '#domain/catalogue/fieldId.ts'
import { sensorOfDisplays } from '#domain/components/sensorOfDisplays.ts'
import { backlightForLight } from '#domain/displays/ambientCurve.ts'
import { newButtonRule } from '#domain/displays/buttonRules.ts'
import { passTime } from '#testing/passTime.ts'
import { openAppliedSections } from './appliedSections.ts'
import { Steering } from './Steering.ts'

const NOWHERE = 'mqtt://127.0.0.1:9'
const TURN_OFF = {
  wdTimeOffFrom: '22:00',
  wdTimeOffTo: '05:00',
  wkndTimeOffFrom: null,
  wkndTimeOffTo: null,
  holTimeOffFrom: '12:00',
  holTimeOffTo: '13:00',
}
const AMBIENT = {
  number: 1,
  backlightAutomaticStatus: true,
  minBacklight: 10,
  maxBacklight: 90,
  minAmbientLight: 0,
  maxAmbientLight: 50_000,
}
const DISPLAY = {
  displayNumber: 1,
  brightness: 50,
  backlightLevel: 66,
  gammaValue: 2.2,
  redColorBalance: 50,
  greenColorBalance: 50,
  blueColorBalance: 50,
}
const component = (componentModelId: number, number: number, more: object = {}) => ({
  componentModelId,
  number,
  label: 'Part',
  ...more,
})
const DOCUMENT = {
  version: 5,
  modelId: 1,
  timeZone: 'Europe/Berlin',
  components: [component(7, 1, { als: 1 }), component(8, 1)],
  // This is a Thursday.
  holidays: ['2026-07-09'],
  sections: [
    { section: 'turnOff', number: 1, args: TURN_OFF },
    { section: 'ambientSensor', number: 1, args: AMBIENT },
  ],
}

let broker: TestBroker
let settings: unknown
let nowMs = 0
const agents: TestAgent[] = []

function start(options: Partial<Parameters<typeof startTestAgent>[0]> = {}): TestAgent {
  const started = startTestAgent({ url: broker.url, now: () => nowMs, ...options })
  agents.push(started)
  return started
}
const setClock = (utc: string) => {
  nowMs = Date.parse(`${utc}Z`)
}
const levelOf = async ({ hardware }: TestAgent, number = 1) =>
  (await hardware.display(number)?.read())?.backlight_level ?? Number.NaN
const answered = (version: number) =>
  until(() => broker.replies.some(({ commandId }) => commandId === `settings-${version}`), `settings ${version}`)
/** The wait is long enough for several samples. */
const someLooks = () => passTime(400, 'looks of which nothing is heard')

async function levelAt(agent: TestAgent, utc: string): Promise<number> {
  setClock(utc)
  await someLooks()
  return levelOf(agent)
}

function countedBacklights() {
  let count = 0
  const aroundHardware = (hardware: Hardware): Hardware => ({
    ...hardware,
    display: (number) => {
      const display = hardware.display(number)
      if (!display) return undefined
      const setBacklight = (percent: number) => {
        count++
        return display.setBacklight(percent)
      }
      return { ...display, setBacklight }
    },
  })
  return { aroundHardware, setCount: () => count }
}

beforeEach(async () => {
  settings = undefined
  setClock('2026-07-10T10:00')
  broker = await startTestBroker({ settings: () => settings, now: () => new Date(nowMs) })
})
afterEach(async () => {
  for (const { stop } of agents.splice(0)) await stop().catch(() => undefined)
  await broker.stop()
})

test('without a network and after a restart displays go dark by the clock on the wall, and come back', async () => {
  settings = DOCUMENT
  const folder = temporaryFolder()
  const first = start({ folder })
  await answered(5)
  await first.stop()
  setClock('2026-07-10T19:59')
  const agent = start({ folder, url: NOWHERE })
  await someLooks()
  expect(await levelOf(agent)).toBeGreaterThan(0)
  // It is Friday, 22:00 in Berlin; Saturday has no times, and Thursday is a holiday.
  expect(await levelAt(agent, '2026-07-10T20:00')).toBe(0)
  expect(await levelAt(agent, '2026-07-11T02:59')).toBe(0)
  expect(await levelAt(agent, '2026-07-11T03:00')).toBeGreaterThan(0)
  expect(await levelAt(agent, '2026-07-11T22:30')).toBeGreaterThan(0)
  expect(await levelAt(agent, '2026-07-09T10:30')).toBe(0)
  expect(await levelAt(agent, '2026-07-09T20:30')).toBeGreaterThan(0)
  expect(agent.agent.isUp()).toBe(false)
})

test('the backlight follows the ambient curve by what the sensor reads, in steps that are worth one', async () => {
  settings = DOCUMENT
  const folder = temporaryFolder()
  const first = start({ folder })
  await answered(5)
  await first.stop()
  const { aroundHardware, setCount } = countedBacklights()
  const agent = start({ folder, url: NOWHERE, aroundHardware })
  const levels: number[] = []
  for (const utc of ['2026-07-10T04:30', '2026-07-10T07:00', '2026-07-10T11:00', '2026-07-10T16:00']) {
    levels.push(await levelAt(agent, utc))
    const { ambient_light: light, backlight_level: level } = (await agent.hardware.display(1)?.read()) ?? {}
    const wanted = backlightForLight(AMBIENT, light ?? Number.NaN)
    expect(Math.abs((level ?? Number.NaN) - wanted), `${utc}: ${level}, wanted ${wanted}`).toBeLessThan(3)
  }
  expect(new Set(levels).size).toBeGreaterThan(2)
  expect(Math.min(...levels)).toBeGreaterThanOrEqual(AMBIENT.minBacklight)
  expect(Math.max(...levels)).toBeLessThanOrEqual(AMBIENT.maxBacklight)
  const before = setCount()
  await someLooks()
  expect(setCount()).toBe(before)
})

test('a display that is dark in its off times is told no backlight, which some would take for switching on', async () => {
  settings = DOCUMENT
  const folder = temporaryFolder()
  const first = start({ folder })
  await answered(5)
  await first.stop()
  setClock('2026-07-09T10:30')
  const { aroundHardware, setCount } = countedBacklights()
  const agent = start({ folder, url: NOWHERE, aroundHardware })
  await someLooks()
  expect(await levelOf(agent)).toBe(0)
  expect(setCount()).toBe(0)
})

test('with the automation off the display has what an operator set, and is left alone', async () => {
  settings = DOCUMENT
  const agent = start()
  await answered(5)
  await someLooks()
  const manual = { ...AMBIENT, backlightAutomaticStatus: false }
  settings = undefined
  const sections = [
    { section: 'display', number: 1, args: DISPLAY },
    { section: 'ambientSensor', number: 1, args: manual },
  ]
  await broker.send(`v1/devices/${GUID}/settings`, { ...DOCUMENT, version: 6, sections })
  await answered(6)
  expect(await levelAt(agent, '2026-07-10T11:00')).toBe(66)
  expect(await levelAt(agent, '2026-07-10T16:00')).toBe(66)
})

test('a day plan sets the level without a network and after a restart, below off times and above the ambient curve', async () => {
  const entries = [
    { from: { sun: 'sunset', offsetMinutes: 0 }, backlightPercent: 40 },
    { from: '23:00', backlightPercent: 0 },
    { from: { sun: 'sunrise', offsetMinutes: 30 }, backlightPercent: null },
  ]
  const dayPlan = { section: 'dayPlan', number: 1, args: { workdays: entries, weekends: entries, holidays: entries } }
  const position = { latitude: 52.52, longitude: 13.405 }
  settings = { ...DOCUMENT, position, laterSections: [dayPlan, { section: 'of another time', number: 1, args: {} }] }
  const folder = temporaryFolder()
  const first = start({ folder })
  await answered(5)
  const [{ reply } = { reply: undefined }] = broker.replies
  expect(reply).toMatchObject({ results: expect.any(Array) })
  const { results } = reply as unknown as { results: object[] }
  expect(results).toEqual([
    ...['turnOff', 'ambientSensor', 'dayPlan'].map((section) => ({ section, number: 1, ok: true, errors: [] })),
  ])
  await first.stop()
  const agent = start({ folder, url: NOWHERE })
  // The sun sets at 21:27 and rises at 04:58 in Berlin that day; off times begin at 22:00, and Saturday has none.
  const curveAt = async () => (await agent.hardware.display(1)?.read())?.ambient_light ?? Number.NaN
  const noon = await levelAt(agent, '2026-07-10T10:00')
  expect(Math.abs(noon - backlightForLight(AMBIENT, await curveAt()))).toBeLessThan(3)
  expect(await levelAt(agent, '2026-07-10T19:35')).toBe(40)
  expect(await levelAt(agent, '2026-07-10T20:05')).toBe(0)
  expect(await levelAt(agent, '2026-07-11T20:35')).toBe(40)
  expect(await levelAt(agent, '2026-07-11T21:05')).toBe(0)
  expect(await levelAt(agent, '2026-07-12T03:25')).toBe(0)
  const morning = await levelAt(agent, '2026-07-12T04:00')
  expect(Math.abs(morning - backlightForLight(AMBIENT, await curveAt()))).toBeLessThan(3)
})

test('where nobody ever set a level, a display gets back the one it had before the plan, also after a restart in it', async () => {
  const night = [
    { from: '22:00', backlightPercent: 20 },
    { from: '06:00', backlightPercent: null },
  ]
  const sections = [{ section: 'ambientSensor', number: 1, args: { ...AMBIENT, backlightAutomaticStatus: false } }]
  const args = { workdays: night, weekends: night, holidays: night }
  settings = { ...DOCUMENT, sections, laterSections: [{ section: 'dayPlan', number: 1, args }] }
  const folder = temporaryFolder()
  const first = start({ folder })
  await answered(5)
  const before = await levelAt(first, '2026-07-10T18:00')
  expect(before).toBeGreaterThan(20)
  expect(await levelAt(first, '2026-07-10T20:30')).toBe(20)
  await first.stop()
  const again = start({ folder, url: NOWHERE, aroundHardware: () => first.hardware })
  const agent = { ...again, hardware: first.hardware }
  expect(await levelAt(agent, '2026-07-11T02:00')).toBe(20)
  expect(await levelAt(agent, '2026-07-11T05:00')).toBe(before)
  expect(await levelAt(agent, '2026-07-11T20:30')).toBe(20)
  expect(await levelAt(agent, '2026-07-12T05:00')).toBe(before)
})

test('a display that does not answer when it is to go dark goes dark when it is back', async () => {
  settings = DOCUMENT
  const agent = start({
    // The fault lasts from 20:00 to 20:10 UTC.
    faults: [{ kind: 'displayUnreachable', everyMinutes: 24 * 60, forMinutes: 10, phaseMinutes: 20 * 60 }],
  })
  await answered(5)
  expect(await levelAt(agent, '2026-07-10T20:05')).toBeNaN()
  expect(await levelAt(agent, '2026-07-10T20:11')).toBe(0)
})

test('light that flickers moves nothing; what a display says other than it was told is told again after a minute', async () => {
  const told: number[] = []
  const { hardware, store, stop } = start({ url: NOWHERE, lookEveryMs: 100_000 })
  const applied = openAppliedSections(store.device(GUID))
  applied.keep('ambientSensor', 1, { ...AMBIENT, minBacklight: 0, maxBacklight: 100, maxAmbientLight: 100 })
  const display = {
    ...hardware.display(1),
    setBacklight: async (percent: number) => void told.push(percent),
  } as Display
  const steering = new Steering({
    hardware: { ...hardware, display: () => display },
    applied,
    store: store.device(GUID),
    onUnexpected: () => {},
  })
  const parsed = deviceSettings.parse({ ...DOCUMENT, sections: [] })
  const follow = (ambientLight: number, level: number, atMs: number) =>
    steering.follow(parsed, new Map([['events/display', { ambient_light: ambientLight, backlight_level: level }]]), {
      wallMs: atMs,
      steadyMs: atMs,
    })
  expect(await follow(51, 50, 0)).toBe(false)
  expect(await follow(52, 50, 0)).toBe(true)
  expect(await follow(53, 52, 0)).toBe(false)
  expect(await follow(0, 1, 0)).toBe(true)
  expect(told).toEqual([52, 0])
  // The display stays bright, whatever it is commanded.
  expect(await follow(0, 80, 59_000)).toBe(false)
  expect(await follow(0, 80, 60_000)).toBe(true)
  expect(told).toEqual([52, 0, 0])
  await stop()
})

test('what is done here about the light is told where the hardware does not say it, and where a display answers', async () => {
  const { hardware, store, stop } = start({ url: NOWHERE })
  const applied = openAppliedSections(store.device(GUID))
  const steering = new Steering({ hardware, applied, store: store.device(GUID), onUnexpected: () => {} })
  const parsed = deviceSettings.parse({ ...DOCUMENT, sections: [] })
  const told = (reading: object) =>
    steering.told(parsed, new Map([['events/display', { ...reading }]])).get('events/display')
  expect(told({ backlight_level: 80 })).toEqual({ backlight_level: 80, backlight_automatic_status: 0 })
  applied.keep('ambientSensor', 1, AMBIENT)
  expect(told({})).toEqual({
    ...{ backlight_automatic_status: 1, min_backlight: 10, max_backlight: 90 },
    ...{ min_ambient_light: 0, max_ambient_light: 50_000 },
  })
  expect(told({ backlight_automatic_status: 0, min_backlight: 5 })).toEqual({
    backlight_automatic_status: 0,
    min_backlight: 5,
  })
  expect(steering.told(parsed, new Map())).toEqual(new Map())
  await stop()
})

test('a sensor steers the displays that are linked to it, and its own one when none is', () => {
  const parts = (...components: object[]) =>
    sensorOfDisplays(components.map((one) => ({ als: null, buttonRules: null, ...one })) as never)
  const display = (number: number, als: number | null = null) => component(17, number, { als })
  const sensor = (number: number) => component(8, number)
  expect([...parts(display(1), display(2), sensor(1))]).toEqual([
    [1, 1],
    [2, undefined],
  ])
  expect([...parts(display(1), display(2, 1), display(3, 1), sensor(1))]).toEqual([
    [1, undefined],
    [2, 1],
    [3, 1],
  ])
  expect([...parts(display(1, 2), display(2))]).toEqual([
    [1, undefined],
    [2, undefined],
  ])
})

test('active button rules decide what is reported as yocto_n, from the newest readings, without a network too', async () => {
  const rule = (number: number, measurement: number, change: object = {}) => ({
    ...newButtonRule(number),
    active: true,
    measurement,
    thenValue: 100 + number,
    elseValue: -number,
    ...change,
  })
  const [BACKLIGHT_OF_DISPLAY_1, DISPLAY_3, CPU_LOAD] = [idOf('d_backlight_level'), idOf('d3_uptime'), idOf('cpu_load')]
  const rules = [
    rule(1, BACKLIGHT_OF_DISPLAY_1, { conditionValue: 0 }),
    rule(2, BACKLIGHT_OF_DISPLAY_1, { operator: 'EQ', conditionValue: 0 }),
    // No component has that number.
    rule(3, DISPLAY_3, { operator: 'GTE', conditionValue: 0 }),
    rule(4, CPU_LOAD, { operator: 'LT', conditionValue: -1 }),
    rule(5, CPU_LOAD, { active: false }),
  ]
  const components = [...DOCUMENT.components, component(21, 1, { buttonRules: rules })]
  settings = { ...DOCUMENT, components }
  start()
  await answered(5)
  const merged = () =>
    Object.assign({}, ...broker.reports.filter(({ topic }) => topic === 'events/yocto').map(({ values }) => values))
  await until(() => merged()['1'] === 101, 'the display is on')
  expect(merged()).toMatchObject({ '1': 101, '2': -2, '4': -4 })
  expect(merged()).not.toHaveProperty('3')
  // No rule is active for it, so the module counts its presses.
  expect(merged()['5']).toBeGreaterThan(1000)
  setClock('2026-07-10T20:30')
  await until(() => merged()['1'] === -1 && merged()['2'] === 102, 'the display is off')
})

function idOf(wireName: string): number {
  const found = NUMBERED_FIELDS.find((numbered) => numbered.wireName === wireName)
  if (!found) throw new Error(wireName)
  return found.id
}
