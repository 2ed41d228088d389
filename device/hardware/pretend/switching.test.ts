import { expect, test } from 'vitest'
import { eventTypeByTopic } from '#domain/catalogue/eventTypes.ts'
import { reportedComponents, standardComponents } from '#domain/components/standardComponents.ts'
import { consequenceOf, type SwitchingCommand } from '#domain/darkness/consequence.ts'
import type { CommandFact, DarknessFacts, Reading } from '#domain/darkness/facts.ts'
import { defaultFeedChain, type FeedPart } from '#domain/darkness/feedChain.ts'
import type { LevelReading } from '#domain/darkness/minutes/darkMinutes.ts'
import { darkMinutes } from '#domain/darkness/testing/countedMinutes.ts'
import { whyDark } from '#domain/darkness/whyDark.ts'
import { DEVICE_MODELS } from '#domain/devices/models.ts'
import type { DeviceModelId } from '#domain/ids.ts'
import { MINUTE_MS } from '#domain/units/time.ts'
import type { Fitting } from '../hardware.ts'
import { createPretendHardware, type PretendHardware } from './pretendHardware.ts'
import { readingAt } from './readingAt.ts'

const NOON_MS = Date.UTC(2026, 6, 10, 11)
const REPORT_EVERY_MS = MINUTE_MS

interface Case {
  readonly title: string
  readonly fitting: Fitting
  readonly command: SwitchingCommand
}

const extra = (componentModelId: number, number: number) => ({ componentModelId, number })
/** UPS, two relays, two routers, two network switches and two cameras, added to what the model has already. */
const EVERYTHING = [5, 4, 18, 14, 19].flatMap((model) => [1, 2].map((number) => extra(model, number)))

function fittingsOf(modelId: DeviceModelId): readonly (readonly [string, Fitting])[] {
  const standard = standardComponents(modelId).map(({ componentModelId, number }) => extra(componentModelId, number))
  const isNew = ({ componentModelId, number }: (typeof EVERYTHING)[number]) =>
    !(componentModelId === 5 && number === 2) &&
    !standard.some((one) => one.componentModelId === componentModelId && one.number === number)
  return [
    ['as it leaves the factory', { modelId, components: standard }],
    ['with everything', { modelId, components: [...standard, ...EVERYTHING.filter(isNew)] }],
  ]
}

const chainOf = ({ modelId, components }: Fitting) =>
  defaultFeedChain(
    modelId as DeviceModelId,
    components.map((component) => ({ ...component, label: '' })),
  )

function commandsFor({ kind, number, port = 1 }: FeedPart): readonly SwitchingCommand[] {
  const args = { number }
  switch (kind) {
    case 'ups':
      return [
        { name: 'ups.reboot', args: {} },
        { name: 'ups.shutdown', args: {} },
      ]
    case 'upsGroup':
      return [{ name: 'ups.groupReset', args: { group: number } }]
    case 'powerSwitch':
      return [
        { name: 'powerSwitch.reset', args },
        ...[true, false].map((on) => ({ name: 'powerSwitch.set' as const, args: { number, on } })),
      ]
    case 'relayPort':
      return [
        { name: 'relay.reset', args: { number, port } },
        ...[true, false].map((on) => ({ name: 'relay.set' as const, args: { number, port, on } })),
      ]
    case 'router':
      return [
        { name: 'routerRelay.reset', args },
        { name: 'routerRelay.portReset', args },
        ...[true, false].map((on) => ({ name: 'routerRelay.set' as const, args: { number, on } })),
      ]
    case 'networkSwitch':
      return [{ name: 'router.reset', args }]
    case 'computer':
      return [{ name: 'computer.reboot', args: {} }]
    default:
      return []
  }
}

const CASES: readonly Case[] = DEVICE_MODELS.flatMap(({ id, name }) =>
  fittingsOf(id).flatMap(([how, fitting]) =>
    chainOf(fitting)
      .parts.flatMap(commandsFor)
      .map((command) => ({
        title: `${name} ${how}: ${command.name} ${JSON.stringify(command.args)}`,
        fitting,
        command,
      })),
  ),
)

