import type { EventTypeTopic } from '#domain/catalogue/eventTypes.ts'
import type { DriverDescription, OptionProblem, OptionsOf } from '#domain/drivers/driverDescription.ts'
import type { Computer, Display, NetworkSwitches, PowerSwitch, Relay, RouterRelay, Ups } from './hardware.ts'
import type { Reading } from './readings.ts'

/** One reading by names of the catalogue; what the instrument does not report is left out, never zero. */
export interface DriverReading {
  readonly values: Reading
  /** The age of the reading if the instrument or the driver had it already; 0 when left out. */
  readonly takenAgoMs?: number
  /**
   * A router's bytes to and from the server since it started. They are no field of the catalogue, because seven digits
   * do not hold them.
   */
  readonly trafficBytes?: number
}

type Commands<Kind> = Partial<Omit<Kind, 'read'>>

/** The commands of a part, by its event type. The agent answers "cannot" for those that a driver leaves out. */
export interface CommandsByTopic {
  readonly display: Commands<Display>
  readonly ups: Omit<Commands<Ups>, 'testBattery'> & { testBattery?(): Promise<void> }
  readonly router: Omit<Commands<NetworkSwitches>, 'trafficBytes'>
  readonly 'power-switch': Commands<PowerSwitch>
  readonly relay: Commands<Relay>
  readonly 'router-relay': Commands<RouterRelay>
  readonly device: Commands<Computer>
}

/**
 * An opened connection to one part. Its caller has time limits, pauses and at most one call of `read` at a time, so it
 * may hang or throw without harm to others. After a timeout it is closed, and opened anew for the next attempt.
 */
export interface Instrument {
  /**
   * @returns undefined when it does not answer, so that nothing is known
   * @throws any error: its message goes to the device's own log
   */
  read(signal: AbortSignal): Promise<DriverReading | undefined>
  /**
   * Describes for a person what answers: `UPS "cabinet" on line, charge 98 %`. Nothing is switched.
   *
   * @throws HardwareError with the reason why not, in whole words and without secrets or paths
   */
  test(signal: AbortSignal): Promise<string>
  /** Each is called at most once for each command, and rejects with `HardwareError` when it was not carried out. */
  readonly commands?: Partial<CommandsByTopic>
  close?(): void
}

/** The part that an instrument is opened for, and the agent's services for it. */
export interface Place {
  readonly topic: EventTypeTopic
  readonly number: number
  /** Returns milliseconds that never run backwards. */
  readonly steadyMs: () => number
  /** Writes to the device's own log, never a secret. */
  readonly log: (line: string) => void
  /** Work on one line (a serial port, a bus behind one gateway) runs in sequence, even for different parts. */
  readonly inQueue: <Result>(line: string, work: () => Promise<Result>) => Promise<Result>
}

/** What somebody who looks for parts has agreed to ask. */
export interface Surroundings {
  /** IP addresses: this computer, and the networks that somebody has agreed to. */
  readonly hosts: readonly string[]
  /** Paths of serial ports. */
  readonly serialPorts: readonly string[]
  /** The communities by which agents of SNMP are asked; without any, none is asked. */
  readonly communities?: readonly string[]
  /** Whether somebody has agreed that what listens is read by Modbus. */
  readonly asksModbus?: boolean
  /** Replaces the usual port of a protocol; only simulated instruments listen elsewhere. */
  readonly portFor?: (usual: number) => number
  /** Writes to the log of whoever looks. */
  readonly log: (line: string) => void
}

/** Options with which an instrument may answer, written as in the device's own file. */
export interface Candidate {
  readonly topic: EventTypeTopic
  readonly options: Readonly<Record<string, unknown>>
}

/** A driver for one kind of instrument. `driver()` gives its options the types of its description. */
export interface Driver {
  readonly description: DriverDescription
  /** Checks what depends on several options together, or on this kind of part. */
  problem?(options: Readonly<Record<string, unknown>>, topic: EventTypeTopic): OptionProblem | undefined
  open(options: Readonly<Record<string, unknown>>, place: Place): Instrument
  /** Names where such an instrument may be, at little cost; `test` then says whether it is. Nothing is switched. */
  probe?(around: Surroundings, signal: AbortSignal): Promise<readonly Candidate[]>
}

export function driver<Description extends DriverDescription>(
  description: Description,
  how: {
    readonly problem?: (options: OptionsOf<Description>, topic: EventTypeTopic) => OptionProblem | undefined
    readonly open: (options: OptionsOf<Description>, place: Place) => Instrument
    readonly probe?: NonNullable<Driver['probe']>
  },
): Driver {
  return {
    description,
    problem: (options, topic) => how.problem?.(options as OptionsOf<Description>, topic),
    // The description has validated the options before they get here.
    open: (options, place) => how.open(options as OptionsOf<Description>, place),
    ...(how.probe && { probe: how.probe }),
  }
}
