import type { Hardware } from '../hardware.ts'
import { isFaulty } from './faults.ts'
import { type PretendOptions, PretendParts } from './PretendParts.ts'
import { pretendDrivers } from './pretendDrivers.ts'
import { hasNetwork, hasPower } from './wiring.ts'
import type { World } from './world.ts'

/** An operating system takes this long to restart. */
const RESTART_MS = 30_000
/** This is longer than the server waits for an answer. */
const LATE_ANSWER_MS = 15_000

export interface PretendHardware extends Hardware {
  /** Returns the present world; the past uses it with factory `registers`. */
  world(): World
}

/** A simulated device: its readings follow from place, seed, faults and commands (see `readingAt.ts`). */
export function createPretendHardware(options: PretendOptions): PretendHardware {
  const { faults, now } = options
  const parts = new PretendParts(options)
  const { world } = parts
  return {
    world,
    drivers: pretendDrivers(world, now),
    fit: (fitting) => parts.fit(fitting),
    computer: { ...parts.reader('device', 1), reboot: () => parts.sendAway('computer', RESTART_MS) },
    display: (number) => parts.fitted('display', number, parts.display(number)),
    ambientSensor: (number) =>
      parts.hasAmbientSensor(number) ? parts.fitted('display', number, parts.ambientSensor(number)) : undefined,
    controller: (number) => parts.fitted('ecu', number, parts.reader('ecu', number)),
    ups: () => parts.fitted('ups', 1, parts.ups()),
    networkSwitches: () => parts.fitted('router', 1, parts.networkSwitches()),
    powerSwitch: () => {
      const outlets = parts.outlets('power-switch', 1, (port) => `power-switch/${port}`)
      return parts.fitted('power-switch', 1, outlets)
    },
    relay: (number) => {
      const outlets = parts.outlets('relay', number, (port) => `relay/${number}/${port}`)
      return parts.fitted('relay', number, outlets)
    },
    routerRelay: (number) => parts.fitted('router-relay', number, parts.routerRelay(number)),
    camera: (number) => parts.fitted('camera', number, parts.reader('camera', number)),
    buttons: () => parts.fitted('yocto', 1, parts.reader('yocto', 1)),
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
