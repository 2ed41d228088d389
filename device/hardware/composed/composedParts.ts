import type { Part } from '#domain/drivers/partKey.ts'
import type { CommandsByTopic } from '../driver.ts'
import type { Hardware } from '../hardware.ts'
import type { Reading } from '../readings.ts'

type CommandedTopic = keyof CommandsByTopic
type Work<Topic extends CommandedTopic> = (commands: CommandsByTopic[Topic]) => Promise<void> | undefined

export interface ComposedPart<Topic extends CommandedTopic> {
  read(): Promise<Reading | undefined>
  /** Comes from its newest reading. */
  trafficBytes(): number | undefined
  can(name: keyof CommandsByTopic[Topic]): boolean
  /** Commands the first driver that has this command. Throws `HardwareError`. */
  tell(name: keyof CommandsByTopic[Topic], work: Work<Topic>): Promise<void>
}

/** Returns undefined when the part has no driver. */
export type PartOf = <Topic extends CommandedTopic>(topic: Topic, number: number) => ComposedPart<Topic> | undefined
type ReadableOf = (part: Part) => { read(): Promise<Reading | undefined> } | undefined

type Parts = Omit<Hardware, 'fit' | 'computer' | 'outage' | 'answerDelayMs' | 'dated' | 'drivers' | 'close'>

/** Serves every part but the computer by its drivers, or by the base if it has none. */
export function composedParts(base: Hardware, partOf: PartOf, readableOf: ReadableOf): Parts {
  return {
    ...powerParts(base, partOf),
    display: (number) => {
      const part = partOf('display', number)
      if (!part) return base.display(number)
      return {
        read: part.read,
        apply: (settings) => part.tell('apply', (display) => display.apply?.(settings)),
        setBacklight: (percent) => part.tell('setBacklight', (display) => display.setBacklight?.(percent)),
        switchOff: () => part.tell('switchOff', (display) => display.switchOff?.()),
        switchOn: () => part.tell('switchOn', (display) => display.switchOn?.()),
      }
    },
    // The agent follows the light; if a driver reads the display, the sensor needs no command.
    ambientSensor: (number) =>
      partOf('display', number) ? { apply: async () => undefined } : base.ambientSensor(number),
    controller: (number) => readableOf({ topic: 'ecu', number }) ?? base.controller(number),
    camera: (number) => readableOf({ topic: 'camera', number }) ?? base.camera(number),
    buttons: () => readableOf({ topic: 'yocto', number: 1 }) ?? base.buttons(),
    networkSwitches: () => {
      const part = partOf('router', 1)
      if (!part) return base.networkSwitches()
      return {
        read: part.read,
        reset: (number) => part.tell('reset', (switches) => switches.reset?.(number)),
        trafficBytes: async () => part.trafficBytes(),
      }
    },
    routerRelay: (number) => {
      const part = partOf('router-relay', number)
      if (!part) return base.routerRelay(number)
      return {
        read: part.read,
        set: (isOn) => part.tell('set', (router) => router.set?.(isOn)),
        reset: () => part.tell('reset', (router) => router.reset?.()),
        resetPorts: () => part.tell('resetPorts', (router) => router.resetPorts?.()),
      }
    },
  }
}

function powerParts(base: Hardware, partOf: PartOf): Pick<Hardware, 'ups' | 'powerSwitch' | 'relay'> {
  return {
    ups: () => {
      const part = partOf('ups', 1)
      if (!part) return base.ups()
      return {
        read: part.read,
        reboot: () => part.tell('reboot', (ups) => ups.reboot?.()),
        shutdown: () => part.tell('shutdown', (ups) => ups.shutdown?.()),
        resetGroup: (group) => part.tell('resetGroup', (ups) => ups.resetGroup?.(group)),
        ...(part.can('testBattery') && {
          testBattery: () => part.tell('testBattery', (ups) => ups.testBattery?.()),
        }),
      }
    },
    powerSwitch: () => {
      const part = partOf('power-switch', 1)
      if (!part) return base.powerSwitch()
      return {
        read: part.read,
        set: (port, isOn) => part.tell('set', (outlets) => outlets.set?.(port, isOn)),
        reset: (port) => part.tell('reset', (outlets) => outlets.reset?.(port)),
      }
    },
    relay: (number) => {
      const part = partOf('relay', number)
      if (!part) return base.relay(number)
      return {
        read: part.read,
        set: (port, isOn) => part.tell('set', (relay) => relay.set?.(port, isOn)),
        reset: (port) => part.tell('reset', (relay) => relay.reset?.(port)),
      }
    },
  }
}

/** The base reports what the drivers of the computer do not know: its load, its memory, its client. */
export function computerOf(base: Hardware, partOf: PartOf): Hardware['computer'] {
  const part = partOf('device', 1)
  if (!part) return base.computer
  const reboot = part.can('reboot')
    ? () => part.tell('reboot', (computer) => computer.reboot?.())
    : base.computer.reboot?.bind(base.computer)
  return {
    read: async () => {
      const [own, others] = await Promise.all([part.read(), base.computer.read()])
      return own || others ? { ...others, ...knownOf(own ?? {}) } : undefined
    },
    ...(reboot && { reboot }),
  }
}

/** Removes the fields of a reading that have no value. */
export function knownOf(reading: Reading): Reading {
  return Object.fromEntries(Object.entries(reading).filter(([, value]) => value !== undefined))
}
