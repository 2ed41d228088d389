import type { FaultKind, FaultSchedule } from '#contract/fleet.ts'
import type { EventTypeTopic } from '#domain/catalogue/eventTypes.ts'
import { reportedComponents } from '#domain/components/standardComponents.ts'
import type { DeviceModelId } from '#domain/ids.ts'
import {
  type AmbientSensor,
  type Display,
  type Hardware,
  HardwareError,
  type NetworkSwitches,
  type PowerSwitch,
  type Relay,
  type RouterRelay,
  type Ups,
} from '../hardware.ts'
import { displayAt } from './displayModel.ts'
import { isFaulty } from './faults.ts'
import { trafficBytesAt } from './powerModel.ts'
import { pretendDrivers } from './pretendDrivers.ts'
import { isDisplayReachable, readingAt } from './readingAt.ts'
import { type DisplayRegisters, factoryDisplay, hasAmbientSensor, NOTHING_SET, type Registers } from './registers.ts'
import type { Place } from './weather.ts'
import { hasNetwork, hasPower, isLifelineOf, isOn, POWER_OFF_AFTER_MS, portsOf } from './wiring.ts'
import type { WiredFitting, World } from './world.ts'

const RESET_MS = 12_000
const REBOOT_MS = 45_000
/** An operating system takes this long to restart. */
const RESTART_MS = 30_000
const SHUTDOWN_MS = 180_000
/** Somebody has driven there after this time and switched on what cannot be switched on remotely. */
const SOMEBODY_COMES_AFTER_MS = 2 * 60 * 60_000
/** This is longer than the server waits for an answer. */
const LATE_ANSWER_MS = 15_000

export interface PretendOptions {
  readonly place: Place
  readonly fitting: WiredFitting
  readonly faults: readonly FaultSchedule[]
  readonly clientVersion: string
  /** What operators set before a restart. */
  readonly registers?: Registers
  readonly onRegisters?: (registers: Registers) => void
  readonly now: () => number
  readonly switchingMs: number
}

export interface PretendHardware extends Hardware {
  /** Returns the present world; the past uses it with factory `registers`. */
  world(): World
}

function outletName(name: string): string {
  const [kind, number, port] = name.split('/')
  if (kind === 'relay') return `Port ${port} of relay ${number}`
  return `${kind === 'power-switch' ? 'Power switch' : 'Router'} ${number}`
}

