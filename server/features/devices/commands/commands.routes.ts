import { listDeviceCommands, testDeviceDriver } from '#contract/http/devices/commands.ts'
import { type Route, route } from '#server/http/call/route.ts'
import type { DeviceCommands } from './commands.service.ts'
import { POWER_COMMANDS } from './powerCommands.ts'

export const deviceCommandRoutes = (commands: DeviceCommands): readonly Route[] => [
  ...POWER_COMMANDS.map(({ call, commandOf }) =>
    route(call, ({ query, caller, arrivedAtMs, change }) =>
      commands.carryOut({ deviceId: query.deviceId, command: commandOf(query), arrivedAtMs }, caller, change),
    ),
  ),
  route(testDeviceDriver, ({ query: { deviceId, part }, caller, arrivedAtMs, change }) =>
    commands.carryOut({ deviceId, command: { name: 'driver.test', args: { part } }, arrivedAtMs }, caller, change),
  ),
  route(listDeviceCommands, ({ query, caller }) => commands.list(query, caller)),
]
