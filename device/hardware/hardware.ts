import type { CommandArguments } from '#contract/mqtt/command.ts'
import type { DesiredDriver, DriverReport } from '#contract/mqtt/drivers.ts'
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

/** An error whose plain sentence an operator reads as the error of a command. */
export class HardwareError extends Error {}

/** A part that can be read. Undefined means that it does not answer, so that nothing is known about it. */
interface Readable<Reading> {
  read(): Promise<Reading | undefined>
}

/** Values that are left out stay unchanged. */
export type DisplaySettings = Omit<CommandArguments<'display.apply'>, 'displayNumber'>
export type AmbientSensorSettings = Omit<CommandArguments<'ambientSensor.apply'>, 'number'>

/** The commands below resolve when the hardware has carried them out, and throw `HardwareError` when it has not. */
export interface Display extends Readable<DisplayReading> {
  apply(settings: DisplaySettings): Promise<void>
  /** Sets percent until the next `apply` or `setBacklight`; the other settings stay. */
  setBacklight(percent: number): Promise<void>
  /** Keeps the display dark until it is switched on again, whatever its level or its automation. */
  switchOff(): Promise<void>
  switchOn(): Promise<void>
}

/** Its values come with the report of its display. The agent, not the sensor, controls the backlight. */
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
   * Begins a short test of the battery and resolves once the UPS has begun it. `battery_test_result` reports the result
   * as one of `BatteryTestResult`. Absent if the UPS cannot be asked. The caller checks the mains first.
   */
  testBattery?(): Promise<void>
}

/** Two switches share one report (rules/components 12). */
export interface NetworkSwitches extends Readable<NetworkSwitchesReading> {
  reset(number: number): Promise<void>
  /**
   * Resolves with the bytes to and from the server since the router started; a restart resets them. Undefined when it
   * does not answer; absent when the router does not count.
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

export interface Computer extends Readable<ComputerReading> {
  /** Resolves while the computer still runs, so that the reply gets out; absent if the client has no way to do it. */
  reboot?(): Promise<void>
}
export type Controller = Readable<ControllerReading>
export type Camera = Readable<CameraReading>
export type Buttons = Readable<ButtonsReading>

/** The model, the components and the console's drivers, as the settings document lists them. */
export interface Fitting {
  readonly modelId: number
  readonly components: readonly { readonly componentModelId: number; readonly number: number }[]
  readonly drivers?: readonly DesiredDriver[] | undefined
}

/** What a device that is composed of drivers reports about them. */
export interface DriverAssignments {
  told(): Omit<DriverReport, 'clientVersion'>
  /** Returns a text for people about the drivers of a part. Throws `HardwareError` with the reason why not. */
  test(part: Part): Promise<string>
}

/** The hardware of one device. A getter returns undefined for a part that is missing or has no driver. */
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
  /** Returns the dated parts of the newest `read` that were not taken at that moment; empty if all were. */
  dated?(part: Part): readonly DatedReading[]
  /** Absent if the hardware is not composed of drivers. */
  readonly drivers?: DriverAssignments
  close?(): void
  /** Only simulated hardware reports this: without power nothing runs, without network nothing is sent. */
  outage?(): 'none' | 'network' | 'power'
  /** Returns how late the device answers at this moment; infinite means never. Only simulated hardware has this. */
  answerDelayMs?(): number
}
