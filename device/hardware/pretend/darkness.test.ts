import { expect, test } from 'vitest'
import { FAULT_KINDS, type FaultKind, type FaultSchedule } from '#contract/fleet.ts'
import { eventTypeByTopic } from '#domain/catalogue/eventTypes.ts'
import { reportedComponents, standardComponents } from '#domain/components/standardComponents.ts'
import type { CommandFact, DarknessFacts, Reading, Refusal } from '#domain/darkness/facts.ts'
import { defaultFeedChain } from '#domain/darkness/feedChain.ts'
import { whyDark } from '#domain/darkness/whyDark.ts'
import { OFFLINE_AFTER_MS } from '#domain/devices/presence.ts'
import type { DeviceModelId } from '#domain/ids.ts'
import { createPretendHardware, type PretendHardware } from './pretendHardware.ts'
import { readingAt } from './readingAt.ts'
import { NOTHING_SET } from './registers.ts'

const NOON_MS = Date.UTC(2026, 6, 10, 11)
/** This is longer than the offline limit, so the server has only the last values of a device that went away. */
const AWAY_MS = 20 * 60_000

/** The fault has lasted for half an hour, so that gradual effects have built up. */
const faulty = (kind: FaultKind): FaultSchedule => ({ kind, everyMinutes: 60, forMinutes: 60, phaseMinutes: 30 })

function pretend(modelId: number, fault?: FaultKind, { feeds = {}, off = {} } = {}): PretendHardware {
  return createPretendHardware({
    place: { seed: 7, latitude: 48.1, longitude: 11.6 },
    fitting: { modelId, components: standardComponents(modelId as DeviceModelId), feeds },
    registers: { ...NOTHING_SET, off },
    faults: fault ? [faulty(fault)] : [],
    clientVersion: '1.2.3',
    now: () => NOON_MS,
    switchingMs: 0,
  })
}

/** Returns what the server would know of this device: its reports, and its replies to one command and one setting. */
async function factsOf(modelId: number, hardware: PretendHardware): Promise<DarknessFacts> {
  const components = standardComponents(modelId as DeviceModelId)
  const isOnline = hardware.outage?.() === 'none'
  const readAtMs = isOnline ? NOON_MS : NOON_MS - AWAY_MS
  const readings = new Map<string, Reading>()
  for (const component of reportedComponents(modelId as DeviceModelId, components)) {
    const prefix = eventTypeByTopic(component.topic)?.prefixes[component.number - 1] ?? ''
    for (const [name, value] of Object.entries(readingAt(hardware.world(), component, readAtMs) ?? {})) {
      if (value !== undefined) readings.set(prefix + name, { value, at: new Date(readAtMs) })
    }
  }
  return {
    modelId: modelId as DeviceModelId,
    components,
    isOnline,
    refused: undefined,
    clockErrorMs: undefined,
    readings,
    offTimes: undefined,
    dayPlan: undefined,
    position: undefined,
    holidays: new Set(),
    timeZone: 'Europe/Berlin',
    setBacklights: new Map(),
    refusals: await refusalsOf(hardware),
    commands: [await switched(hardware)],
    outletHistory: new Map(),
    maintenance: [],
  }
}

async function wordsOf(act: Promise<void> | undefined): Promise<string | undefined> {
  try {
    await act
    return undefined
  } catch (refused) {
    return String((refused as Error).message)
  }
}

async function switched(hardware: PretendHardware): Promise<CommandFact> {
  const words = await wordsOf(hardware.powerSwitch()?.set(1, true) ?? hardware.relay(1)?.set(1, true))
  const delayMs = hardware.answerDelayMs?.() ?? 0
  const sentAt = new Date(NOON_MS - 120_000)
  const name = hardware.powerSwitch() ? 'powerSwitch.set' : 'relay.set'
  const isAnswered = Number.isFinite(delayMs)
  return {
    name,
    args: { number: 1, port: 1, on: true },
    state: isAnswered ? (words === undefined ? 'done' : 'refused') : 'unknown',
    sentAt,
    endedAt: new Date(sentAt.getTime() + (isAnswered ? delayMs : 65_000)),
    words: words ?? '',
  }
}

async function refusalsOf(hardware: PretendHardware): Promise<readonly Refusal[]> {
  const world = hardware.world()
  const reading = readingAt(world, { topic: 'display', number: 1 }, NOON_MS)
  if (!reading) return []
  const settings = { brightness: 50, backlightLevel: 80, gammaValue: 2.2, redColorBalance: 50 }
  const words = await wordsOf(
    pretend(world.fitting.modelId, world.faults[0]?.kind)
      .display(1)
      ?.apply({ ...settings, greenColorBalance: 50, blueColorBalance: 50 }),
  )
  return words === undefined ? [] : [{ section: 'display', number: 1, at: new Date(NOON_MS), words }]
}

async function verdictOf(modelId: number, hardware: PretendHardware) {
  const facts = await factsOf(modelId, hardware)
  const chain = defaultFeedChain(facts.modelId, facts.components)
  const { kind, finding, link } = whyDark(facts, chain, 1, new Date(NOON_MS)).verdict
  return { kind, finding, link }
}

