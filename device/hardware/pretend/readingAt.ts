import type { EventTypeTopic, ReadingOf } from '#domain/catalogue/eventTypes.ts'
import { buttonsAt, cameraAt, computerAt, controllerAt } from './cabinetModel.ts'
import { displayAt } from './displayModel.ts'
import { isFaulty } from './faults.ts'
import { networkSwitchesAt, powerSwitchAt, relayAt, routerRelayAt, upsAt } from './powerModel.ts'
import { hasPower } from './wiring.ts'
import type { World } from './world.ts'

export function isDisplayReachable(world: World, number: number, atMs: number): boolean {
  return !isFaulty(world.faults, 'displayUnreachable', atMs) && hasPower(world, `display/${number}`, atMs)
}

type Model<Topic extends EventTypeTopic> = (world: World, number: number, atMs: number) => ReadingOf<Topic> | undefined

const MODELS: { readonly [Topic in EventTypeTopic]: Model<Topic> } = {
  device: (world, _, atMs) => computerAt(world, atMs),
  display: (world, number, atMs) =>
    isDisplayReachable(world, number, atMs) ? displayAt(world, number, atMs) : undefined,
  ecu: controllerAt,
  ups: (world, _, atMs) => upsAt(world, atMs),
  'power-switch': (world, _, atMs) => powerSwitchAt(world, atMs),
  router: (world, _, atMs) => networkSwitchesAt(world, atMs),
  relay: relayAt,
  'router-relay': routerRelayAt,
  camera: cameraAt,
  yocto: (world, _, atMs) => buttonsAt(world, atMs),
}

/** Returns the report of a component at any moment; undefined when it does not answer, or nobody asks it. */
export function readingAt<Topic extends EventTypeTopic>(
  world: World,
  { topic, number }: { readonly topic: Topic; readonly number: number },
  atMs: number,
): ReadingOf<Topic> | undefined {
  return hasPower(world, 'computer', atMs) ? MODELS[topic](world, number, atMs) : undefined
}
