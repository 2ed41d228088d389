import { send } from '#console/lib/call/api.ts'
import {
  powerSwitch1Reset,
  powerSwitch1TurnOff,
  powerSwitch1TurnOn,
  powerSwitch2Reset,
  powerSwitch2TurnOff,
  powerSwitch2TurnOn,
  resetNetworkRelay,
  resetRouterWithRelay,
  resetRouterWithRelayPort,
  router1Reset,
  router2Reset,
  setNetworkRelayOnOff,
  setRouterWithRelayOnOff,
  upsGroup1Reset,
  upsGroup2Reset,
  upsReboot,
  upsShutdown,
} from '#contract/http/deviceCommands.ts'
import type { SwitchingCommand } from '#domain/darkness/consequence.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { PowerAction } from './usePower.ts'

/** Every power action of the setup, with what it does said plainly before it is done (P2 §7). */
export interface PowerTarget {
  readonly deviceId: DeviceId
  readonly deviceName: string
  readonly number: number
  /** What operators call the thing. */
  readonly label: string
}

const dangerous = (
  title: string,
  question: string,
  command: SwitchingCommand,
  act: () => Promise<string>,
): PowerAction => ({ title, question, command, isDangerous: true, send: act })

export function upsActions(deviceId: DeviceId, deviceName: string) {
  const query = { deviceId }
  const of = `the UPS of "${deviceName}"`
  const group = (number: 1 | 2) => ({
    name: `Reset group ${number}`,
    action: dangerous(
      `Reset UPS group ${number}`,
      `Everything on group ${number} of ${of} loses power for a moment and starts again. Reset group ${number}?`,
      { name: 'ups.groupReset', args: { group: number } },
      () => (number === 1 ? send(upsGroup1Reset, { query }) : send(upsGroup2Reset, { query })),
    ),
  })
  return [
    {
      name: 'Reboot',
      action: dangerous(
        'Reboot UPS',
        `Everything behind ${of} loses power and starts again: display, computer and network. The device is offline meanwhile. Reboot it?`,
        { name: 'ups.reboot', args: {} },
        () => send(upsReboot, { query }),
      ),
    },
    {
      name: 'Shutdown',
      action: dangerous(
        'Shut down UPS',
        `Everything behind ${of} loses power and stays dark. The device goes offline, and it may take somebody on site to bring it back. Shut it down?`,
        { name: 'ups.shutdown', args: {} },
        () => send(upsShutdown, { query }),
      ),
    },
    group(1),
    group(2),
  ]
}

export function networkSwitchReset({ deviceId, deviceName, number, label }: PowerTarget): PowerAction {
  const query = { deviceId }
  return dangerous(
    `Reset ${label}`,
    `Everything on network switch ${number} ("${label}") of "${deviceName}" loses its network for a moment; the device may go offline meanwhile. Reset it?`,
    { name: 'router.reset', args: { number } },
    () => (number === 1 ? send(router1Reset, { query }) : send(router2Reset, { query })),
  )
}

export function powerSwitchReset({ deviceId, deviceName, number, label }: PowerTarget): PowerAction {
  const query = { deviceId }
  return dangerous(
    `Reset power switch ${number}`,
    `${label} of "${deviceName}" loses power for a moment and starts again. Reset it?`,
    { name: 'powerSwitch.reset', args: { number } },
    () => (number === 1 ? send(powerSwitch1Reset, { query }) : send(powerSwitch2Reset, { query })),
  )
}

export function powerSwitchSet({ deviceId, deviceName, number, label }: PowerTarget, isOn: boolean): PowerAction {
  const query = { deviceId }
  const command = { name: 'powerSwitch.set', args: { number, on: isOn } } as const
  if (isOn) {
    return {
      command,
      title: `Turn on power switch ${number}`,
      question: `${label} of "${deviceName}" gets power. Turn it on?`,
      isDangerous: false,
      send: () => (number === 1 ? send(powerSwitch1TurnOn, { query }) : send(powerSwitch2TurnOn, { query })),
    }
  }
  return dangerous(
    `Turn off power switch ${number}`,
    `${label} of "${deviceName}" loses power and stays dark until it is turned on again. Turn it off?`,
    command,
    () => (number === 1 ? send(powerSwitch1TurnOff, { query }) : send(powerSwitch2TurnOff, { query })),
  )
}

export function routerReset({ deviceId, deviceName, number, label }: PowerTarget): PowerAction {
  return dangerous(
    `Reset ${label}`,
    `Router ${number} ("${label}") of "${deviceName}" loses power for a moment and starts again. Everything behind it is offline meanwhile. Reset it?`,
    { name: 'routerRelay.reset', args: { number } },
    () => send(resetRouterWithRelay, { query: { deviceId, number } }),
  )
}

export function routerPortReset({ deviceId, deviceName, number, label }: PowerTarget): PowerAction {
  return dangerous(
    `Reset ports of ${label}`,
    `What is plugged into the ports of router ${number} ("${label}") of "${deviceName}" loses its connection for a moment. Reset the ports?`,
    { name: 'routerRelay.portReset', args: { number } },
    () => send(resetRouterWithRelayPort, { query: { deviceId, number } }),
  )
}

export function routerSet({ deviceId, deviceName, number, label }: PowerTarget, on: boolean): PowerAction {
  const act = () => send(setRouterWithRelayOnOff, { query: { deviceId, number, on } })
  const command = { name: 'routerRelay.set', args: { number, on } } as const
  if (on) {
    return {
      command,
      title: `Turn on ${label}`,
      question: `Router ${number} ("${label}") of "${deviceName}" gets power. Turn it on?`,
      isDangerous: false,
      send: act,
    }
  }
  return dangerous(
    `Turn off ${label}`,
    `Router ${number} ("${label}") of "${deviceName}" loses power until it is turned on again. Turn it off?`,
    command,
    act,
  )
}

export interface PortTarget extends PowerTarget {
  readonly port: 1 | 2
}

export function relayReset({ deviceId, deviceName, number, port, label }: PortTarget): PowerAction {
  return dangerous(
    `Reset ${label}`,
    `"${label}" (port ${port} of relay ${number}) of "${deviceName}" loses power for a moment and starts again. Reset it?`,
    { name: 'relay.reset', args: { number, port } },
    () => send(resetNetworkRelay, { query: { deviceId, number, port } }),
  )
}

export function relaySet({ deviceId, deviceName, number, port, label }: PortTarget, on: boolean): PowerAction {
  const act = () => send(setNetworkRelayOnOff, { query: { deviceId, number, port, on } })
  const command = { name: 'relay.set', args: { number, port, on } } as const
  const what = `"${label}" (port ${port} of relay ${number}) of "${deviceName}"`
  if (on) {
    return {
      title: `Turn on ${label}`,
      question: `${what} gets power. Turn it on?`,
      command,
      isDangerous: false,
      send: act,
    }
  }
  return dangerous(`Turn off ${label}`, `${what} loses power until it is turned on again. Turn it off?`, command, act)
}
