import type { FaultKind, FaultSchedule } from '#contract/fleet.ts'
import type { EventTypeTopic } from '#domain/catalogue/eventTypes.ts'
import { reportedComponents } from '#domain/components/standardComponents.ts'
import type { DeviceModelId } from '#domain/ids.ts'
import {
  type AmbientSensor,
  type Display,
  type Fitting,
  type Hardware,
  HardwareError,
  type NetworkSwitches,
  type PowerSwitch,
  type Relay,
  type RouterRelay,
  type Ups,
} from '../hardware.ts'
import type { Reading } from '../readings.ts'
import { displayAt } from './displayModel.ts'
import { isFaulty } from './faults.ts'
import { isDisplayReachable, readingAt } from './readingAt.ts'
import {
  type DisplayRegisters,
  factoryDisplay,
  hasAmbientSensor,
  isAway,
  NOTHING_SET,
  type Registers,
} from './registers.ts'
import type { Place } from './weather.ts'
import type { World } from './world.ts'

const RESET_MS = 12_000
const REBOOT_MS = 45_000
const SHUTDOWN_MS = 180_000
/** Between the order and the loss of power, so that the answer still gets out. */
const POWER_OFF_AFTER_MS = 4000
/** Longer than the server waits for an answer. */
const LATE_ANSWER_MS = 15_000

export interface PretendOptions {
  readonly place: Place
  readonly fitting: Fitting
  readonly faults: readonly FaultSchedule[]
  readonly clientVersion: string
  /** What operators set before a restart. */
  readonly registers?: Registers
  readonly onRegisters?: (registers: Registers) => void
  readonly now: () => number
  /** How long switching takes. */
  readonly switchingMs: number
}

export interface PretendHardware extends Hardware {
  /** The present world; with `registers` as they left the factory for the past. */
  world(): World
}

/** As an operator calls the outlet of this register. */
function outletName(name: string): string {
  const [kind, number, port] = name.split('/')
  if (kind === 'relay') return `Port ${port} of relay ${number}`
  return `${kind === 'power-switch' ? 'Power switch' : 'Router'} ${number}`
}

/** A device that is not there: readings follow from place, seed, faults and what was commanded (see `readingAt.ts`). */
export function createPretendHardware(options: PretendOptions): PretendHardware {
  const { place, faults, clientVersion, now } = options
  let fitting = options.fitting
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
  const sendAway = (names: readonly string[], lastsMs: number, afterMs = 0) => {
    const fromMs = now() + afterMs
    const away = Object.fromEntries(names.map((name) => [name, { fromMs, untilMs: fromMs + lastsMs }]))
    change({ away: { ...registers.away, ...away } })
  }
  const switching = () => new Promise((resolve) => setTimeout(resolve, options.switchingMs))
  const refuseWhen = (kind: FaultKind, sentence: string) => {
    if (isFaulty(faults, kind, now())) throw new HardwareError(sentence)
  }
  const refuseWhenStuck = (name: string) =>
    refuseWhen('relayStuck', `${outletName(name)} does not switch: it is stuck.`)
  const switchOutlet = async (name: string, isOn: boolean) => {
    await switching()
    refuseWhenStuck(name)
    const { [name]: _, ...off } = registers.off
    change({ off: isOn ? off : { ...off, [name]: true } })
  }
  const resetOutlet = async (name: string, others: readonly string[]) => {
    refuseWhenStuck(name)
    sendAway([name, ...others], RESET_MS)
  }
  const setDisplay = async (number: number, next: Partial<DisplayRegisters>) => {
    await switching()
    change({ displays: displayWith(number, next) })
  }

  const isReported = (topic: EventTypeTopic, number: number) =>
    reportedComponents(fitting.modelId as DeviceModelId, fitting.components).some(
      (component) => component.topic === topic && component.number === number,
    )
  const reader = (topic: EventTypeTopic, number: number) => ({
    read: async (): Promise<Reading | undefined> => readingAt(world(), { topic, number }, now()),
  })
  const displayNames = () => [1, 2, 3].map((number) => `display/${number}`)

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
      // Set again by the agent after a restart, so it need not outlive one.
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
    reboot: async () => sendAway(['computer', ...displayNames()], REBOOT_MS, POWER_OFF_AFTER_MS),
    shutdown: async () => sendAway(['computer', ...displayNames()], SHUTDOWN_MS, POWER_OFF_AFTER_MS),
    resetGroup: async (group) =>
      sendAway(group === 1 ? displayNames() : ['router/1', 'router-relay/1', 'camera/1', 'camera/2'], RESET_MS),
  })
  const networkSwitches = (): NetworkSwitches => ({
    ...reader('router', 1),
    reset: async (number) => sendAway([`router/${number}`], RESET_MS),
  })
  const outlets = (
    topic: 'power-switch' | 'relay',
    number: number,
    name: (port: number) => string,
  ): PowerSwitch & Relay => ({
    ...reader(topic, number),
    set: (port, isOn) => switchOutlet(name(port), isOn),
    reset: (port) => resetOutlet(name(port), topic === 'power-switch' && port === 1 ? ['display/1'] : []),
  })
  const routerRelay = (number: number): RouterRelay => ({
    ...reader('router-relay', number),
    set: (isOn) => switchOutlet(`router-relay/${number}`, isOn),
    reset: () => resetOutlet(`router-relay/${number}`, [`camera/${number}`]),
    resetPorts: () => resetOutlet(`router-relay/${number}/ports`, [`camera/${number}`]),
  })
  const fitted = <Part>(topic: EventTypeTopic, number: number, part: Part) =>
    isReported(topic, number) ? part : undefined

  return {
    world,
    fit: (next) => {
      fitting = next
    },
    computer: reader('device', 1),
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
      if (isAway(registers, 'computer', now())) return 'power'
      return isFaulty(faults, 'offline', now()) ? 'network' : 'none'
    },
    answerDelayMs: () => {
      if (isFaulty(faults, 'answersNever', now())) return Number.POSITIVE_INFINITY
      return isFaulty(faults, 'answersLate', now()) ? LATE_ANSWER_MS : 0
    },
  }
}
