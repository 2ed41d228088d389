import type { EventTypeTopic } from '#domain/catalogue/eventTypes.ts'
import type { DriverDescription, OptionProblem, OptionsOf } from '#domain/drivers/driverDescription.ts'
import type { Computer, Display, NetworkSwitches, PowerSwitch, Relay, RouterRelay, Ups } from './hardware.ts'
import type { Reading } from './readings.ts'

/** One reading by names of the catalogue; what the instrument does not say is left out, never zero. */
export interface DriverReading {
  readonly values: Reading
  /** How old it already is, where the instrument or the driver had it at hand; 0 when left out. */
  readonly takenAgoMs?: number
  /**
   * Of a router: bytes that went over the way to the server, both ways, since it started; begins anew with it. No value of
   * the catalogue, because seven digits do not hold it.
   */
  readonly trafficBytes?: number
}

type Commands<Kind> = Partial<Omit<Kind, 'read'>>

/** What a part can be told, by its event type. What a driver leaves out is answered "cannot" by the agent. */
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
 * What was opened for one part. Whoever calls it has deadlines, back-off and at most one call of `read` at a time; it may
 * hang or throw without harm to others. After a deadline it is closed, and opened anew for the next try.
 */
export interface Instrument {
  /**
   * @returns undefined when nothing is known: it does not answer
   * @throws any error: its message goes to the totem's own log
   */
  read(signal: AbortSignal): Promise<DriverReading | undefined>
  /**
   * Says to a person what answers there: `UPS "cabinet" on line, charge 98 %`. Nothing is switched.
   *
   * @throws HardwareError with the reason why not, in whole words and without secrets or paths
   */
  test(signal: AbortSignal): Promise<string>
  /** Each is called at most once for each command, and rejects with `HardwareError` when it was not carried out. */
  readonly commands?: Partial<CommandsByTopic>
  close?(): void
}

/** What an instrument is opened for, and what the agent lends it. */
export interface Place {
  readonly topic: EventTypeTopic
  readonly number: number
  /** Milliseconds that never run backwards. */
  readonly steadyMs: () => number
  /** For the totem's own log; never a secret. */
  readonly log: (line: string) => void
  /** Works of one line (a serial port, a bus behind one gateway) follow one another, whatever parts they are of. */
  readonly inQueue: <Result>(line: string, work: () => Promise<Result>) => Promise<Result>
}

/** A driver: one kind of instrument. `driver()` makes one, so that its options have the types of its description. */
export interface Driver {
  readonly description: DriverDescription
  /** What only several options together can be wrong in, or at this kind of part. */
  problem?(options: Readonly<Record<string, unknown>>, topic: EventTypeTopic): OptionProblem | undefined
  open(options: Readonly<Record<string, unknown>>, place: Place): Instrument
}

export function driver<Description extends DriverDescription>(
  description: Description,
  how: {
    readonly problem?: (options: OptionsOf<Description>, topic: EventTypeTopic) => OptionProblem | undefined
    readonly open: (options: OptionsOf<Description>, place: Place) => Instrument
  },
): Driver {
  return {
    description,
    problem: (options, topic) => how.problem?.(options as OptionsOf<Description>, topic),
    // Options were read by the description before they get here.
    open: (options, place) => how.open(options as OptionsOf<Description>, place),
  }
}
