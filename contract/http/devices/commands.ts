import { z } from 'zod'
import { call } from '#contract/call/call.ts'
import { deviceIdValue, momentValue, textValue } from '#contract/call/values.ts'
import type { ErrorCode } from '#contract/errors.ts'
import { partOfDevice } from './deviceDrivers.ts'

/** A device accepts one power action or reset within this time, whoever asks. */
export const ONE_POWER_ACTION_WITHIN_MS = 10_000

const REFUSALS: readonly ErrorCode[] = [
  'not_found',
  'device_deactivated',
  'device_offline',
  'device_refused',
  'device_silent',
  'command_outcome_unknown',
  'too_many_commands',
  'command_too_late',
]

const number = z.int32().min(1).max(3)
const port = z.int32().min(1).max(2)

/** A power action or reset is sent at once, expires after 60 s, and is answered with the device's text. */
const powerCall = <const Path extends string, Query extends z.ZodType>(path: Path, summary: string, query: Query) =>
  call({
    method: 'GET',
    path,
    summary,
    permission: 'deviceManager',
    query,
    answer: z.string(),
    errors: REFUSALS,
    changes: { action: 'Command', entity: 'Device' },
    stepUp: 'ofSeveral',
  })

const ofDevice = z.strictObject({ deviceId: deviceIdValue })
const ofNumber = z.strictObject({ deviceId: deviceIdValue, number })
const ofPort = z.strictObject({ deviceId: deviceIdValue, number, port })

export const upsReboot = powerCall('Device/UpsReboot', 'Reboot the UPS.', ofDevice)
export const upsShutdown = powerCall('Device/UpsShutdown', 'Shut the UPS down.', ofDevice)
export const upsGroup1Reset = powerCall('Device/UpsGroup1Reset', 'Reset group 1 of the UPS.', ofDevice)
export const upsGroup2Reset = powerCall('Device/UpsGroup2Reset', 'Reset group 2 of the UPS.', ofDevice)
export const router1Reset = powerCall('Device/Router1Reset', 'Reset network switch 1.', ofDevice)
export const router2Reset = powerCall('Device/Router2Reset', 'Reset network switch 2.', ofDevice)
export const powerSwitch1TurnOn = powerCall('Device/PowerSwitch1TurnOn', 'Turn power switch 1 on.', ofDevice)
export const powerSwitch1TurnOff = powerCall('Device/PowerSwitch1TurnOff', 'Turn power switch 1 off.', ofDevice)
export const powerSwitch1Reset = powerCall('Device/PowerSwitch1Reset', 'Reset power switch 1.', ofDevice)
export const powerSwitch2TurnOn = powerCall('Device/PowerSwitch2TurnOn', 'Turn power switch 2 on.', ofDevice)
export const powerSwitch2TurnOff = powerCall('Device/PowerSwitch2TurnOff', 'Turn power switch 2 off.', ofDevice)
export const powerSwitch2Reset = powerCall('Device/PowerSwitch2Reset', 'Reset power switch 2.', ofDevice)
export const resetRouterWithRelay = powerCall(
  'Device/ResetNetworkRouterWithRelay',
  'Reset a router by its power relay.',
  ofNumber,
)
export const resetRouterWithRelayPort = powerCall(
  'Device/ResetNetworkRouterWithRelayPort',
  'Reset the ports of a router with relay.',
  ofNumber,
)
export const setRouterWithRelayOnOff = powerCall(
  'Device/SetNetworkRouterWithRelayOnOff',
  'Switch the power relay of a router.',
  ofNumber.extend({ on: z.boolean() }),
)
export const resetNetworkRelay = powerCall('Device/ResetNetworkRelay', 'Reset a port of a relay.', ofPort)
export const setNetworkRelayOnOff = powerCall(
  'Device/SetNetworkRelayOnOff',
  'Switch a port of a relay.',
  ofPort.extend({ on: z.boolean() }),
)

/** The test itself switches nothing off; older clients refuse the command. */
export const upsBatteryTest = powerCall(
  'Device/UpsBatteryTest',
  'Have the UPS test its battery; what comes of it is reported.',
  ofDevice,
)

/** The computer that runs the client restarts without losing power. Older clients refuse the command. */
export const restartComputer = powerCall(
  'Device/RestartComputer',
  'Have the client restart the computer that it runs on.',
  ofDevice,
)

/** Nothing is switched. Older clients refuse the command. */
export const testDeviceDriver = powerCall(
  'Device/TestDeviceDriver',
  'Ask the device what answers to the drivers of a part.',
  z.strictObject({ deviceId: deviceIdValue, part: partOfDevice }),
)

export const POWER_CALLS = [
  upsReboot,
  upsShutdown,
  upsGroup1Reset,
  upsGroup2Reset,
  router1Reset,
  router2Reset,
  powerSwitch1TurnOn,
  powerSwitch1TurnOff,
  powerSwitch1Reset,
  powerSwitch2TurnOn,
  powerSwitch2TurnOff,
  powerSwitch2Reset,
  resetRouterWithRelay,
  resetRouterWithRelayPort,
  setRouterWithRelayOnOff,
  resetNetworkRelay,
  setNetworkRelayOnOff,
  upsBatteryTest,
  restartComputer,
] as const

/**
 * The state of a command: `accepted` is kept but not sent yet, `sent` is on its way, `done` and `refused` are the
 * device's answer, `expired` was never sent or refused as too late, `unknown` was sent and never answered, so nobody
 * knows whether it was carried out.
 */
export const COMMAND_STATES = ['accepted', 'sent', 'done', 'refused', 'expired', 'unknown'] as const
export type CommandState = (typeof COMMAND_STATES)[number]

export const deviceCommand = z.object({
  id: z.guid(),
  deviceId: deviceIdValue,
  /** The name and the arguments are those of contract/mqtt/command.ts. */
  name: z.string(),
  args: z.record(z.string(), z.unknown()),
  username: z.string(),
  state: z.enum(COMMAND_STATES),
  acceptedAt: momentValue,
  sentAt: momentValue.nullable(),
  /** The moment at which the device answered, or the server gave up waiting. */
  endedAt: momentValue.nullable(),
  expiresAt: momentValue,
  /** The device's own words; empty while it has not answered. */
  text: z.string(),
  errors: z.array(z.string()),
})
export type DeviceCommand = z.output<typeof deviceCommand>

export const listDeviceCommands = call({
  method: 'GET',
  path: 'Device/GetDeviceCommandList',
  summary: 'Commands of a device, newest first.',
  permission: 'seeDevices',
  shows: ['Device'],
  query: z.strictObject({
    deviceId: deviceIdValue,
    limit: z.int32().min(1).max(200).optional(),
    next: textValue(200).optional(),
  }),
  answer: z.object({ rows: z.array(deviceCommand), next: z.string().nullable() }),
  errors: ['not_found'],
})
