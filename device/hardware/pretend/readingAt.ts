import type { ReportedComponent } from '#domain/components/standardComponents.ts'
import type { Reading } from '../readings.ts'
import { buttonsAt, cameraAt, computerAt, controllerAt } from './cabinetModel.ts'
import { displayAt } from './displayModel.ts'
import { isFaulty } from './faults.ts'
import { networkSwitchesAt, powerSwitchAt, relayAt, routerRelayAt, upsAt } from './powerModel.ts'
import { hasPower } from './wiring.ts'
import type { World } from './world.ts'

export function isDisplayReachable(world: World, number: number, atMs: number): boolean {
  return !isFaulty(world.faults, 'displayUnreachable', atMs) && hasPower(world, `display/${number}`, atMs)
}

/** What a component reports at any moment, past or present; `undefined`: it does not answer, or nobody asks it. */
export function readingAt(world: World, { topic, number }: ReportedComponent, atMs: number): Reading | undefined {
  if (!hasPower(world, 'computer', atMs)) return undefined
  switch (topic) {
    case 'device':
      return { ...computerAt(world, atMs) }
    case 'display':
      return isDisplayReachable(world, number, atMs) ? { ...displayAt(world, number, atMs) } : undefined
    case 'ecu':
      return { ...controllerAt(world, number, atMs) }
    case 'ups':
      return { ...upsAt(world, atMs) }
    case 'power-switch':
      return { ...powerSwitchAt(world, atMs) }
    case 'router':
      return { ...networkSwitchesAt(world, atMs) }
    case 'relay':
      return { ...relayAt(world, number, atMs) }
    case 'router-relay':
      return { ...routerRelayAt(world, number, atMs) }
    case 'camera':
      return { ...cameraAt(world, number, atMs) }
    case 'yocto':
      return { ...buttonsAt(world, atMs) }
  }
}
