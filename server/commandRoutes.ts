import type pg from 'pg'
import { openDatabase } from './db/database.ts'
import { deviceCommandRoutes } from './features/deviceCommands/deviceCommands.routes.ts'
import { createDeviceCommands } from './features/deviceCommands/deviceCommands.service.ts'
import { createDeviceCommandStore } from './features/deviceCommands/deviceCommands.store.ts'
import { deviceSettingsRoutes } from './features/deviceSettings/deviceSettings.routes.ts'
import { createDeviceSettings } from './features/deviceSettings/deviceSettings.service.ts'
import { createDeviceSettingsStore } from './features/deviceSettings/deviceSettings.store.ts'
import type { CommandPath } from './gateway/commands/CommandPath.ts'
import { holidaysOfDevice } from './gateway/holidays.ts'
import type { Route } from './http/route.ts'
import { createVisibleDevices } from './http/visibleDevices.store.ts'

/** The calls that tell a device something, joined with the path that takes it there. */
export function commandRoutes(pool: pg.Pool, path: CommandPath): readonly Route[] {
  const db = openDatabase(pool)
  const outcome: CommandPath['outcome'] = (deviceId, commandId) => path.outcome(deviceId, commandId)
  return [
    ...deviceCommandRoutes(
      createDeviceCommands({
        store: createDeviceCommandStore(db),
        visibleDevices: createVisibleDevices(pool),
        outcome,
      }),
    ),
    ...deviceSettingsRoutes(
      createDeviceSettings({
        store: createDeviceSettingsStore(db),
        outcome,
        settingsChanged: (deviceId) => path.settingsChanged(deviceId),
        holidays: (deviceId, daysAhead) => holidaysOfDevice(pool, deviceId, daysAhead),
      }),
    ),
  ]
}
