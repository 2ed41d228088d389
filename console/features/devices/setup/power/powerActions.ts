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
  restartComputer,
  router1Reset,
  router2Reset,
  setNetworkRelayOnOff,
  setRouterWithRelayOnOff,
  upsBatteryTest,
  upsGroup1Reset,
  upsGroup2Reset,
  upsReboot,
  upsShutdown,
} from '#contract/http/devices/commands.ts'
import type { Device } from '#contract/http/devices/devices.ts'
import { inSentence } from '#domain/darkness/consequence.ts'
import type { RebootCommand, ResetCommand, Restart } from '#domain/darkness/restart.ts'
import type { DeviceId } from '#domain/ids.ts'
import type { PowerAction } from './usePower.ts'

export interface PowerTarget {
  readonly deviceId: DeviceId
  readonly deviceName: string
  readonly number: number
  readonly label: string
}

export interface PortTarget extends PowerTarget {
  readonly port: 1 | 2
}

const PAUSES = 'It loses power for a moment and starts again.'
const STAYS_OFF = 'It loses power and stays off until it is turned on again.'
const NETWORK_PAUSES = 'Its network is gone for a moment; the device may go offline meanwhile.'

const dangerous = (action: Omit<PowerAction, 'isDangerous'>): PowerAction => ({ ...action, isDangerous: true })

/** It names the part as its device is built, together with the operators' own label where that differs. */
function named({ deviceName, label }: PowerTarget, thing: string): string {
  const own = label.toLowerCase() === thing ? thing : `"${label}" (${thing})`
  return `${own} of "${deviceName}"`
}

/** Every switch warns of a loss when it turns off, and only asks when it turns on. */
const switching = (
  isOn: boolean,
  { title, what, ...action }: Pick<PowerAction, 'command' | 'send'> & { readonly title: string; readonly what: string },
): PowerAction => ({
  ...action,
  title: `Turn ${isOn ? 'on' : 'off'} ${title}`,
  question: `Turn ${isOn ? 'on' : 'off'} ${what}?`,
  effect: isOn ? 'It gets power.' : STAYS_OFF,
  isDangerous: !isOn,
})

/** The question names whether the client restarts the computer or the part that feeds it does. */
export function restartAction(
  { id, name }: Pick<Device, 'id' | 'name'>,
  { target, part, command }: Restart<ResetCommand | RebootCommand>,
): PowerAction {
  const computer = inSentence(target)
  const isByClient = command.name === 'computer.reboot'
  const means = isByClient
    ? 'by its own client'
    : `by ${command.name === 'ups.reboot' ? 'a reboot' : 'a reset'} of ${inSentence(part)}`
  return dangerous({
    title: `Restart ${computer}`,
    question: `Restart ${computer} of "${name}" ${means}?`,
    effect: PAUSES,
    command,
    send: () => (isByClient ? send(restartComputer, { query: { deviceId: id } }) : sendReset(id, command)),
  })
}

/** Each part is reset by a call of its own (rules/commands 7). */
function sendReset(deviceId: DeviceId, { name, args }: ResetCommand): Promise<string> {
  const query = { deviceId }
  switch (name) {
    case 'ups.reboot':
      return send(upsReboot, { query })
    case 'ups.groupReset':
      return send(args.group === 1 ? upsGroup1Reset : upsGroup2Reset, { query })
    case 'router.reset':
      return send(args.number === 1 ? router1Reset : router2Reset, { query })
    case 'powerSwitch.reset':
      return send(args.number === 1 ? powerSwitch1Reset : powerSwitch2Reset, { query })
    case 'routerRelay.reset':
      return send(resetRouterWithRelay, { query: { ...query, number: args.number } })
    case 'relay.reset':
      return send(resetNetworkRelay, { query: { ...query, number: args.number, port: args.port } })
  }
}

export function upsActions(deviceId: DeviceId, deviceName: string) {
  const query = { deviceId }
  const of = `the UPS of "${deviceName}"`
  return [
    {
      name: 'Reboot',
      action: dangerous({
        title: 'Reboot UPS',
        question: `Reboot ${of}?`,
        effect: 'Everything behind it loses power and starts again.',
        command: { name: 'ups.reboot', args: {} },
        send: () => sendReset(deviceId, { name: 'ups.reboot', args: {} }),
      }),
    },
    {
      name: 'Test battery now',
      action: {
        title: 'Test the UPS battery',
        question: `Test the battery of ${of}?`,
        effect: 'For about a minute it runs what is connected to it on its battery.',
        isDangerous: false,
        command: { name: 'ups.batteryTest', args: {} },
        send: () => send(upsBatteryTest, { query }),
      } satisfies PowerAction,
    },
    upsGroupReset(deviceId, deviceName, 1),
    upsGroupReset(deviceId, deviceName, 2),
    {
      name: 'Shutdown',
      action: dangerous({
        title: 'Shut down UPS',
        question: `Shut down ${of}?`,
        effect: 'Everything behind it loses power and stays dark, and a visit may be needed.',
        command: { name: 'ups.shutdown', args: {} },
        send: () => send(upsShutdown, { query }),
      }),
    },
  ]
}