const BY_FAULT: Readonly<Record<FaultKind, { kind: string; finding: string; link?: string }>> = {
  overheating: { kind: 'lit', finding: 'overheating' },
  onBattery: { kind: 'lit', finding: 'onBattery' },
  offline: { kind: 'unknown', finding: 'offline', link: 'mains' },
  sourceLost: { kind: 'broken', finding: 'sourceLost', link: 'content' },
  fanStuck: { kind: 'lit', finding: 'fanStuck' },
  backlightDead: { kind: 'broken', finding: 'backlightDead', link: 'backlight' },
  displayUnreachable: { kind: 'unknown', finding: 'displayUnreachable', link: 'display' },
  relayStuck: { kind: 'lit', finding: 'relayStuck' },
  displayRefuses: { kind: 'lit', finding: 'displayRefuses' },
  answersLate: { kind: 'lit', finding: 'answersLate' },
  answersNever: { kind: 'lit', finding: 'answersNever' },
  batteryWorn: { kind: 'lit', finding: 'lit' },
  clientUpdateFails: { kind: 'lit', finding: 'lit' },
}

const CASES = [1, 15, 16, 22].flatMap((modelId) => FAULT_KINDS.map((fault) => [fault, modelId] as const))

test.each(CASES)('the fault %s of a pretend device of model %i is found by its name', async (fault, modelId) => {
  expect(await verdictOf(modelId, pretend(modelId, fault))).toEqual({ link: undefined, ...BY_FAULT[fault] })
})

test('an outlet that was off before anybody looked is found; what hangs elsewhere goes on', async () => {
  const isOff = { off: { 'power-switch/1': NOON_MS - 60_000 } }
  const facts = await factsOf(1, pretend(1, undefined, isOff))
  const chain = defaultFeedChain(facts.modelId, facts.components)
  // Nobody has commanded it to switch.
  const { kind, finding, link } = whyDark({ ...facts, commands: [] }, chain, 1, new Date(NOON_MS)).verdict
  expect({ kind, finding, link }).toEqual({ kind: 'broken', finding: 'outletOff', link: 'outlet' })
  const rewired = pretend(1, undefined, { ...isOff, feeds: { 'display/1': 'powerSwitch/2' } })
  rewired.fit(facts)
  expect(readingAt(rewired.world(), { topic: 'display', number: 1 }, NOON_MS)).toBeDefined()
})

test.each([1, 15, 16, 22])('nothing is found on a healthy pretend device of model %i', async (modelId) => {
  expect(await verdictOf(modelId, pretend(modelId))).toEqual({ kind: 'lit', finding: 'lit', link: undefined })
})

/** A sensor on the glass would decide before any conclusion (domain/darkness/measuredLight.test.ts). */
function withoutSensors(facts: DarknessFacts): DarknessFacts {
  return { ...facts, readings: new Map([...facts.readings].filter(([name]) => !name.endsWith('panel_light'))) }
}

test.each([1, 15, 16, 22])(
  'no reading of model %i can be taken away and turn into a fault, where no sensor tells the light',
  async (modelId) => {
    const facts = withoutSensors(await factsOf(modelId, pretend(modelId)))
    const chain = defaultFeedChain(facts.modelId, facts.components)
    const unknownWithout: string[] = []
    for (const name of facts.readings.keys()) {
      const readings = new Map([...facts.readings].filter(([its]) => its !== name))
      const { kind } = whyDark({ ...facts, readings }, chain, 1, new Date(NOON_MS)).verdict
      expect(['unknown', 'lit']).toContain(kind)
      if (kind === 'unknown') unknownWithout.push(name)
    }
    // A value that was never reported is no evidence; without the backlight level nothing is known.
    expect(unknownWithout).toEqual(['d_backlight_level'])
  },
)

test.each([1, 15, 16, 22])(
  'of model %i every silent component of the chain is told as unknown, and the light only where its display is silent',
  async (modelId) => {
    const facts = withoutSensors(await factsOf(modelId, pretend(modelId)))
    const chain = defaultFeedChain(facts.modelId, facts.components)
    const prefixes = modelId === 1 ? ['u_', 'ps_', 'ro_', 'd_'] : ['u_', 'r_', 'rt_', 'd_']
    const links =
      modelId === 1 ? ['mains', 'outlet', 'networkSwitch', 'display'] : ['mains', 'outlet', 'router', 'display']
    const told = prefixes.map((prefix) => {
      const tooOld = new Date(NOON_MS - OFFLINE_AFTER_MS - 1)
      const readings = new Map(
        [...facts.readings].map(([name, one]) => [name, name.startsWith(prefix) ? { ...one, at: tooOld } : one]),
      )
      const { verdict, links } = whyDark({ ...facts, readings }, chain, 1, new Date(NOON_MS))
      return { light: verdict.kind, unknown: links.find(({ state }) => state === 'unknown')?.kind }
    })
    expect(told).toEqual(links.map((link) => ({ light: link === 'display' ? 'unknown' : 'lit', unknown: link })))
  },
)