async function carryOut(hardware: PretendHardware, { name, args }: SwitchingCommand): Promise<void> {
  switch (name) {
    case 'ups.reboot':
      return hardware.ups()?.reboot()
    case 'ups.shutdown':
      return hardware.ups()?.shutdown()
    case 'ups.groupReset':
      return hardware.ups()?.resetGroup(args.group)
    case 'router.reset':
      return hardware.networkSwitches()?.reset(args.number)
    case 'powerSwitch.reset':
      return hardware.powerSwitch()?.reset(args.number)
    case 'powerSwitch.set':
      return hardware.powerSwitch()?.set(args.number, args.on)
    case 'routerRelay.reset':
      return hardware.routerRelay(args.number)?.reset()
    case 'routerRelay.portReset':
      return hardware.routerRelay(args.number)?.resetPorts()
    case 'routerRelay.set':
      return hardware.routerRelay(args.number)?.set(args.on)
    case 'relay.set':
      return hardware.relay(args.number)?.set(args.port, args.on)
    case 'relay.reset':
      return hardware.relay(args.number)?.reset(args.port)
    case 'computer.reboot':
      return hardware.computer.reboot?.()
  }
}

/** A device and what a server would have received from it, each minute and whenever something was switched. */
function startDevice(fitting: Fitting) {
  let nowMs = NOON_MS
  const hardware = createPretendHardware({
    place: { seed: 7, latitude: 48.1, longitude: 11.6 },
    fitting,
    faults: [],
    clientVersion: '1.2.3',
    now: () => nowMs,
    switchingMs: 0,
  })
  const components = fitting.components.map((component) => ({ ...component, label: '', als: 1 }))
  const tiles = new Map<string, Reading>()
  const outletHistory = new Map<string, Reading[]>()
  const levels = new Map<number, LevelReading[]>()
  const hear = () => {
    if (hardware.outage?.() !== 'none') return
    const at = new Date(nowMs)
    for (const component of reportedComponents(fitting.modelId as DeviceModelId, fitting.components)) {
      const prefix = eventTypeByTopic(component.topic)?.prefixes[component.number - 1] ?? ''
      for (const [name, value] of Object.entries(readingAt(hardware.world(), component, nowMs) ?? {})) {
        if (value === undefined) continue
        const isOutlet = component.topic === 'power-switch' || component.topic === 'relay'
        if (isOutlet) outletHistory.set(prefix + name, [...(outletHistory.get(prefix + name) ?? []), { value, at }])
        if (name === 'backlight_level') {
          const known = levels.get(component.number) ?? []
          levels.set(component.number, [...known, { atMs: nowMs, percent: Number(value) }])
        }
        tiles.set(prefix + name, { value, at })
      }
    }
  }
  return {
    hardware,
    tiles,
    levels,
    hear,
    /** Lets time pass while the device goes on reporting. */
    pass(ms: number) {
      const untilMs = nowMs + ms
      while (nowMs + REPORT_EVERY_MS <= untilMs) {
        nowMs += REPORT_EVERY_MS
        hear()
      }
      nowMs = untilMs
    },
    now: () => nowMs,
    facts: (commands: readonly CommandFact[]): DarknessFacts => ({
      modelId: fitting.modelId as DeviceModelId,
      components,
      isOnline: hardware.outage?.() === 'none',
      refused: undefined,
      clockErrorMs: undefined,
      readings: tiles,
      offTimes: undefined,
      dayPlan: undefined,
      position: undefined,
      holidays: new Set(),
      timeZone: 'Europe/Berlin',
      setBacklights: new Map(),
      refusals: [],
      commands,
      outletHistory,
      maintenance: [],
    }),
  }
}

/** Both lasting and temporary losses of power have begun by then, and nothing is back. */
const LOOKED_AFTER_MS = 8_000
const isByOutlet = ({ name }: SwitchingCommand) => name.startsWith('powerSwitch.') || name.startsWith('relay.')
const isLasting = (command: SwitchingCommand) => 'on' in command.args && !command.args.on
const displaysOf = (fitting: Fitting) => chainOf(fitting).parts.filter(({ kind }) => kind === 'display')

test('every model has its switches here', () => {
  expect(new Set(CASES.map(({ fitting }) => fitting.modelId))).toEqual(new Set(DEVICE_MODELS.map(({ id }) => id)))
  expect(CASES.length).toBeGreaterThan(150)
})