const upsGroupReset = (deviceId: DeviceId, deviceName: string, group: 1 | 2) => ({
  name: `Reset group ${group}`,
  action: dangerous({
    title: `Reset UPS group ${group}`,
    question: `Reset group ${group} of the UPS of "${deviceName}"?`,
    effect: 'Everything on it loses power for a moment and starts again.',
    command: { name: 'ups.groupReset', args: { group } },
    send: () => sendReset(deviceId, { name: 'ups.groupReset', args: { group } }),
  }),
})

export function networkSwitchReset(target: PowerTarget): PowerAction {
  const { deviceId, number, label } = target
  return dangerous({
    title: `Reset ${label}`,
    question: `Reset ${named(target, `network switch ${number}`)}?`,
    effect: NETWORK_PAUSES,
    command: { name: 'router.reset', args: { number } },
    send: () => sendReset(deviceId, { name: 'router.reset', args: { number } }),
  })
}

export function powerSwitchReset(target: PowerTarget): PowerAction {
  const { deviceId, number } = target
  return dangerous({
    title: `Reset power switch ${number}`,
    question: `Reset ${named(target, `power switch ${number}`)}?`,
    effect: PAUSES,
    command: { name: 'powerSwitch.reset', args: { number } },
    send: () => sendReset(deviceId, { name: 'powerSwitch.reset', args: { number } }),
  })
}

export function powerSwitchSet(target: PowerTarget, on: boolean): PowerAction {
  const { deviceId, number } = target
  const [first, second] = on ? [powerSwitch1TurnOn, powerSwitch2TurnOn] : [powerSwitch1TurnOff, powerSwitch2TurnOff]
  return switching(on, {
    title: `power switch ${number}`,
    what: named(target, `power switch ${number}`),
    command: { name: 'powerSwitch.set', args: { number, on } },
    send: () => send(number === 1 ? first : second, { query: { deviceId } }),
  })
}

export function routerReset(target: PowerTarget): PowerAction {
  const { deviceId, number, label } = target
  return dangerous({
    title: `Reset ${label}`,
    question: `Reset ${named(target, `router ${number}`)}?`,
    effect: PAUSES,
    command: { name: 'routerRelay.reset', args: { number } },
    send: () => sendReset(deviceId, { name: 'routerRelay.reset', args: { number } }),
  })
}

export function routerPortReset(target: PowerTarget): PowerAction {
  const { deviceId, number, label } = target
  return dangerous({
    title: `Reset ports of ${label}`,
    question: `Reset the ports of ${named(target, `router ${number}`)}?`,
    effect: NETWORK_PAUSES,
    command: { name: 'routerRelay.portReset', args: { number } },
    send: () => send(resetRouterWithRelayPort, { query: { deviceId, number } }),
  })
}

export function routerSet(target: PowerTarget, on: boolean): PowerAction {
  const { deviceId, number, label } = target
  return switching(on, {
    title: label,
    what: named(target, `router ${number}`),
    command: { name: 'routerRelay.set', args: { number, on } },
    send: () => send(setRouterWithRelayOnOff, { query: { deviceId, number, on } }),
  })
}

export function relayReset(target: PortTarget): PowerAction {
  const { deviceId, number, port, label } = target
  return dangerous({
    title: `Reset ${label}`,
    question: `Reset ${named(target, `port ${port} of relay ${number}`)}?`,
    effect: PAUSES,
    command: { name: 'relay.reset', args: { number, port } },
    send: () => sendReset(deviceId, { name: 'relay.reset', args: { number, port } }),
  })
}

export function relaySet(target: PortTarget, on: boolean): PowerAction {
  const { deviceId, number, port, label } = target
  return switching(on, {
    title: label,
    what: named(target, `port ${port} of relay ${number}`),
    command: { name: 'relay.set', args: { number, port, on } },
    send: () => send(setNetworkRelayOnOff, { query: { deviceId, number, port, on } }),
  })
}
