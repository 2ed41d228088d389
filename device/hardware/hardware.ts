import type { CommandArguments } from '#contract/mqtt/command.ts'
import type { DesiredDriver, DriversTold } from '#contract/mqtt/drivers.ts'
import type { Part } from '#domain/drivers/partKey.ts'
import type {
  ButtonsReading,
  CameraReading,
  ComputerReading,
  ControllerReading,
  DatedReading,
  DisplayReading,
  NetworkSwitchesReading,
  PowerSwitchReading,
  RelayReading,
  RouterRelayReading,
  UpsReading,
} from './readings.ts'

/** What an operator may read: a plain sentence, sent back as the error of a command. */
export class HardwareError extends Error {}

/** Something that can be asked how it is. `undefined`: it does not answer, so nothing is known about it. */
interface Readable<Reading> {
  read(): Promise<Reading | undefined>
}

/** What is left out stays as it is. */
export type DisplaySettings = Omit<CommandArguments<'display.apply'>, 'displayNumber'>
export type AmbientSensorSettings = Omit<CommandArguments<'ambientSensor.apply'>, 'number'>

/** The commands below resolve when the hardware has done it, and throw `HardwareError` when it has not. */
export interface Display extends Readable<DisplayReading> {
  apply(settings: DisplaySettings): Promise<void>
  /** Percent, until the next `apply` or `setBacklight`; the other settings stay. */
  setBacklight(percent: number): Promise<void>
  /** Dark until switched on again, whatever its level or its automation say. */
  switchOff(): Promise<void>
  switchOn(): Promise<void>
}

/** Its values come with the report of the display of the same number. The agent, not the sensor, steers the backlight. */
export interface AmbientSensor {
  apply(settings: AmbientSensorSettings): Promise<void>
}

export interface Ups extends Readable<UpsReading> {
  /** Everything behind it loses power and comes back. */
  reboot(): Promise<void>
  /** Everything behind it loses power and stays dark for minutes. */
  shutdown(): Promise<void>
  resetGroup(group: number): Promise<void>
  /**
   * Begins a short test of the battery; resolves once the UPS has begun it. `battery_test_result` tells what comes of it, in
   * the words of `BatteryTestResult`. Absent where the UPS cannot be asked. Whoever calls it looks at the mains first.
   */
  testBattery?(): Promise<void>
}

/** Two switches share one report (rules/components 12). */
export interface NetworkSwitches extends Readable<NetworkSwitchesReading> {
  reset(number: number): Promise<void>
  /**
   * Bytes that went over the way to the server, both ways, since the router started; begins anew with it. Undefined: it does
   * not answer. Absent where the router does not count.
   */
  trafficBytes?(): Promise<number | undefined>
}

export interface PowerSwitch extends Readable<PowerSwitchReading> {
  set(port: number, isOn: boolean): Promise<void>
  reset(port: number): Promise<void>
}

export interface Relay extends Readable<RelayReading> {
  set(port: number, isOn: boolean): Promise<void>
  reset(port: number): Promise<void>
}

export interface RouterRelay extends Readable<RouterRelayReading> {
  set(isOn: boolean): Promise<void>
  reset(): Promise<void>
  resetPorts(): Promise<void>
}

/** The machine that the client runs on. */
export interface Computer extends Readable<ComputerReading> {
  /** Resolves while it still runs, so that the answer gets out; absent where the client has no way to do it. */
  reboot?(): Promise<void>
}
export type Controller = Readable<ControllerReading>
export type Camera = Readable<CameraReading>
export type Buttons = Readable<ButtonsReading>

/** Model, components and the drivers that the console chose, as the settings document says them. */
export interface Fitting {
  readonly modelId: number
  readonly components: readonly { readonly componentModelId: number; readonly number: number }[]
  readonly drivers?: readonly DesiredDriver[] | undefined
}

/** What a device that is composed of drivers can be asked about them. */
export interface DriverAssignments {
  told(): Omit<DriversTold, 'clientVersion'>
  /** What the drivers of a part say to a person. Throws `HardwareError` with the reason why not. */
  test(part: Part): Promise<string>
}

/**
 * What is screwed into one device. A getter answers `undefined` when nothing of that number is fitted, or when this
 * driver cannot talk to it.
 */
export interface Hardware {
  /** Called with every settings document, before anything is read under it. */
  fit(fitting: Fitting): void
  readonly computer: Computer
  display(number: number): Display | undefined
  ambientSensor(number: number): AmbientSensor | undefined
  controller(number: number): Controller | undefined
  ups(): Ups | undefined
  networkSwitches(): NetworkSwitches | undefined
  powerSwitch(): PowerSwitch | undefined
  relay(number: number): Relay | undefined
  routerRelay(number: number): RouterRelay | undefined
  camera(number: number): Camera | undefined
  buttons(): Buttons | undefined
  /** What the newest `read` of a part was made of, where it was not taken in that moment; empty: it was. */
  dated?(part: Part): readonly DatedReading[]
  /** Absent where nothing can be composed. */
  readonly drivers?: DriverAssignments
  /** Lets go of what is open. */
  close?(): void
  /** Only pretend hardware can say this of itself: without power nothing runs, without network nothing is sent. */
  outage?(): 'none' | 'network' | 'power'
  /** How late the device answers at this moment; infinite: not at all. Only pretend hardware can be asked for this. */
  answerDelayMs?(): number
}