/** A simulated device: its readings follow from place, seed, faults and commands (see `readingAt.ts`). */
export function createPretendHardware(options: PretendOptions): PretendHardware {
  const { place, faults, clientVersion, now } = options
  let { fitting } = options
  /** The physical wiring stays, whatever operators enter about it. */
  const { feeds = {} } = fitting
  let registers = options.registers ?? NOTHING_SET

  const world = (): World => ({ ...place, fitting, faults, registers, clientVersion })
  const change = (next: Partial<Registers>) => {
    registers = { ...registers, ...next }
    options.onRegisters?.(registers)
  }
  const displayWith = (number: number, next: Partial<DisplayRegisters>): Registers['displays'] => {
    if (!isDisplayReachable(world(), number, now())) throw new HardwareError(`Display ${number} does not answer.`)
    const before = registers.displays[number] ?? factoryDisplay(place.seed, fitting, number)
    const levelBefore = displayAt(world(), number, now()).backlight_level ?? before.levelBefore
    return { ...registers.displays, [number]: { ...before, ...next, levelBefore, changedAtMs: now() } }
  }
  const sendAway = async (name: string, lastsMs: number) => {
    const fromMs = now()
    const delayMs = isLifelineOf(fitting, name) ? POWER_OFF_AFTER_MS : 0
    change({ away: { ...registers.away, [name]: { fromMs, untilMs: fromMs + delayMs + lastsMs } } })
  }
  const turnOff = async (name: string) => {
    if (isLifelineOf(fitting, name)) await sendAway(name, SOMEBODY_COMES_AFTER_MS)
    else if (registers.off[name] === undefined) change({ off: { ...registers.off, [name]: now() } })
  }
  const turnOn = (name: string) => {
    if (isOn(registers, name, now())) return
    const { [name]: sinceMs, ...off } = registers.off
    const fromMs = sinceMs ?? registers.away[name]?.fromMs ?? now()
    change({ off, away: { ...registers.away, [name]: { fromMs, untilMs: now() } } })
  }
  const switching = () => new Promise((resolve) => setTimeout(resolve, options.switchingMs))
  const refuseWhen = (kind: FaultKind, sentence: string) => {
    if (isFaulty(faults, kind, now())) throw new HardwareError(sentence)
  }
  const refuseWhenStuck = (name: string) =>
    refuseWhen('relayStuck', `${outletName(name)} does not switch: it is stuck.`)
  const switchOutlet = async (name: string, toOn: boolean) => {
    await switching()
    refuseWhenStuck(name)
    if (toOn) turnOn(name)
    else await turnOff(name)
  }
  const resetOutlet = async (name: string) => {
    refuseWhenStuck(name)
    await sendAway(name, RESET_MS)
  }
  const setDisplay = async (number: number, next: Partial<DisplayRegisters>) => {
    await switching()
    change({ displays: displayWith(number, next) })
  }

  const isReported = (topic: EventTypeTopic, number: number) =>
    reportedComponents(fitting.modelId as DeviceModelId, fitting.components).some(
      (component) => component.topic === topic && component.number === number,
    )
  const reader = <Topic extends EventTypeTopic>(topic: Topic, number: number) => ({
    read: async () => readingAt(world(), { topic, number }, now()),
  })

  const display = (number: number): Display => ({
    ...reader('display', number),
    apply: async (settings) => {
      refuseWhen('displayRefuses', `Display ${number} refuses these settings.`)
      const { backlightLevel } = settings
      await setDisplay(number, {
        ...(settings as Partial<DisplayRegisters>),
        ...(backlightLevel === undefined ? {} : { outputLevel: backlightLevel }),
      })
    },
    setBacklight: async (percent) => {
      // The agent sets it again after a restart, so it need not survive one.
      registers = { ...registers, displays: displayWith(number, { outputLevel: percent }) }
    },
    switchOff: () => setDisplay(number, { isSwitchedOff: true }),
    switchOn: () => setDisplay(number, { isSwitchedOff: false }),
  })
  const ambientSensor = (number: number): AmbientSensor => ({
    apply: async (settings) => {
      refuseWhen('displayRefuses', `Ambient sensor ${number} refuses these settings.`)
      await setDisplay(number, settings)
    },
  })
  const ups = (): Ups => ({
    ...reader('ups', 1),
    reboot: () => sendAway('ups', REBOOT_MS),
    shutdown: () => sendAway('ups', SHUTDOWN_MS),
    resetGroup: (group) => sendAway(`upsGroup/${group}`, RESET_MS),
    testBattery: async () => change({ batteryTestAtMs: now() }),
  })
  const networkSwitches = (): NetworkSwitches => ({
    ...reader('router', 1),
    reset: (number) => sendAway(`router/${number}`, RESET_MS),
    trafficBytes: async () => trafficBytesAt(world(), now()),
  })
  const outlets = (
    topic: 'power-switch' | 'relay',
    number: number,
    name: (port: number) => string,
  ): PowerSwitch & Relay => ({
    ...reader(topic, number),
    set: (port, toOn) => switchOutlet(name(port), toOn),
    reset: (port) => resetOutlet(name(port)),
  })
  const routerRelay = (number: number): RouterRelay => ({
    ...reader('router-relay', number),
    set: (toOn) => switchOutlet(`router-relay/${number}`, toOn),
    reset: () => resetOutlet(`router-relay/${number}`),
    resetPorts: () => resetOutlet(portsOf(`router-relay/${number}`)),
  })
  const fitted = <Part>(topic: EventTypeTopic, number: number, part: Part) =>
    isReported(topic, number) ? part : undefined

  return {
    world,
    drivers: pretendDrivers(world, now),
    fit: (next) => {
      fitting = { ...next, feeds }
    },
    computer: { ...reader('device', 1), reboot: () => sendAway('computer', RESTART_MS) },
    display: (number) => fitted('display', number, display(number)),
    ambientSensor: (number) =>
      hasAmbientSensor(fitting, number) && isReported('display', number) ? ambientSensor(number) : undefined,
    controller: (number) => fitted('ecu', number, reader('ecu', number)),
    ups: () => fitted('ups', 1, ups()),
    networkSwitches: () => fitted('router', 1, networkSwitches()),
    powerSwitch: () =>
      fitted(
        'power-switch',
        1,
        outlets('power-switch', 1, (port) => `power-switch/${port}`),
      ),
    relay: (number) =>
      fitted(
        'relay',
        number,
        outlets('relay', number, (port) => `relay/${number}/${port}`),
      ),
    routerRelay: (number) => fitted('router-relay', number, routerRelay(number)),
    camera: (number) => fitted('camera', number, reader('camera', number)),
    buttons: () => fitted('yocto', 1, reader('yocto', 1)),
    outage: () => {
      if (!hasPower(world(), 'computer', now())) return 'power'
      return isFaulty(faults, 'offline', now()) || !hasNetwork(world(), now()) ? 'network' : 'none'
    },
    answerDelayMs: () => {
      if (isFaulty(faults, 'answersNever', now())) return Number.POSITIVE_INFINITY
      return isFaulty(faults, 'answersLate', now()) ? LATE_ANSWER_MS : 0
    },
  }
}
