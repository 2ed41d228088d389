import type { Device } from '#contract/http/device.ts'
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
import { nameOfSection, type SetupSections } from './setupSections.ts'
import type { PowerAction } from './usePower.ts'

/** By which the palette leads to its button. */
export const powerOfferId = ({ title }: Pick<PowerAction, 'title'>): string => `device.power ${title}`

/** Every power action of a device, for who has its buttons not before them (`PowerPanels`). */
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