test.each(CASES.map((one) => [one.title, one] as const))(
  '%s: consequence, tiles, diagnosis and dark minutes agree',
  async (_, { fitting, command }) => {
    const chain = chainOf(fitting)
    const { takesDown, reach } = consequenceOf(chain, command)
    const device = startDevice(fitting)
    device.hear()
    const beforeMs = device.now()
    device.pass(2_000)
    await carryOut(device.hardware, command)
    // The agent samples at once, and once more before it replies late.
    device.hear()
    const done: CommandFact = {
      ...command,
      state: 'done',
      sentAt: new Date(beforeMs + 1_000),
      endedAt: new Date(device.now()),
      words: '',
    }
    device.pass(LOOKED_AFTER_MS)
    device.hear()

    // This checks whether it can be reached.
    expect(device.hardware.outage?.() === 'none' ? 'reachable' : 'away').toBe(reach === 'reachable' ? reach : 'away')
    const isDown = ({ name }: FeedPart) => takesDown.includes(name)
    const facts = device.facts([done])
    for (const display of displaysOf(fitting)) {
      const isLit = !isDown(display) && reach === 'reachable'
      // This checks its tiles.
      const tile = device.tiles.get(display.number === 1 ? 'd_internal_temp' : `d${display.number}_internal_temp`)
      expect([display.name, tile?.at.getTime() === device.now()]).toEqual([display.name, isLit])
      // This checks the diagnosed cause of darkness.
      const { verdict } = whyDark(facts, chain, display.number, new Date(device.now()))
      const expected = isLit ? 'lit' : reach === 'reachable' && isByOutlet(command) ? 'broken' : 'unknown'
      expect([display.name, verdict.kind, verdict.sentence]).toEqual([display.name, expected, expect.any(String)])
      if (expected === 'broken') expect(verdict.finding).toBe('outletOff')
      expect(verdict.sentence).not.toContain('wired differently')
    }
    for (const camera of chain.parts.filter(({ kind }) => kind === 'camera')) {
      if (reach !== 'reachable') continue
      const tile = device.tiles.get(`${camera.number === 1 ? 'c_' : `c${camera.number}_`}online_status`)
      if (tile) expect([camera.name, tile.value]).toEqual([camera.name, isDown(camera) ? 0 : 1])
    }

    // Half an hour later, displays with a lasting loss are dark or unknown, and all others are lit again.
    device.pass(30 * MINUTE_MS)
    const since = { fromMs: NOON_MS + 5 * MINUTE_MS, toMs: NOON_MS + 30 * MINUTE_MS }
    for (const display of displaysOf(fitting)) {
      const staysDark = isLasting(command) && (isDown(display) || reach === 'lost')
      const minutes = darkMinutes(since, [], [device.levels.get(display.number) ?? []])
      expect([display.name, minutes.lit > 0]).toEqual([display.name, !staysDark])
      const { verdict } = whyDark(device.facts([done]), chain, display.number, new Date(device.now()))
      expect([display.name, verdict.kind === 'lit']).toEqual([display.name, !staysDark])
    }
  },
)

test('what nobody can switch on from afar is on again after somebody has driven there', async () => {
  const [, fitting] = fittingsOf(1 as DeviceModelId)[0] ?? []
  if (!fitting) throw new Error('no fitting')
  const device = startDevice(fitting)
  await device.hardware.powerSwitch()?.set(2, false)
  device.pass(119 * MINUTE_MS)
  expect(device.hardware.outage?.()).toBe('power')
  device.pass(2 * MINUTE_MS)
  expect(device.hardware.outage?.()).toBe('none')
})

test('what was off is known of the past, and only of then', async () => {
  const [, fitting] = fittingsOf(15 as DeviceModelId)[0] ?? []
  if (!fitting) throw new Error('no fitting')
  const device = startDevice(fitting)
  device.pass(10 * MINUTE_MS)
  await device.hardware.relay(1)?.set(1, false)
  device.pass(10 * MINUTE_MS)
  const answered = (minute: number) =>
    readingAt(device.hardware.world(), { topic: 'display', number: 2 }, NOON_MS + minute * MINUTE_MS) !== undefined
  expect([9, 11].map(answered)).toEqual([true, false])
  await device.hardware.relay(1)?.set(1, true)
  device.pass(10 * MINUTE_MS)
  expect([9, 11, 19, 21].map(answered)).toEqual([true, false, false, true])
})
