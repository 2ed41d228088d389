import type { FaultKind, FaultSchedule } from '#contract/fleet.ts'
import type { EventTypeTopic } from '#domain/catalogue/eventTypes.ts'
import { reportedComponents } from '#domain/components/standardComponents.ts'
import type { DeviceModelId } from '#domain/ids.ts'
import {
  type AmbientSensor,
  type Display,
  type Fitting,
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
import { isDisplayReachable, readingAt } from './readingAt.ts'
import { type DisplayRegisters, factoryDisplay, hasAmbientSensor, NOTHING_SET, type Registers } from './registers.ts'
import type { Place } from './weather.ts'
import { isLifelineOf, isOn, POWER_OFF_AFTER_MS, portsOf } from './wiring.ts'
import type { WiredFitting, World } from './world.ts'

const RESET_MS = 12_000
const REBOOT_MS = 45_000
const SHUTDOWN_MS = 180_000
/** Somebody has driven there after this time and switched on what cannot be switched on remotely. */
const SOMEBODY_COMES_AFTER_MS = 2 * 60 * 60_000

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

/** What is set on a simulated device, and how each of its parts changes it. */
export class PretendParts {
  readonly #options: PretendOptions
  /** The physical wiring stays, whatever operators enter about it. */
  readonly #feeds: NonNullable<WiredFitting['feeds']>
  #fitting: WiredFitting
  #registers: Registers

  constructor(options: PretendOptions) {
    this.#options = options
    this.#fitting = options.fitting
    this.#feeds = options.fitting.feeds ?? {}
    this.#registers = options.registers ?? NOTHING_SET
  }

  readonly world = (): World => {
    const { place, faults, clientVersion } = this.#options
    return { ...place, fitting: this.#fitting, faults, registers: this.#registers, clientVersion }
  }

  fit(fitting: Fitting): void {
    this.#fitting = { ...fitting, feeds: this.#feeds }
  }

  hasAmbientSensor(number: number): boolean {
    return hasAmbientSensor(this.#fitting, number)
  }

  /** Returns the part, or undefined for one that the device does not have. */
  fitted<Part>(topic: EventTypeTopic, number: number, part: Part): Part | undefined {
    const { modelId, components } = this.#fitting
    const isReported = reportedComponents(modelId as DeviceModelId, components).some(
      (component) => component.topic === topic && component.number === number,
    )
    return isReported ? part : undefined
  }

  reader<Topic extends EventTypeTopic>(topic: Topic, number: number) {
    return { read: async () => readingAt(this.world(), { topic, number }, this.#options.now()) }
  }

  display(number: number): Display {
    return {
      ...this.reader('display', number),
      apply: async (settings) => {
        this.#refuseWhen('displayRefuses', `Display ${number} refuses these settings.`)
        const { backlightLevel } = settings
        await this.#setDisplay(number, {
          ...(settings as Partial<DisplayRegisters>),
          ...(backlightLevel === undefined ? {} : { outputLevel: backlightLevel }),
        })
      },
      setBacklight: async (percent) => {
        // The agent sets it again after a restart, so it need not survive one.
        const displays = this.#displayWith(number, { outputLevel: percent })
        this.#registers = { ...this.#registers, displays }
      },
      switchOff: () => this.#setDisplay(number, { isSwitchedOff: true }),
      switchOn: () => this.#setDisplay(number, { isSwitchedOff: false }),
    }
  }

  ambientSensor(number: number): AmbientSensor {
    return {
      apply: async (settings) => {
        this.#refuseWhen('displayRefuses', `Ambient sensor ${number} refuses these settings.`)
        await this.#setDisplay(number, settings)
      },
    }
  }

  ups(): Ups {
    return {
      ...this.reader('ups', 1),
      reboot: () => this.sendAway('ups', REBOOT_MS),
      shutdown: () => this.sendAway('ups', SHUTDOWN_MS),
      resetGroup: (group) => this.sendAway(`upsGroup/${group}`, RESET_MS),
      testBattery: async () => this.#change({ batteryTestAtMs: this.#options.now() }),
    }
  }

  networkSwitches(): NetworkSwitches {
    return {
      ...this.reader('router', 1),
      reset: (number) => this.sendAway(`router/${number}`, RESET_MS),
      trafficBytes: async () => trafficBytesAt(this.world(), this.#options.now()),
    }
  }

  outlets(topic: 'power-switch' | 'relay', number: number, name: (port: number) => string): PowerSwitch & Relay {
    return {
      ...this.reader(topic, number),
      set: (port, toOn) => this.#switchOutlet(name(port), toOn),
      reset: (port) => this.#resetOutlet(name(port)),
    }
  }

  routerRelay(number: number): RouterRelay {
    return {
      ...this.reader('router-relay', number),
      set: (toOn) => this.#switchOutlet(`router-relay/${number}`, toOn),
      reset: () => this.#resetOutlet(`router-relay/${number}`),
      resetPorts: () => this.#resetOutlet(portsOf(`router-relay/${number}`)),
    }
  }

  async sendAway(name: string, lastsMs: number): Promise<void> {
    const fromMs = this.#options.now()
    const delayMs = isLifelineOf(this.#fitting, name) ? POWER_OFF_AFTER_MS : 0
    this.#change({ away: { ...this.#registers.away, [name]: { fromMs, untilMs: fromMs + delayMs + lastsMs } } })
  }

  #change(next: Partial<Registers>): void {
    this.#registers = { ...this.#registers, ...next }
    this.#options.onRegisters?.(this.#registers)
  }

  #displayWith(number: number, next: Partial<DisplayRegisters>): Registers['displays'] {
    const { place, now } = this.#options
    if (!isDisplayReachable(this.world(), number, now())) throw new HardwareError(`Display ${number} does not answer.`)
    const { displays } = this.#registers
    const before = displays[number] ?? factoryDisplay(place.seed, this.#fitting, number)
    const levelBefore = displayAt(this.world(), number, now()).backlight_level ?? before.levelBefore
    return { ...displays, [number]: { ...before, ...next, levelBefore, changedAtMs: now() } }
  }

  async #setDisplay(number: number, next: Partial<DisplayRegisters>): Promise<void> {
    await this.#switching()
    this.#change({ displays: this.#displayWith(number, next) })
  }

  async #switchOutlet(name: string, toOn: boolean): Promise<void> {
    await this.#switching()
    this.#refuseWhenStuck(name)
    if (toOn) this.#turnOn(name)
    else await this.#turnOff(name)
  }

  async #resetOutlet(name: string): Promise<void> {
    this.#refuseWhenStuck(name)
    await this.sendAway(name, RESET_MS)
  }

  async #turnOff(name: string): Promise<void> {
    const { off } = this.#registers
    if (isLifelineOf(this.#fitting, name)) await this.sendAway(name, SOMEBODY_COMES_AFTER_MS)
    else if (off[name] === undefined) this.#change({ off: { ...off, [name]: this.#options.now() } })
  }

  #turnOn(name: string): void {
    const { now } = this.#options
    if (isOn(this.#registers, name, now())) return
    const { away } = this.#registers
    const { [name]: sinceMs, ...off } = this.#registers.off
    const fromMs = sinceMs ?? away[name]?.fromMs ?? now()
    this.#change({ off, away: { ...away, [name]: { fromMs, untilMs: now() } } })
  }

  #switching(): Promise<unknown> {
    return new Promise((resolve) => setTimeout(resolve, this.#options.switchingMs))
  }

  #refuseWhenStuck(name: string): void {
    this.#refuseWhen('relayStuck', `${outletName(name)} does not switch: it is stuck.`)
  }

  #refuseWhen(kind: FaultKind, sentence: string): void {
    const { faults, now } = this.#options
    if (isFaulty(faults, kind, now())) throw new HardwareError(sentence)
  }
}

function outletName(name: string): string {
  const [kind, number, port] = name.split('/')
  if (kind === 'relay') return `Port ${port} of relay ${number}`
  return `${kind === 'power-switch' ? 'Power switch' : 'Router'} ${number}`
}
