import type { Device } from '#contract/http/devices/devices.ts'
import type { PartKey } from '#domain/darkness/feedChain.ts'
import { hasFixedSetup } from '#domain/devices/models.ts'
import type { DeviceModelId } from '#domain/ids.ts'
import { nameOfSection, type SetupSections } from '../read/setupSections.ts'
import {
  networkSwitchReset,
  powerSwitchReset,
  powerSwitchSet,
  relayReset,
  relaySet,
  routerPortReset,
  routerReset,
  routerSet,
  upsActions,
} from './powerActions.ts'
import type { PowerAction } from './usePower.ts'

export const powerCommandId = ({ title }: Pick<PowerAction, 'title'>): string => `device.power ${title}`

/** A computer of a device belongs to its model (domain/darkness/feedChain.ts). */
export interface Computer {
  readonly key: PartKey
  readonly name: string
}

const COMPUTER: Computer = { key: 'computer', name: 'the computer' }
/** The BeagleBone speaks to the server, the PC plays the content (rules/components 15). */
const OF_MODEL_1: readonly [Computer, Computer] = [
  { key: 'computer', name: 'the Beaglebone' },
  { key: 'player', name: 'the PC' },
]

/** The model alone decides this, so that the computers are offered before anything is read of a device. */
export const computersOf = (modelId: DeviceModelId): readonly [Computer, ...Computer[]] =>
  hasFixedSetup(modelId) ? OF_MODEL_1 : [COMPUTER]

export const restartTitle = ({ name }: Computer): string => `Restart ${name}`
export const restartCommandId = ({ key }: Computer): string => `device.restart ${key}`

/** The palette offers every power action of a device on pages without its buttons (`PowerPanels`). */
export function powerActionsOf(
  { id: deviceId, name: deviceName }: Pick<Device, 'id' | 'name'>,
  sections: SetupSections,
) {
  const target = (number: number, label: string) => ({ deviceId, deviceName, number, label })
  const { hasUps, networkSwitches, powerSwitches, routers, relays } = sections
  return [
    ...(hasUps ? upsActions(deviceId, deviceName).map(({ action }) => action) : []),
    ...networkSwitches.map((each) => networkSwitchReset(target(each.number, nameOfSection('Network switch', each)))),
    ...powerSwitches.flatMap(({ number, label }) => {
      const of = target(number, label)
      return [powerSwitchSet(of, true), powerSwitchSet(of, false), powerSwitchReset(of)]
    }),
    ...routers.flatMap((each) => {
      const of = target(each.number, nameOfSection('Router', each))
      return [routerSet(of, true), routerSet(of, false), routerReset(of), routerPortReset(of)]
    }),
    ...relays.flatMap(({ number, ports }) =>
      ports.flatMap(({ port, label, canSwitch }) => {
        const of = { ...target(number, label), port }
        return [...(canSwitch ? [relaySet(of, true), relaySet(of, false)] : []), relayReset(of)]
      }),
    ),
  ] satisfies readonly PowerAction[]
}
